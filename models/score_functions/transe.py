"""TransE: a relation moves the head to the tail."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.score_function import ScoreFunction

if TYPE_CHECKING:
    from torch import Tensor


class TransE(ScoreFunction):
    """f(h, r, t) = compare(h + r, t); with the dot product (Fisher et al. 2019), or minus the L1 or L2 distance."""

    name = "transe"
    citation = "Bordes et al. 2013, Translating embeddings for modeling multi-relational data"
    comparators = ("dot", "l2", "l1")
    defaults: ClassVar[dict[str, float | int | str | bool]] = {"reciprocal": True}

    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """See ``ScoreFunction.tail_query``."""
        return heads + relations

    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """See ``ScoreFunction.head_query``. (h + r)t = ht + rt: with the dot product the relation adds the same to every head."""
        if is_distance:
            return tails - relations, None
        return tails, (relations * tails).sum(1)


SCORE_FUNCTION = TransE()
