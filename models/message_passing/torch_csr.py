"""Sums of messages by torch alone: a sparse matrix, whose rows are entities, times the messages. Imports torch at the top."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from harmgraph.models.subgraph.back_end import BackEnd, Sums

if TYPE_CHECKING:
    from harmgraph.models.subgraph.message_graph import MessageGraph
    from harmgraph.models.subgraph.split import Integers


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the numbers of a sparse matrix are: its first number of each row [rows + 1], and the column of each number."""

    first: Tensor
    column: Tensor
    size: tuple[int, int]

    def times(self, values: Tensor, messages: Tensor) -> Tensor:
        """The product of the matrix with these numbers and some messages."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
            matrix = torch.sparse_csr_tensor(self.first, self.column, values, self.size, check_invariants=False)
        return matrix @ messages


class _Product(torch.autograd.Function):
    """The product, whose gradient is the product with the transposed matrix."""

    @staticmethod
    def forward(context: Any, messages: Tensor, kept: Tensor, there: _Places, back: _Places, order: Tensor) -> Tensor:
        context.save_for_backward(kept, order)
        context.back = back
        return there.times(kept, messages)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None, None]:
        kept, order = context.saved_tensors
        return context.back.times(kept[order], gradients[0].contiguous()), None, None, None, None


class TorchCsr(BackEnd):
    """See ``BackEnd``."""

    name = "torch"
    rank = 0

    def is_available(self, device: str) -> bool:
        """See ``BackEnd.is_available``."""
        return True

    def sums(self, graph: MessageGraph, device: str) -> Sums:
        """See ``BackEnd.sums``."""
        entities, pairs = graph.entities, len(graph.pair_entity)
        turned = np.lexsort((graph.target, graph.pair))

        def places(rows: Integers, columns: Integers, size: tuple[int, int]) -> _Places:
            first = np.searchsorted(rows, np.arange(size[0] + 1))
            return _Places(torch.from_numpy(first).to(device), torch.from_numpy(columns.copy()).to(device), size)

        there = places(graph.target, graph.pair, (entities, pairs))
        back = places(graph.pair[turned], graph.target[turned], (pairs, entities))
        order = torch.from_numpy(turned).to(device)

        def summed(messages: Tensor, kept: Tensor) -> Tensor:
            total: Tensor = _Product.apply(messages, kept, there, back, order)
            return total

        return summed


BACK_END = TorchCsr()
