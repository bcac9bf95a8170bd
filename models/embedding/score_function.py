"""Score functions of embeddings: how a relation transforms an entity, and which comparators the result can be used with.

Each is a module in ``models/score_functions`` that defines ``SCORE_FUNCTION``. It has no weights: these are two tables,
entities [n, d] and relations [m, d'], which probes can read and change. A complex vector of d/2 numbers has d columns: the
real parts, then the imaginary parts.

The modules do not import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from harmgraph.common.errors import BadName
from harmgraph.common.registry import Registry

if TYPE_CHECKING:
    from torch import Generator, Tensor


class ScoreFunction(ABC):
    """A score function.

    Attributes:
        name: its name on the command line.
        citation: the paper it comes from.
        comparators: names of the comparators it can be used with, the default first.
        paired: whether an entity's columns are real and imaginary parts.
        linear: whether the score is linear in the numbers of the relation, so that there is a ``relation_query``.
        weighs: whether scores grow with the numbers of a relation, which are then regularised; angles are not.
        defaults: training options that have another default for this model.
    """

    name: ClassVar[str]
    citation: ClassVar[str]
    comparators: ClassVar[tuple[str, ...]]
    paired: ClassVar[bool] = False
    weighs: ClassVar[bool] = True
    linear: ClassVar[bool] = False
    defaults: ClassVar[dict[str, float | int | str | bool]] = {}

    @abstractmethod
    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """The vector that a tail is compared with: [b, d] and [b, d'] -> [b, d]."""

    @abstractmethod
    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """The vector that a head is compared with, [b, d], and an offset to add to every score, [b] or None.

        ``compare(head_query, head) + offset`` equals ``compare(tail_query, tail)``.
        """

    def relation_query(self, heads: Tensor, tails: Tensor) -> Tensor:
        """The vector whose dot product with the numbers of a relation is the score, [b, d'], of models that are ``linear``."""
        raise NotImplementedError

    def relation_width(self, dim: int) -> int:
        """Columns of a relation, d'."""
        return dim

    def checked(self, dim: int, comparator: str) -> None:
        """Checks that the model works with this dimension and comparator.

        Raises:
            BadName: an odd number of columns for complex vectors, or a comparator that the model is not defined with.
        """
        if self.paired and dim % 2:
            raise BadName("dimension", str(dim), f"is odd: {self.name} needs real and imaginary parts")
        if comparator not in self.comparators:
            raise BadName(
                "comparator", comparator, f"does not work with {self.name}, which has {', '.join(self.comparators)}"
            )

    def first_entities(self, count: int, dim: int, scale: float, generator: Generator) -> Tensor:
        """Initial entity vectors, [count, d]: normal, with standard deviation ``scale``."""
        import torch

        return torch.randn(count, dim, generator=generator) * scale

    def first_relations(self, count: int, dim: int, scale: float, generator: Generator) -> Tensor:
        """Initial relation vectors, [count, d']."""
        import torch

        return torch.randn(count, self.relation_width(dim), generator=generator) * scale

    def moduli(self, rows: Tensor) -> Tensor:
        """Absolute values of the (complex) numbers of entities or relations, for the N3 regulariser."""
        if not self.paired:
            return rows.abs()
        width = rows.shape[1] // 2
        return (rows[:, :width].square() + rows[:, width:].square() + 1e-12).sqrt()


score_functions: Registry[ScoreFunction] = Registry(
    "embedding model", "harmgraph.models.score_functions", "SCORE_FUNCTION", "score_functions"
)


def product(vectors: Tensor, real: Tensor, imaginary: Tensor) -> Tensor:
    """Complex product of vectors [b, d] and the numbers with these parts, [b, d/2] each -> [b, d]."""
    import torch

    real_part, imaginary_part = vectors.chunk(2, dim=1)
    return torch.cat(
        [real_part * real - imaginary_part * imaginary, real_part * imaginary + imaginary_part * real], dim=1
    )
