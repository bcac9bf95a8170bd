"""What an embedding model is: a transformation of an entity by a relation, and the comparators it may be used with.

A member of the family is one module in ``models/score_functions`` that defines ``EMBEDDING``. It holds no weights: these are two
tables, entities [n, d] and relations [m, d'], so that a probe can reach and change them. A complex vector of d/2 numbers is
d columns: the real parts, then the imaginary parts.

Members do not import torch at their top: the command line lists them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.common.registry import Registry

if TYPE_CHECKING:
    from torch import Generator, Tensor


class Embedding(ABC):
    """One score function.

    Attributes:
        name: the word on the command line.
        citation: where it is from.
        comparators: names of those it may be used with, the default first.
        paired: whether an entity's columns are real and imaginary parts.
        weighs: whether relations are numbers that scores grow with, and so are regularised; angles are not.
        defaults: options of a training that differ from the general ones for this model.
    """

    name: ClassVar[str]
    citation: ClassVar[str]
    comparators: ClassVar[tuple[str, ...]]
    paired: ClassVar[bool] = False
    weighs: ClassVar[bool] = True
    defaults: ClassVar[dict[str, float | int | str | bool]] = {}

    @abstractmethod
    def tail_query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """The vector that a tail is compared with: [b, d] and [b, d'] -> [b, d]."""

    @abstractmethod
    def head_query(self, tails: Tensor, relations: Tensor, *, is_distance: bool) -> tuple[Tensor, Tensor | None]:
        """The vector that a head is compared with, [b, d], and what is to be added to every score, [b] or None.

        So that ``compare(head_query, head) + offset`` equals ``compare(tail_query, tail)``.
        """

    def relation_width(self, dim: int) -> int:
        """Columns of a relation, d'."""
        return dim

    def checked(self, dim: int, comparator: str) -> None:
        """Looks whether the model can be had in this form.

        Raises:
            BadName: an odd number of columns for complex vectors, or a comparator that the model is not defined with.
        """
        if self.paired and dim % 2:
            raise BadName("dimension", str(dim), f"is odd: {self.name} needs real and imaginary parts")
        if comparator not in self.comparators:
            raise BadName(
                "comparator", comparator, f"does not go with {self.name}; it has {', '.join(self.comparators)}"
            )

    def first_entities(self, count: int, dim: int, scale: float, generator: Generator) -> Tensor:
        """Entities before training, [count, d]: normal, with the given standard deviation."""
        import torch

        return torch.randn(count, dim, generator=generator) * scale

    def first_relations(self, count: int, dim: int, scale: float, generator: Generator) -> Tensor:
        """Relations before training, [count, d']."""
        import torch

        return torch.randn(count, self.relation_width(dim), generator=generator) * scale

    def moduli(self, rows: Tensor) -> Tensor:
        """The absolute values of the (complex) numbers of entities or relations, for N3."""
        if not self.paired:
            return rows.abs()
        width = rows.shape[1] // 2
        return (rows[:, :width].square() + rows[:, width:].square() + 1e-12).sqrt()


embeddings: Registry[Embedding] = Registry(
    "embedding model", "harmgraph.models.score_functions", "EMBEDDING", "score_functions"
)


def product(vectors: Tensor, real: Tensor, imaginary: Tensor) -> Tensor:
    """[b, d] times the complex numbers with these parts, [b, d/2] each -> [b, d]."""
    import torch

    one, two = vectors.chunk(2, dim=1)
    return torch.cat([one * real - two * imaginary, one * imaginary + two * real], dim=1)
