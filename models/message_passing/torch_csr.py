"""Sums of messages by torch alone: a sparse matrix, whose rows are entities, times the messages. Imports torch at the top."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

    def times(self, values: Tensor) -> Callable[[Tensor], Tensor]:
        """What multiplies the matrix with these numbers by some messages."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
            matrix = torch.sparse_csr_tensor(self.first, self.column, values, self.size, check_invariants=False)
        return lambda messages: matrix @ messages


@dataclass(frozen=True, slots=True)
class _Matrix:
    """See ``Sums``: the matrix, its transposed, and the place there of each edge here."""

    forwards: _Places
    transposed: _Places
    order: Tensor

    def there(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        return self.forwards.times(kept)

    def back(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        return self.transposed.times(kept[self.order])


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

        return _Matrix(
            places(graph.target, graph.pair, (entities, pairs)),
            places(graph.pair[turned], graph.target[turned], (pairs, entities)),
            torch.from_numpy(turned).to(device),
        )


BACK_END = TorchCsr()
