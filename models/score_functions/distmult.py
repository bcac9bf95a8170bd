"""DistMult: a relation weighs the columns; it cannot tell head from tail."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.score_function import ScoreFunction

if TYPE_CHECKING:
    from torch import Tensor


class DistMult(ScoreFunction):
    """f(h, r, t) = sum of h r t."""

    name = "distmult"
    citation = "Yang et al. 2015, Embedding entities and relations for learning and inference in knowledge bases"
    comparators = ("dot",)
    defaults: ClassVar[dict[str, float | int | str | bool]] = {"reciprocal": True}
    linear = True

    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """See ``ScoreFunction.tail_query``."""
        return heads * relations

    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """See ``ScoreFunction.head_query``."""
        return tails * relations, None

    def relation_query(self, heads: Tensor, tails: Tensor) -> Tensor:
        """See ``ScoreFunction.relation_query``."""
        return heads * tails


SCORE_FUNCTION = DistMult()
