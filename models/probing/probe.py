"""What a probe of embeddings is: a score for each object, such as a profession, above 0 towards one group of people.

A member of the family is one module in ``models/probes`` that defines ``PROBE``. Members do not import torch at their top: the
command line lists them and their options without it.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from harmgraph.graph.common.errors import InputError
from harmgraph.graph.common.registry import Registry
from harmgraph.models.probing.question import LEAST_PEOPLE

if TYPE_CHECKING:
    import click
    from torch import Tensor

    from harmgraph.graph.connection import Graph
    from harmgraph.models.embedding.tables import Tables
    from harmgraph.models.probing.question import Question

BLOCK, LEAST_BLOCK = 1 << 19, 16  # scores of one block, 4 MiB; people of one block
Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Side:
    """A relation at whose other side people stand.

    Attributes:
        id: of the relation in the tables.
        inverse: people are its tails.
    """

    id: int
    inverse: bool = False


@dataclass(frozen=True)
class Posed:
    """A question in the ids of one model.

    Attributes:
        sensitive, objective: the relation to the sensitive values, and that to the objects.
        a: id of the first value. b: ids of what it is held against. weights: of ``b``, their sum is 1.
        objects: ids [k]. people: ids [j].
        with_a, with_b: places in ``people`` of those who have ``a``, and of those who have one of ``b``.
        holds: [n, 2] places in ``people`` and in ``objects``: who has which; empty unless the probe asks for it.
        counts: [k, 2] people with an object on either side.
        keys, names: of the objects.
    """

    tables: Tables
    sensitive: Side
    objective: Side
    a: int
    b: tuple[int, ...]
    weights: tuple[float, ...]
    objects: Places
    people: Places
    with_a: Places
    with_b: Places
    counts: Places
    holds: Places = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    keys: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def rows(self, ids: Places | tuple[int, ...]) -> Tensor:
        """Vectors of entities in float64, [n, d]."""
        import torch

        return self.tables.entities.index_select(0, torch.as_tensor(np.asarray(ids, np.int64))).double()

    def points(self, side: Side, ids: Places | tuple[int, ...]) -> tuple[Tensor, Tensor]:
        """What the vector of a person is compared with to score its triples with these entities: [n, d], and [n] to add.

        ``compare(person, point) + offset`` is the score of the triple, for every score function of the family.
        """
        import torch

        rows = self.rows(ids)
        relation = self.tables.relations[side.id].double().expand(len(rows), -1)
        family = self.tables.embedding
        if side.inverse:
            return family.tail_query(rows, relation), torch.zeros(len(rows), dtype=torch.float64)
        found, offset = family.head_query(rows, relation, is_distance=self.tables.comparator.is_distance)
        return found, torch.zeros(len(rows), dtype=torch.float64) if offset is None else offset

    def between(self, a: int, b: int) -> Posed:
        """The same question about two other entities."""
        return replace(self, a=a, b=(b,), weights=(1.0,))

    def contrast(self) -> Tensor:
        """What a and each of b weigh in score(a) - score(b): [1 + n], their sum is 0."""
        import torch

        return torch.tensor([1.0, *(-weight for weight in self.weights)], dtype=torch.float64)

    def direction(self) -> Tensor:
        """Points of a minus those of b, [d]: with the dot product the gradient of score(a) - score(b) in everyone's vector."""
        values, _ = self.points(self.sensitive, (self.a, *self.b))
        return self.contrast() @ values

    def slope(self, direction: Tensor) -> Tensor:
        """How much the dot-product score of each object grows along a direction of the people: [d] -> [k].

        The score of a triple is linear in the person, so it is the objects' own vectors times one vector: no object has to be
        turned or weighed by the relation.
        """
        import torch

        relation = self.tables.relations.narrow(0, self.objective.id, 1).double()
        family = self.tables.embedding
        if self.objective.inverse:
            back, offset = family.head_query(direction.unsqueeze(0), relation, is_distance=False)
            return self.products(self.objects, back[0]) + (0.0 if offset is None else offset[0])
        # What the relation adds to every person alike falls out.
        ends = family.tail_query(torch.stack([direction, torch.zeros_like(direction)]), relation.expand(2, -1))
        return self.products(self.objects, ends[0] - ends[1])

    def products(self, ids: Places, vector: Tensor) -> Tensor:
        """``rows(ids) @ vector``, [n] in float64, as exact as the tables: each number is one sum of d products.

        Only the wanted numbers of all entities @ vector are made, and no copy of rows: half the time of gathering them.
        """
        import torch

        table = self.tables.entities
        found = torch.sparse.sampled_addmm(_pattern(ids, table), vector.to(table.dtype).unsqueeze(0), table.T)
        products: Tensor = found.values()
        return products.double()

    def enough(self) -> None:
        """Looks whether both sides have people.

        Raises:
            InputError: fewer than two.
        """
        for side, group in (("first", self.with_a), ("second", self.with_b)):
            if len(group) < LEAST_PEOPLE:
                raise InputError(
                    f"{len(group)} of the people that the model knows have the {side} value, {LEAST_PEOPLE} are needed",
                    remedy="choose another value",
                )

    def scores(self, people: Tensor) -> Tensor:
        """Scores of the triples of people with every object: vectors [n, d] -> [n, k]."""
        points, offset = self.points(self.objective, self.objects)
        return self.tables.comparator.matrix(people, points, False) + offset

    def scored(self, ids: Places) -> Iterator[tuple[slice, Tensor]]:
        """The same for people by their ids [n], some at a time: which of them, and their scores [n', k].

        The memory of a part is that of the next one.
        """
        from harmgraph.models.embedding.buffer import Buffer

        points, offset = self.points(self.objective, self.objects)
        score, memory = self.tables.comparator.against(points), Buffer(points)
        size = self.block
        for start in range(0, len(ids), size):
            part = slice(start, start + size)
            people = self.rows(ids[part])
            yield part, score(people, memory.shaped(len(people), len(points))).add_(offset)

    @property
    def block(self) -> int:
        """How many people are scored at once, so that their scores stay small."""
        return max(LEAST_BLOCK, BLOCK // max(1, len(self.objects)))


def _pattern(columns: Places, table: Tensor) -> Tensor:
    """One sparse row, [1, n], with zeros at these columns."""
    import torch

    _hush()
    ends = torch.tensor([0, len(columns)])
    zeros = table.new_zeros(len(columns))
    return torch.sparse_csr_tensor(ends, torch.from_numpy(columns), zeros, (1, len(table)), check_invariants=False)


@cache
def _hush() -> None:
    """Torch says once, with the first one made, that its sparse rows are young; the tests compare what they give."""
    import torch

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR")
        ends, columns = torch.tensor([0, 1]), torch.tensor([0])
        torch.sparse_csr_tensor(ends, columns, torch.zeros(1), (1, 1), check_invariants=False)


@dataclass(frozen=True)
class Scores:
    """What a probe found.

    Attributes:
        values: one an object [k].
        low, high: 95 % intervals [k], None where a score is no estimate from a sample.
        columns: further numbers of each object [k].
        facts: of the whole, for the summary: the method, the people it rests on.
    """

    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    columns: Mapping[str, Numbers] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


class Probe(ABC):
    """One probe.

    Attributes:
        name: the word on the command line. title: a few words on what it does.
        meaning: what a score is. citation: where it is from.
        least, most: range of a score.
        drawn: what a control puts in the place of a and b.
        options: what the command takes beside the options of all probes.
        needs_holders: whether it asks who has which object.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    citation: ClassVar[str]
    least: ClassVar[float] = -np.inf
    most: ClassVar[float] = np.inf
    needs_holders: ClassVar[bool] = False
    drawn: ClassVar[str] = "random groups of people"

    def options(self) -> list[click.Option]:
        """Options of its own; a value arrives in ``scores`` by the name of its option."""
        return []

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options with what the graph knows of them: keys in the place of names."""
        return options

    def random(self, posed: Posed, rng: np.random.Generator, options: Mapping[str, Any]) -> Posed:
        """The same question where there is nothing to be found: the people of both sides are dealt out anew.

        Raises:
            InputError: the options leave nothing to deal out.
        """
        both = np.union1d(posed.with_a, posed.with_b)
        dealt = rng.permutation(both)
        with_a, with_b = (dealt[np.searchsorted(both, side)] for side in (posed.with_a, posed.with_b))
        return replace(posed, with_a=with_a, with_b=with_b)

    @abstractmethod
    def scores(self, posed: Posed, **options: Any) -> Scores:
        """The score of every object.

        Zero everywhere where a and b are the same; the opposite where they change places.

        Raises:
            InputError: an option that cannot be, or too few people.
        """


probes: Registry[Probe] = Registry("probe", "harmgraph.models.probes", "PROBE", "probes")
