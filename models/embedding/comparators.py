"""Comparators: the similarity of a transformed entity and a candidate, by dot product, L2 or L1; larger is nearer.

``matrix`` scores every query against every candidate. Its gradient has a closed form, so a step takes a few matrix
products; only L1 has none and is slower. ``against`` gives the same scores without a gradient and writes them into memory
that the caller reuses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from harmgraph.common.errors import UnknownMember

LEAST = 1e-9  # smallest squared distance: the gradient of the square root is unbounded at 0
ABSENT = -1e30
"""The score given to a negative that is in fact the positive: its softmax share and its gradient are 0."""
BLOCK = 1 << 24  # elements of an intermediate array
TILE = 1 << 16  # the same without a gradient; small enough for the processor's cache

Scorer = Callable[[Tensor, Tensor], Tensor]
"""Writes the scores of queries [b, d] into a tensor [b, k] and returns it."""


@dataclass(frozen=True, slots=True)
class Comparator:
    """A similarity.

    Attributes:
        rows: [b, d] and [b, d] -> [b].
        matrix: [b, d] and [k, d] -> [b, k]; the flag: multiply in bfloat16.
        against: candidates [k, d] -> a function that scores queries like ``matrix``, without a gradient and without
            another array as large as the scores.
        log_sum_exp: the log-sum-exp of each row of ``matrix``, [b], with ``ABSENT`` at some places (rows, columns); None
            where it is no faster than computing the scores first.
        is_distance: whether it is minus a distance, which does not change when both vectors are shifted.
    """

    name: str
    rows: Callable[[Tensor, Tensor], Tensor]
    matrix: Callable[[Tensor, Tensor, bool], Tensor]
    against: Callable[[Tensor], Scorer]
    is_distance: bool
    log_sum_exp: Callable[[Tensor, Tensor, Tensor, Tensor, bool], Tensor] | None = None


class Buffer:
    """Memory with the data type and device of a tensor, allocated once; each use overwrites the one before.

    Allocating and freeing a large temporary for every block fragments the heap, because small objects that stay alive lie
    between the temporaries: with glibc a process grew to 20 GB.
    """

    def __init__(self, like: Tensor) -> None:
        self._numbers = like.detach().new_empty(0)

    def shaped(self, *shape: int) -> Tensor:
        """A contiguous, uninitialised tensor of this shape; the next call overwrites it."""
        count = prod(shape)
        if count > len(self._numbers):
            self._numbers = self._numbers.new_empty(count)
        return self._numbers[:count].view(shape)


def product(left: Tensor, right: Tensor, narrow: bool) -> Tensor:
    """A matrix product; with ``narrow`` in bfloat16 with float32 sums, which takes a quarter of the time on CPUs that have it."""
    return (left.bfloat16() @ right.bfloat16()).float() if narrow else left @ right


class _Dot(Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, candidates: Tensor, narrow: bool) -> Tensor:
        ctx.save_for_backward(query, candidates)
        ctx.narrow = narrow
        return product(query, candidates.T, narrow)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (grad,) = grads
        query, candidates = ctx.saved_tensors
        return product(grad, candidates, ctx.narrow), product(grad.T, query, ctx.narrow), None


class _DotLogSumExp(Function):
    """Log-sum-exp of every row of dot products, with as few passes over the scores as possible."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, candidates: Tensor, rows: Tensor, places: Tensor, narrow: bool) -> Tensor:
        scores = product(query, candidates.T, narrow)
        scores[rows, places] = ABSENT
        most = scores.amax(1, keepdim=True)
        shares = scores.sub_(most).exp_()
        total = shares.sum(1)
        ctx.save_for_backward(query, candidates, shares, total)
        ctx.narrow = narrow
        return most.squeeze(1) + total.log()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (grad,) = grads
        query, candidates, shares, total = ctx.saved_tensors
        weight = (grad / total).unsqueeze(1)
        if ctx.narrow:
            shares = shares.bfloat16()
        for_query = product(shares, candidates, ctx.narrow) * weight
        return for_query, product(shares.T, query * weight, ctx.narrow), None, None, None


class _L2(Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, candidates: Tensor, narrow: bool) -> Tensor:
        # Not in bfloat16: the difference of two near squares would be lost.
        squares = torch.addmm(candidates.square().sum(1), query, candidates.T, alpha=-2)
        squares += query.square().sum(1, keepdim=True)
        distance = squares.clamp_(min=LEAST).sqrt_()
        ctx.save_for_backward(query, candidates, distance)
        ctx.narrow = narrow
        return -distance

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (grad,) = grads
        query, candidates, distance = ctx.saved_tensors
        weight = grad / distance
        for_query = torch.addcmul(product(weight, candidates, ctx.narrow), weight.sum(1, keepdim=True), query, value=-1)
        for_candidates = torch.addcmul(
            product(weight.T, query, ctx.narrow), weight.sum(0).unsqueeze(1), candidates, value=-1
        )
        return for_query, for_candidates, None


class _L1(Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, candidates: Tensor) -> Tensor:
        ctx.save_for_backward(query, candidates)
        return -torch.cdist(query, candidates, p=1.0)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (grad,) = grads
        query, candidates = ctx.saved_tensors
        for_query = torch.empty_like(query)
        for_candidates = torch.zeros_like(candidates)
        step = max(1, BLOCK // max(1, candidates.numel()))
        for start in range(0, len(query), step):
            part = slice(start, start + step)
            signs = torch.sign(candidates - query[part].unsqueeze(1))
            for_query[part] = torch.einsum("bk,bkd->bd", grad[part], signs)
            for_candidates -= torch.einsum("bk,bkd->kd", grad[part], signs)
        return for_query, for_candidates


def _paired_l1(query: Tensor, candidates: Tensor, _: bool = False) -> Tensor:
    """Minus the sum of the moduli of complex differences (Sun et al. 2019), [b, k]."""
    width = query.shape[1] // 2
    step = max(1, BLOCK // max(1, candidates.numel()))
    parts = []
    for part in torch.split(query, step):
        difference = part.unsqueeze(1) - candidates
        real, imaginary = difference[..., :width], difference[..., width:]
        parts.append(-(real.square() + imaginary.square() + LEAST).sqrt().sum(-1))
    return torch.cat(parts) if parts else query.new_zeros(0, len(candidates))


def _paired_l1_rows(query: Tensor, candidates: Tensor) -> Tensor:
    width = query.shape[1] // 2
    squares = (query - candidates).square()
    return -(squares[:, :width] + squares[:, width:] + LEAST).sqrt().sum(1)


def _dot_matrix(query: Tensor, candidates: Tensor, narrow: bool = False) -> Tensor:
    scores: Tensor = _Dot.apply(query, candidates, narrow)
    return scores


def _dot_log_sum_exp(query: Tensor, candidates: Tensor, rows: Tensor, places: Tensor, narrow: bool) -> Tensor:
    sums: Tensor = _DotLogSumExp.apply(query, candidates, rows, places, narrow)
    return sums


def _l2_matrix(query: Tensor, candidates: Tensor, narrow: bool = False) -> Tensor:
    scores: Tensor = _L2.apply(query, candidates, narrow)
    return scores


def _l1_matrix(query: Tensor, candidates: Tensor, _: bool = False) -> Tensor:
    scores: Tensor = _L1.apply(query, candidates)
    return scores


def _dot_against(candidates: Tensor) -> Scorer:
    columns = candidates.detach().T
    return lambda query, out: torch.mm(query.detach(), columns, out=out)


def _l2_against(candidates: Tensor) -> Scorer:
    rows = candidates.detach()
    squares = rows.new_empty(len(rows))
    height = max(1, TILE // max(1, rows.shape[1]))
    for part, place in zip(rows.split(height), squares.split(height), strict=True):
        place.copy_(part.square().sum(1))

    def scores(query: Tensor, out: Tensor) -> Tensor:
        query = query.detach()
        torch.addmm(squares, query, rows.T, alpha=-2, out=out)
        return out.add_(query.square().sum(1, keepdim=True)).clamp_(min=LEAST).sqrt_().neg_()

    return scores


def _l1_against(candidates: Tensor) -> Scorer:
    rows = candidates.detach()

    def scores(query: Tensor, out: Tensor) -> Tensor:
        # torch.cdist cannot write into given memory, but its result for one tile is small.
        width = max(1, TILE // max(1, len(query)))
        for part, place in zip(rows.split(width), out.split(width, dim=1), strict=True):
            place.copy_(torch.cdist(query.detach(), part, p=1.0))
        return out.neg_()

    return scores


def _paired_l1_against(candidates: Tensor) -> Scorer:
    rows, memory = candidates.detach(), Buffer(candidates)

    def scores(query: Tensor, out: Tensor) -> Tensor:
        query = query.detach()
        width = max(1, TILE // max(1, query.numel()))
        for part, place in zip(rows.split(width), out.split(width, dim=1), strict=True):
            difference = memory.shaped(len(query), *part.shape)
            torch.sub(query.unsqueeze(1), part, out=difference)
            real, imaginary = difference.square_().chunk(2, dim=2)
            torch.sum(real.add_(imaginary).add_(LEAST).sqrt_(), 2, out=place)
        return out.neg_()

    return scores


DOT = Comparator(
    "dot",
    lambda query, candidates: (query * candidates).sum(1),
    _dot_matrix,
    _dot_against,
    False,
    _dot_log_sum_exp,
)
L2 = Comparator(
    "l2",
    lambda query, candidates: -(query - candidates).square().sum(1).clamp(min=LEAST).sqrt(),
    _l2_matrix,
    _l2_against,
    True,
)
L1 = Comparator("l1", lambda query, candidates: -(query - candidates).abs().sum(1), _l1_matrix, _l1_against, True)
PAIRED_L1 = Comparator("l1", _paired_l1_rows, _paired_l1, _paired_l1_against, True)


def comparator(name: str, *, paired: bool = False) -> Comparator:
    """A comparator by its name.

    Args:
        paired: columns are real parts, then imaginary parts: L1 sums the moduli.

    Raises:
        UnknownMember: there is none of that name.
    """
    known = {similarity.name: similarity for similarity in (DOT, L2, PAIRED_L1 if paired else L1)}
    if name not in known:
        raise UnknownMember("comparator", name, known)
    return known[name]
