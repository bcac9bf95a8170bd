"""Probes of embeddings: a score for each object, such as a profession; above 0 means towards the first group of people.

Each probe is a module in ``models/probes`` that defines ``PROBE``. The modules do not import torch at the top, so that the
command line can list them and their options without it.
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

from harmgraph.common.errors import InputError
from harmgraph.common.registry import Registry
from harmgraph.models.probing.question import LEAST_PEOPLE

if TYPE_CHECKING:
    import click
    from torch import Tensor

    from harmgraph.graph.connection import Graph
    from harmgraph.models.embedding.tables import Tables
    from harmgraph.models.probing.question import Question

NO_ID = -1  # of what the model does not have: a condition on a literal, or an edge that is taken out
BLOCK, LEAST_BLOCK = 1 << 19, 16  # scores of one block, 4 MiB; people of one block
Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Side:
    """A relation with people at one end.

    Attributes:
        id: of the relation in the tables.
        inverse: whether people are its tails.
    """

    id: int
    inverse: bool = False


@dataclass(frozen=True, kw_only=True)
class EncodedQuestion:
    """A question in the ids of a model.

    Attributes:
        sensitive, objective: the relation to the sensitive values, and the relation to the objects.
        a: id of the first value. b: ids of the values it is compared with. weights: of ``b``; their sum is 1.
        objects: ids [k]. people: ids [j].
        with_a, with_b: indices into ``people`` of those who have ``a``, and of those who have one of ``b``.
        holds: [n, 2] indices into ``people`` and ``objects``: who has which object; empty unless the probe needs it.
        counts: [k, 2] number of people with each object, with a and with b.
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
        """The points [n, d] that a person's vector is compared with to score its triples with these entities, and offsets [n].

        ``compare(person, point) + offset`` is the score of the triple, for every score function.
        """
        import torch

        rows = self.rows(ids)
        relation = self.tables.relations[side.id].double().expand(len(rows), -1)
        family = self.tables.score_function
        if side.inverse:
            return family.tail_query(rows, relation), torch.zeros(len(rows), dtype=torch.float64)
        points, offset = family.head_query(rows, relation, is_distance=self.tables.comparator.is_distance)
        return points, torch.zeros(len(rows), dtype=torch.float64) if offset is None else offset

    def between(self, a: int, b: int) -> EncodedQuestion:
        """The same question about two other entities."""
        return replace(self, a=a, b=(b,), weights=(1.0,))

    def contrast(self) -> Tensor:
        """The weights of a and of each of b in score(a) - score(b): [1 + n]; their sum is 0."""
        import torch

        return torch.tensor([1.0, *(-weight for weight in self.weights)], dtype=torch.float64)

    def direction(self) -> Tensor:
        """The point of a minus that of b, [d]: with the dot product, the gradient of score(a) - score(b) for every person."""
        values, _ = self.points(self.sensitive, (self.a, *self.b))
        return self.contrast() @ values

    def slope(self, direction: Tensor) -> Tensor:
        """How much the dot-product score of each object grows along a direction: [d] -> [k].

        The score of a triple is linear in the person's vector, so this is the objects' vectors times a single vector; the
        relation is not applied to every object.
        """
        import torch

        relation = self.tables.relations.narrow(0, self.objective.id, 1).double()
        family = self.tables.score_function
        if self.objective.inverse:
            back, offset = family.head_query(direction.unsqueeze(0), relation, is_distance=False)
            return self.products(self.objects, back[0]) + (0.0 if offset is None else offset[0])
        # What the relation adds to every person cancels out.
        ends = family.tail_query(torch.stack([direction, torch.zeros_like(direction)]), relation.expand(2, -1))
        return self.products(self.objects, ends[0] - ends[1])

    def products(self, ids: Places, vector: Tensor) -> Tensor:
        """``rows(ids) @ vector``, [n] in float64, with the precision of the tables: each number is a single sum of d products.

        Computes only the requested numbers and copies no rows, which takes half the time of gathering them.
        """
        import torch

        table = self.tables.entities
        sampled = torch.sparse.sampled_addmm(_pattern(ids, table), vector.to(table.dtype).unsqueeze(0), table.T)
        products: Tensor = sampled.values()
        return products.double()

    def enough(self) -> None:
        """Checks that both sides have enough people.

        Raises:
            InputError: a side has fewer than two.
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
        """``scores`` for the ids [n] of people, block by block: the slice of the ids, and the scores [n', k].

        The next block overwrites the scores.
        """
        from harmgraph.models.embedding.comparators import Buffer

        points, offset = self.points(self.objective, self.objects)
        score, memory = self.tables.comparator.against(points), Buffer(points)
        size = self.block
        for start in range(0, len(ids), size):
            part = slice(start, start + size)
            people = self.rows(ids[part])
            yield part, score(people, memory.shaped(len(people), len(points))).add_(offset)

    @property
    def block(self) -> int:
        """How many people to score at once, so that the scores stay small."""
        return max(LEAST_BLOCK, BLOCK // max(1, len(self.objects)))


def _pattern(columns: Places, table: Tensor) -> Tensor:
    """A sparse row, [1, n], with zeros at these columns."""
    import torch

    _hush()
    ends = torch.tensor([0, len(columns)])
    zeros = table.new_zeros(len(columns))
    return torch.sparse_csr_tensor(ends, torch.from_numpy(columns), zeros, (1, len(table)), check_invariants=False)


@cache
def _hush() -> None:
    """Triggers torch's one-time warning that sparse CSR is in beta, and ignores it; tests check the results we use."""
    import torch

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR")
        ends, columns = torch.tensor([0, 1]), torch.tensor([0])
        torch.sparse_csr_tensor(ends, columns, torch.zeros(1), (1, 1), check_invariants=False)


@dataclass(frozen=True)
class ProbeScores:
    """The result of a probe.

    Attributes:
        values: the score of each object [k].
        low, high: 95 % intervals [k]; None if a score is not an estimate from a sample.
        columns: further numbers of each object [k].
        facts: for the summary, such as the method and the number of people.
    """

    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    columns: Mapping[str, Numbers] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Which edges carry the score of an object.

    Attributes:
        object, name: key and name of the object. people: how many it is of.
        rows: ``at`` the person, the value or the object; ``relation``, with ^ if that is its tail; ``neighbour``, None for all of
            them; ``score``, what the object's score loses without these edges, with its interval; ``people`` who have such edges.
            The largest first.
    """

    object: str
    name: str
    people: int
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Untrained:
    """The same question asked of untrained copies of a model.

    Attributes:
        correlations: of the scores of each copy with the counts, by seed. observed: that of the model itself.
        least, middle, most: the smallest, the median and the largest of the correlations.
        share: of the copies, whose absolute correlation is at least as large as the observed one.
            NaN, like the other numbers, if a correlation is undefined.
    """

    correlations: tuple[float, ...]
    observed: float

    @property
    def least(self) -> float:
        """The smallest correlation of a copy."""
        return float(np.min(self.correlations))

    @property
    def middle(self) -> float:
        """The median of the copies."""
        return float(np.median(self.correlations))

    @property
    def most(self) -> float:
        """The largest correlation of a copy."""
        return float(np.max(self.correlations))

    @property
    def share(self) -> float:
        """See the class."""
        values = np.abs([self.observed, *self.correlations])
        return float((values[1:] >= values[0]).mean()) if np.isfinite(values).all() else np.nan


class Probe(ABC):
    """A probe.

    Attributes:
        name: its name on the command line. title: a short description.
        meaning: what a score means. citation: the paper it comes from.
        least, most: range of a score.
        drawn: what a control uses instead of a and b.
        needs_holders: whether it needs to know who has which object.
        needs_values: whether it needs the vectors of a and b, which conditions on a literal lack.
        needs_graph_model: whether it encodes people again, so that it takes graph models and no tables.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    citation: ClassVar[str]
    least: ClassVar[float] = -np.inf
    most: ClassVar[float] = np.inf
    needs_holders: ClassVar[bool] = False
    needs_values: ClassVar[bool] = False
    needs_graph_model: ClassVar[bool] = False
    drawn: ClassVar[str] = "random groups of people"

    def options(self) -> list[click.Option]:
        """The probe's own options; ``scores`` gets their values by name, with the ``seed`` and the ``threads`` that compute."""
        return []

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options, resolved against the graph: keys instead of names."""
        return options

    def cypher(self, question: Question, options: Mapping[str, Any]) -> str:
        """The statement for Neo4j Browser: the one that counts. ``options`` are resolved."""
        return question.cypher

    def second(self, question: Question, options: Mapping[str, Any]) -> str:
        """What is kept in the graph as the second value: its key, * for all others."""
        return question.b

    def explained(self, encoded: EncodedQuestion, **options: Any) -> Explanation | None:
        """Which edges carry the score of an object; None if that is not asked, or not known."""
        return None

    def untrained(self, encoded: EncodedQuestion, **options: Any) -> Untrained | None:
        """What untrained copies of the model give; None if that is not asked, or not possible."""
        return None

    def random(self, encoded: EncodedQuestion, rng: np.random.Generator, options: Mapping[str, Any]) -> EncodedQuestion:
        """A random control of the same question: the people of both sides are shuffled.

        Raises:
            InputError: the options leave nothing to shuffle.
        """
        both = np.union1d(encoded.with_a, encoded.with_b)
        dealt = rng.permutation(both)
        with_a, with_b = (dealt[np.searchsorted(both, side)] for side in (encoded.with_a, encoded.with_b))
        return replace(encoded, with_a=with_a, with_b=with_b)

    @abstractmethod
    def scores(self, encoded: EncodedQuestion, **options: Any) -> ProbeScores:
        """The score of every object: zero if a and b are the same; swapping a and b changes the sign.

        Raises:
            InputError: an option has an invalid value, or there are too few people.
        """


probes: Registry[Probe] = Registry("probe", "harmgraph.models.probes", "PROBE", "probes")
