"""ComplEx: DistMult with complex numbers, so that head and tail differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.score_function import ScoreFunction, product

if TYPE_CHECKING:
    from torch import Tensor


class ComplEx(ScoreFunction):
    """f(h, r, t) = real part of the sum of h r conj(t)."""

    name = "complex"
    citation = "Trouillon et al. 2016, Complex embeddings for simple link prediction"
    comparators = ("dot",)
    defaults: ClassVar[dict[str, float | int | str | bool]] = {"reciprocal": True}
    paired = True
    linear = True

    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """See ``ScoreFunction.tail_query``."""
        return product(heads, *relations.chunk(2, dim=1))

    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """See ``ScoreFunction.head_query``."""
        real, imaginary = relations.chunk(2, dim=1)
        return product(tails, real, -imaginary), None

    def relation_query(self, heads: Tensor, tails: Tensor) -> Tensor:
        """See ``ScoreFunction.relation_query``: the conjugate of h conj(t)."""
        real, imaginary = heads.chunk(2, dim=1)
        return product(tails, real, -imaginary)


SCORE_FUNCTION = ComplEx()
