"""What a training needs of a graph that is never read as a whole: triples, entities and neighbourhoods, all of them drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement
from harmgraph.models.config import Origin
from harmgraph.models.subgraph.live_neighbours import LiveNeighbours
from harmgraph.models.subgraph.reader import DEFAULT, origin_of

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import SubgraphEdgeRangeRow

MORE = 1.5
"""So many times as many ids are drawn as are expected to be enough."""
MOST = 50_000
"""Ids drawn at once."""
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
            InputError: it is not finished loading, or has no edge to train on.
        """
        # A random split would have to be looked up for each edge: without a split of its own all edges are of train.
        origin = origin_of(graph, source, statement(DEFAULT), {"source": source}, 0, (0.0, 0.0))
        place = graph.rows("subgraph/edge_range", source=source)[0]
        if not place["train"]:
            raise InputError("no triple to train on", where=source or "the graph")
        return cls(graph, source, place, origin)

    @property
    def relations(self) -> tuple[str, ...]:
        """Relationship types, sorted; the id of a relation is its place."""
        return self.neighbours.relation_names

    @property
    def digest(self) -> str:
        """Of imports, and of where the edges lie. The edges themselves were not read."""
        return facts_digest([self.source, dict(self.origin.imports), dict(self.place)])

    @cached_property
    def neighbours(self) -> LiveNeighbours:
        """Draws neighbourhoods."""
        return LiveNeighbours(self.graph, self.source, place=self.place)

    def triples(self, count: int, seed: Sequence[int], split: str = "train") -> Keyed:
        """Triples of a split, [count] keys of heads, relationship types, and keys of tails.

        Raises:
            InputError: the split has no triple.
        """
        columns: Keyed = ([], [], [])
        there = {"train": self.place["train"], "valid": self.place["valid"], "test": self.place["test"]}[split]
        if not there:
            raise InputError(f"the split {split} has no triples")
        first, last = self.place["first"], self.place["last"]
        assert first is not None and last is not None
        generator = np.random.default_rng(seed)
        while (missing := count - len(columns[0])) > 0:
            asked = int(min(MOST, MORE * missing * (last - first + 1) / there + 10))
            ids = generator.integers(first, last + 1, size=asked).tolist()
            [found] = self.graph.raw_rows("subgraph/drawn_triples", ids=ids, split=split, source=self.source)
            for column, name in zip(columns, ("head", "relation", "tail"), strict=True):
                column.extend(found[name][:missing])
        return columns

    def entities(self, count: int, seed: Sequence[int]) -> list[str]:
        """Keys of entities that have an edge, [count]."""
        keys: list[str] = []
        first, last = self.place["first_node"], self.place["last_node"]
        assert first is not None and last is not None
        generator = np.random.default_rng(seed)
        while (missing := count - len(keys)) > 0:
            ids = generator.integers(first, last + 1, size=min(MOST, int(MORE * missing) + 10)).tolist()
            [found] = self.graph.raw_rows("subgraph/drawn_entities", ids=ids, source=self.source)
            keys += found["key"][:missing]
        return keys
