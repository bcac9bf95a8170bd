"""People who are encoded again with another value of the sensitive relation. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from harmgraph.common.errors import InputError
from harmgraph.common.intervals import student
from harmgraph.common.progress import progress, say
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.graph_model import GraphModel, load_graph_model
from harmgraph.models.embedding.named_embedding import same_subgraph
from harmgraph.models.embedding.tables import StoredTables
from harmgraph.models.probing.moments import Moments
from harmgraph.models.probing.probe import NO_ID, EncodedQuestion, Numbers, Places, Side
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.threads import Threads

PERSON, VALUE, OBJECT = "person", "value", "object"
RESOLVED = 1e-9
"""A change smaller than this share of the scores' size may be rounding, although scores are in double precision."""


@dataclass(frozen=True)
class GraphTables(StoredTables):
    """A graph model where other models have tables: the same names and ids, but no vectors.

    Attributes:
        graph_model: looks at the graph of the people who are asked about.
    """

    graph_model: GraphModel = field(kw_only=True)


def load_graph_tables(graph: Graph, name: str, source: str | None) -> GraphTables:
    """Loads a graph model.

    Args:
        source: whose training edges carry the messages; None for the graph that it was trained on.

    Raises:
        UnknownMember: no model of that name. NotFound: no such source.
        InputError: it is a table of entities, its training is not finished, the graph of its training changed, or the source has
            no edge of a relation that it knows.
    """
    known = store.config(name)
    if not known.encoder:
        raise InputError(
            "has a table of entities, and this probe is for graph models",
            where=name,
            remedy="take shift, pairs, parity or weat, or train a model with --encoder",
        )
    subgraph = read_subgraph(graph, source) if source else same_subgraph(graph, known, name)
    model = load_graph_model(name, known, subgraph, graph=graph)
    if model.remark:
        say(f"{name}: {model.remark}")
    scored = "model" in known.training  # by a score function
    return GraphTables(
        known.family,
        f"{model.training.model}, {model.training.chosen_comparator}" if scored else "paths",
        torch.empty(0, 0),
        torch.empty(0, 0),
        subgraph.entities,
        model.relation_names,
        name=name,
        config=known,
        graph_model=model,
    )


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """People, each of whom is encoded once with the value a and once with another, everything else equal.

    What a person has of the question's values is taken out first, and so are the person's own edges to objects: they would give
    the answer.

    Attributes:
        question: the question. model: the graph model.
        people: ids [j]. others: [j] the other value of each person; ``NO_ID`` for none, so that the edge is taken out.
        keep_objects: whether the person's own edges to objects stay.
    """

    question: EncodedQuestion
    model: GraphModel
    people: Places
    others: Places
    keep_objects: bool = False

    @cached_property
    def _exact(self) -> GraphModel:
        """The model in double precision: a change may be a millionth of a score, which single precision does not hold."""
        return replace(self.model, weights=deepcopy(self.model.weights).double())

    @cached_property
    def _bound(self) -> BoundGraph:
        """The graph with every edge that anybody is given. Those that it had carry messages."""
        values = (np.full_like(self.people, self.question.a), self.others)
        given = [self._valued(self.people[value != NO_ID], value[value != NO_ID]) for value in values]
        model = self.model
        bound = model.bound_of(np.concatenate([model.known_edges, *given]))
        kept = torch.zeros_like(bound.kept, dtype=torch.float64)
        kept[bound.graph.edges_of(model.known_edges)] = 1
        return replace(bound, kept=kept)

    def _valued(self, people: Places, values: Places) -> Integers:
        """The triples [n, 3] of people and values."""
        side = self.question.sensitive
        ends = (values, people) if side.inverse else (people, values)
        return np.stack([ends[0], np.full_like(people, side.id), ends[1]], axis=1)

    def _own(self, person: int, side: Side) -> Integers:
        """The triples of a person and a relation, [n, 3]."""
        edges = self.model.known_edges
        own: Integers = edges[(edges[:, 1] == side.id) & (edges[:, 2 if side.inverse else 0] == person)]
        return own

    def _taken(self, place: int) -> Integers:
        """The triples that a person does without whatever the value is, [n, 3]."""
        question, person = self.question, int(self.people[place])
        values = self._own(person, question.sensitive)
        values = values[np.isin(values[:, 0 if question.sensitive.inverse else 2], (question.a, *question.b))]
        return values if self.keep_objects else np.concatenate([values, self._own(person, question.objective)])

    def _touching(self, entities: Places, but: Integers) -> Integers:
        """The triples [n, 3] that some entities are in, without some of them."""
        edges = self.model.known_edges
        near: Integers = edges[np.isin(edges[:, 0], entities) | np.isin(edges[:, 2], entities)]
        return near[~np.isin(self._coded(near), self._coded(but))]

    def _coded(self, triples: Integers) -> Integers:
        """A number for each of some triples, [n]."""
        head, relation, tail = triples.T
        coded: Integers = (head * len(self.model.relation_names) + relation) * len(self.model.entity_ids) + tail
        return coded

    @property
    def alone(self) -> int:
        """How many people have no edge but those that are exchanged or taken out."""
        return sum(not len(self._touching(self.people[[at]], self._taken(at))) for at in range(len(self.people)))

    def difference(self, place: int, without: Integers | None = None) -> Numbers:
        """The scores of the objects for a person who has a, minus those for the same person who has the other value, [k].

        Args:
            place: of the person. without: triples [n, 3] that carry no messages either.
        """
        first, second = self._both(place, without)
        return first - second

    def _both(self, place: int, without: Integers | None = None) -> tuple[Numbers, Numbers]:
        """The scores of the objects for a person who has a, and for the same person who has the other value, [k] each."""
        graph = self._bound.graph
        kept = self._bound.kept.clone()
        kept[graph.edges_of(self._taken(place))] = 0
        if without is not None:
            kept[graph.edges_of(without)] = 0
        return self._scores(place, kept, self.question.a), self._scores(place, kept, int(self.others[place]))

    def _scores(self, place: int, kept: Tensor, value: int) -> Numbers:
        """The scores of the objects for a person with a value, [k]."""
        person, side = self.people[[place]], self.question.objective
        if value != NO_ID:
            kept = kept.clone()
            kept[self._bound.graph.edges_of(self._valued(person, np.array([value])))] = 1
        relation = np.array([side.id + side.inverse * len(self.model.relation_names)])
        scores = self._exact.scores(person, relation, self._bound.changed(kept))[0].cpu().numpy()
        found: Numbers = scores[self.question.objects]
        return found

    def mean(self, threads: Threads | None = None) -> Changes:
        """The differences over people.

        Args:
            threads: times the work, and chooses how many threads do it.
        """
        moments, size = Moments(len(self.question.objects)), 0.0
        for place in range(len(self.people)):

            def work(place: int = place) -> float:
                self.difference(place)
                return 1.0

            if threads:
                threads.look(work)
            first, second = self._both(place)
            moments.add((first - second)[None])
            size = max(size, *(float(np.abs(each).max(initial=0.0)) for each in (first, second)))
            progress("encoding people", place + 1, len(self.people))
        return Changes(moments, size)

    def around(self, place: int, target: int) -> Iterator[tuple[Where, Integers]]:
        """The triples around a person, the person's values and an object, by where they are and their relation; [n, 3] each.

        The triples of the person are also there one by one, with the neighbour.
        """
        taken = self._taken(place)
        person, values = int(self.people[place]), {self.question.a, int(self.others[place])} - {NO_ID}
        given = self._valued(np.full(len(values), person), np.array(sorted(values)))
        before = np.concatenate([taken, given])
        for at, ends in ((PERSON, {person}), (VALUE, values), (OBJECT, {target})):
            near = np.array(sorted(ends))
            triples = self._touching(near, before)
            before = np.concatenate([before, triples])
            inverse = ~np.isin(triples[:, 0], near)
            for relation, turned in sorted(set(zip(triples[:, 1].tolist(), inverse.tolist(), strict=True))):
                group = triples[(triples[:, 1] == relation) & (inverse == turned)]
                yield Where(at, Side(relation, turned)), group
                for triple in group if at == PERSON else ():
                    yield Where(at, Side(relation, turned), int(triple[0 if turned else 2])), triple[None]

    def carried(self, at: int) -> list[Carried]:
        """How much of the mean difference of an object some edges carry: what it loses if they carry no messages; most first.

        Args:
            at: index of the object.
        """
        count = len(self.people)
        losses: dict[Where, dict[int, float]] = {}
        for place in range(count):
            whole = self.difference(place)[at]
            alike: dict[bytes, float] = {}  # a relation with one edge is asked about once
            for where, triples in self.around(place, int(self.question.objects[at])):
                key = triples.tobytes()
                if key not in alike:
                    alike[key] = float(whole - self.difference(place, triples)[at])
                losses.setdefault(where, {})[place] = alike[key]
            progress("explaining", place + 1, count)
        found = []
        for where, lost in losses.items():
            values = np.zeros(count)
            values[list(lost)] = list(lost.values())
            half = float(student(values.std(ddof=1), count))
            found.append(Carried(where, float(values.mean()), half, len(lost)))
        return sorted(
            found, key=lambda one: (-abs(one.mean), one.where.at, one.where.side.id, one.where.neighbour or 0)
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """How scores change.

    Attributes:
        over_people: of each object. size: the largest score that was compared, whatever its sign.
    """

    over_people: Moments
    size: float

    @property
    def largest(self) -> float:
        """The largest mean change of an object, whatever its sign."""
        return float(np.abs(self.over_people.mean).max(initial=0.0))

    @property
    def rounding(self) -> str | None:
        """A warning if all changes are so small that they may be rounding errors."""
        if self.largest > RESOLVED * self.size:
            return None
        return (
            f"no score changes by more than {RESOLVED:.0e} of the scores' size, {self.size:.3g}, so this may be noise"
        )


@dataclass(frozen=True, slots=True)
class Where:
    """Where edges are.

    Attributes:
        at: ``person``, ``value`` or ``object``.
        side: their relation; inverse if ``at`` is its tail.
        neighbour: the other end, if it is about a single one.
    """

    at: str
    side: Side
    neighbour: int | None = None


@dataclass(frozen=True, slots=True)
class Carried:
    """What a mean difference loses without some edges.

    Attributes:
        mean: over all people; who has no such edge loses nothing. half: half of its 95 % interval.
        people: how many have such edges.
    """

    where: Where
    mean: float
    half: float
    people: int
