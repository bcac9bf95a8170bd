"""Sums of messages with their gradients, by any back end. Imports torch at the top."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from harmgraph.models.subgraph.back_end import Sums

COLUMNS = 32
"""So many columns are summed at once. What is gathered of them is mostly found in the cache of the processor."""


def summed(sums: Sums, messages: Tensor, kept: Tensor) -> Tensor:
    """The sum of the messages that arrive at each entity.

    Args:
        messages: [pairs, columns].
        kept: [edges] 1 for an edge that carries its message, 0 for one that does not.

    Returns:
        [entities, columns].
    """
    total: Tensor = _Sum.apply(sums, messages, kept)
    return total


def summed_products(
    sums: Sums, pair_entity: Tensor, pair_relation: Tensor, vectors: Tensor, kinds: Tensor, kept: Tensor
) -> Tensor:
    """The same as ``summed`` of ``vectors[pair_entity] * kinds[pair_relation]``, in less time.

    The products are made of a few columns at a time, and made again for the gradients: they are never in memory as a whole.

    Args:
        vectors: of entities [entities, columns].
        kinds: of relations [relations, columns].

    Returns:
        [entities, columns].
    """
    total: Tensor = _SumOfProducts.apply(sums, pair_entity, pair_relation, vectors, kinds, kept)
    return total


class _Sum(torch.autograd.Function):
    """A product with a matrix, whose gradient is the product with the transposed matrix."""

    @staticmethod
    def forward(context: Any, sums: Sums, messages: Tensor, kept: Tensor) -> Tensor:
        context.save_for_backward(kept)
        context.sums = sums
        return sums.there(kept)(messages)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (kept,) = context.saved_tensors
        return None, context.sums.back(kept)(gradients[0].contiguous()), None


class _SumOfProducts(torch.autograd.Function):
    """A product with a matrix of what is gathered a few columns at a time."""

    @staticmethod
    def forward(
        context: Any, sums: Sums, entity: Tensor, relation: Tensor, vectors: Tensor, kinds: Tensor, kept: Tensor
    ) -> Tensor:
        context.save_for_backward(entity, relation, vectors, kinds, kept)
        context.sums = sums
        there, total = sums.there(kept), torch.empty_like(vectors)
        for vector, kind, result in zip(*(each.split(COLUMNS, 1) for each in (vectors, kinds, total)), strict=True):
            products = vector.contiguous().index_select(0, entity)
            products *= kind.contiguous().index_select(0, relation)
            result.copy_(there(products))
        return total

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        entity, relation, vectors, kinds, kept = context.saved_tensors
        back = context.sums.back(kept)
        of_vectors, of_kinds = torch.zeros_like(vectors), torch.zeros_like(kinds)
        *_, wanted, _ = context.needs_input_grad
        every = (gradients[0], vectors, kinds, of_vectors, of_kinds)
        for gradient, vector, kind, of_vector, of_kind in zip(*(each.split(COLUMNS, 1) for each in every), strict=True):
            arrived = back(gradient.contiguous())
            of_vector.index_add_(0, entity, kind.contiguous().index_select(0, relation).mul_(arrived))
            if wanted:
                of_kind.index_add_(0, relation, vector.contiguous().index_select(0, entity).mul_(arrived))
        return None, None, None, of_vectors, of_kinds, None
