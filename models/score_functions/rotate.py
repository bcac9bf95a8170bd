"""RotatE: a relation turns each complex number of the head."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from harmgraph.models.embedding.score_function import ScoreFunction, product

if TYPE_CHECKING:
    from torch import Generator, Tensor


class RotatE(ScoreFunction):
    """f(h, r, t) = compare(h exp(ir), t): minus the sum of the moduli (L1), minus the L2 distance, or the dot product.

    A relation is its d/2 angles.
    """

    name = "rotate"
    citation = "Sun et al. 2019, RotatE: knowledge graph embedding by relational rotation in complex space"
    comparators = ("l2", "l1", "dot")
    paired = True
    weighs = False

    def relation_width(self, dim: int) -> int:
        """See ``ScoreFunction.relation_width``."""
        return dim // 2

    def first_relations(self, count: int, dim: int, scale: float, generator: Generator) -> Tensor:
        """See ``ScoreFunction.first_relations``: any angle."""
        import torch

        return (torch.rand(count, dim // 2, generator=generator) * 2 - 1) * pi

    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """See ``ScoreFunction.tail_query``."""
        return product(heads, relations.cos(), relations.sin())

    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """See ``ScoreFunction.head_query``: the tail turned back."""
        return product(tails, relations.cos(), -relations.sin()), None


SCORE_FUNCTION = RotatE()
