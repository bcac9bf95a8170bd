"""RESCAL: a relation is a matrix, so that every number of the head meets every number of the tail."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.score_function import ScoreFunction

if TYPE_CHECKING:
    from torch import Tensor


class Rescal(ScoreFunction):
    """f(h, r, t) = h^T R t, with a matrix R of d rows and d columns for each relation.

    A step holds a matrix for every positive of a chunk: memory grows with the square of the dimension.
    """

    name = "rescal"
    citation = "Nickel et al. 2011, A three-way model for collective learning on multi-relational data"
    comparators = ("dot",)
    defaults: ClassVar[dict[str, float | int | str | bool]] = {"dim": 100, "reciprocal": True}
    linear = True

    def relation_width(self, dim: int) -> int:
        """See ``ScoreFunction.relation_width``: the matrix, row by row."""
        return dim * dim

    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """See ``ScoreFunction.tail_query``."""
        return (heads.unsqueeze(1) @ _matrices(relations, heads)).squeeze(1)

    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """See ``ScoreFunction.head_query``."""
        return (_matrices(relations, tails) @ tails.unsqueeze(2)).squeeze(2), None

    def relation_query(self, heads: Tensor, tails: Tensor) -> Tensor:
        """See ``ScoreFunction.relation_query``."""
        return (heads.unsqueeze(2) * tails.unsqueeze(1)).flatten(1)


def _matrices(relations: Tensor, entities: Tensor) -> Tensor:
    """[b, d * d] -> [b, d, d]."""
    width = entities.shape[1]
    return relations.view(-1, width, width)


SCORE_FUNCTION = Rescal()
