"""What a training needs of a graph that is never read as a whole: triples, entities and neighbourhoods, all of them drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import Busy, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement
from harmgraph.models.config import Origin
from harmgraph.models.subgraph.live_neighbours import LiveNeighbours
from harmgraph.models.subgraph.reader import DEFAULT, changed, origin_of
from harmgraph.models.subgraph.split import Integers, given_split

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import SubgraphEdgeRangeRow

MORE = 1.5
"""So many times as many ids are drawn as are expected to be enough."""
MOST = 50_000
"""Ids drawn at once."""
IN_VAIN = 30
"""Ids are drawn in vain so many times as often as one is expected to be enough, before the graph is said to have changed: where
it has not, this happens once in e^30 times."""
WAY = 3
"""The number of the way in which edges are drawn and epochs are judged: with another one a training does not go on."""
Keyed = tuple[list[str], list[str], list[str]]
"""Heads, relations and tails."""


@dataclass(frozen=True, eq=False)
class LiveGraph:
    """A source of the graph. It must not change while it is in use.

    All that is drawn is drawn with equal chances and with repeats, and is the same for the same seed. A triple that stands twice,
    by two assertions, is drawn twice as often.

    Attributes:
        source: its name; every source if None.
        place: where its edges lie in the store, how many there are in each split, and their relations.
        origin: what a model that is trained on it keeps.
    """

    graph: Graph
    source: str | None
    place: SubgraphEdgeRangeRow
    origin: Origin

    @classmethod
    def of(cls, graph: Graph, source: str | None) -> LiveGraph:
        """A source that is finished loading.

        Raises:
            NotFound: no source of that name.
            InputError: it is not finished loading, has no edge to train on, or has another split than train, valid and test.
        """
        # A random split would have to be looked up for each edge: without a split of its own all edges are of train.
        origin = _origin(graph, source)
        place = graph.rows("subgraph/edge_range", source=source)[0]
        given_split([place["odd"] or ""])  # refuses it, as where a graph is read
        if not place["train"] or not place["entities"]:
            raise InputError("no triple to train on", where=source or "the graph")
        return cls(graph, source, place, origin)

    def check(self) -> None:
        """Checks that no source was imported again since, which the draws alone would not show.

        Raises:
            Busy: one was, is being imported, or is gone.
        """
        try:
            now = _origin(self.graph, self.source).imports
        except (InputError, NotFound) as error:
            raise changed() from error
        if now != self.origin.imports:
            raise changed()

    @property
    def relations(self) -> tuple[str, ...]:
        """Relationship types, sorted; the id of a relation is its place."""
        return self.neighbours.relation_names

    @cached_property
    def _relation_ids(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.relations)}

    def kinds(self, names: Iterable[str]) -> Integers:
        """The ids of relations [n].

        Raises:
            Busy: one is not among those of the source, so the graph changed.
        """
        try:
            return np.array([self._relation_ids[name] for name in names], np.int64)
        except KeyError as error:
            raise changed() from error

    @property
    def digest(self) -> str:
        """Of imports, of where the edges lie, and of how they are drawn. The edges themselves were not read."""
        return facts_digest([self.source, dict(self.origin.imports), dict(self.place), WAY])

    @cached_property
    def neighbours(self) -> LiveNeighbours:
        """Draws neighbourhoods."""
        return LiveNeighbours(self.graph, self.source, place=self.place)

    def triples(self, count: int, seed: Sequence[int], split: str = "train") -> Keyed:
        """Triples of a split, [count] keys of heads, relationship types, and keys of tails.

        Raises:
            InputError: the split has no triple.
            Busy: the graph changed, and none is there any more.
        """
        columns: Keyed = ([], [], [])
        there = {"train": self.place["train"], "valid": self.place["valid"], "test": self.place["test"]}[split]
        if not there:
            raise InputError(f"the split {split} has no triples")
        ends = self.place["first"], self.place["last"]
        asked = {"split": split, "source": self.source}
        for found in self._drawn("subgraph/drawn_triples", asked, "head", count, there, ends, seed):
            for column, name in zip(columns, ("head", "relation", "tail"), strict=True):
                column.extend(found[name])
        return columns[0][:count], columns[1][:count], columns[2][:count]

    def entities(self, count: int, seed: Sequence[int]) -> list[str]:
        """Keys of entities that have an edge, [count].

        Raises:
            Busy: the graph changed, and none is there any more.
        """
        keys: list[str] = []
        ends, there = (self.place["first_node"], self.place["last_node"]), self.place["entities"]
        for found in self._drawn("subgraph/drawn_entities", {"source": self.source}, "key", count, there, ends, seed):
            keys += found["key"]
        return keys[:count]

    def _drawn(
        self,
        query: str,
        asked: dict[str, Any],
        column: str,
        count: int,
        there: int,
        ends: tuple[int | None, int | None],
        seed: Sequence[int],
    ) -> Iterator[dict[str, Any]]:
        """What a statement returns for drawn ids, until it is ``count`` or more.

        Args:
            column: of what is counted.
            there: how many there are between the ends, which are the lowest and the highest id.
        """
        first, last = ends
        assert first is not None and last is not None
        ids_of_one = (last - first + 1) / there
        generator = np.random.default_rng(seed)
        missing, vain = count, 0
        while missing > 0:
            size = int(min(MOST, MORE * missing * ids_of_one + 10))
            ids = generator.integers(first, last + 1, size=size).tolist()
            [found] = self.graph.raw_rows(query, ids=ids, **asked)
            missing -= len(found[column])
            vain = 0 if found[column] else vain + size
            if vain > IN_VAIN * ids_of_one:
                raise Busy(
                    "nothing that was there is found any more: the graph changed while it was in use",
                    remedy="wait until the load is finished, then train again from the start",
                )
            yield found


def _origin(graph: Graph, source: str | None) -> Origin:
    return origin_of(graph, source, statement(DEFAULT), {"source": source}, 0, (0.0, 0.0))
