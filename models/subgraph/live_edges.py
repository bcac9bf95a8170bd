"""The training edges of a source of the live graph, read once and kept in a file without a name, in parts that memory holds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import numpy as np

from harmgraph.common.home import home
from harmgraph.common.no_space import writing
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Row
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.split import Integers

EDGES, ENTITIES = 200_000, 20_000
"""Edges and entities of a part, at the most."""
MOST = 100_000
"""An entity with more edges has so many of them, drawn at random: a mean over these is as good as that over all."""


@dataclass(frozen=True, eq=False)
class EnteringEdges:
    """The edges that enter some entities, all of them but for ``MOST``.

    Attributes:
        first, last: the entities are those from ``first`` to before ``last``.
        source, target: ids of entities [edges]. relation: ids of relations; the inverse of r is r + how many there are.
    """

    first: int
    last: int
    source: Integers
    relation: Integers
    target: Integers


class LiveEdges:
    """All parts, one after another. The graph must not change while they are read; afterwards it may.

    Each edge is read twice, once from either end. An entity draws once: what is drawn of a hub is the same in each round.

    Attributes:
        drawn: how many entities have ``MOST`` edges or more.
    """

    def __init__(self, live: LiveGraph, entities: LiveEntities, file: IO[bytes]) -> None:
        self.drawn = 0
        self._live, self._entities, self._file = live, entities, file
        self._ends: list[tuple[int, int]] = []

    @classmethod
    @contextmanager
    def of(cls, live: LiveGraph, entities: LiveEntities, seed: int) -> Iterator[LiveEdges]:
        """Reads them; at the end of the block the file is gone.

        Args:
            entities: those of the live graph.
            seed: of what is drawn of hubs.

        Raises:
            Busy: the graph changed. NoSpace: the disk is full.
        """
        with writing(home()):
            file: IO[bytes] = tempfile.TemporaryFile(prefix="harmgraph-", dir=home())  # noqa: SIM115 - closed below
        with file:
            edges = cls(live, entities, file)
            edges._write(seed)
            yield edges

    def _write(self, seed: int) -> None:
        count = len(self._entities.entities)
        for first, last in _parts(self._entities.degrees):
            part = self._read(first, last, seed)
            with writing(home()):
                np.save(self._file, np.stack([part.source, part.relation, part.target]).astype(np.int32))
                self._file.flush()
            self._ends.append((first, last))
            progress("reading edges of entities", last, count)

    def __iter__(self) -> Iterator[EnteringEdges]:
        self._file.seek(0)
        for first, last in self._ends:
            source, relation, target = np.load(self._file, allow_pickle=False).astype(np.int64)
            yield EnteringEdges(first, last, source, relation, target)

    def _read(self, first: int, last: int, seed: int) -> EnteringEdges:
        """A part from the graph: an edge that stands several times is one."""
        live, entities = self._live, self._entities
        nodes = entities.nodes[first:last].tolist()
        if last - first == 1 and entities.degrees[first] > MOST:
            rows = live.neighbours.edges_of(nodes, MOST, seed)
            self.drawn += sum(len(row["node"]) for row in rows) == MOST
        else:
            rows = live.graph.raw_rows("subgraph/edges_of", nodes=nodes, source=live.source)
        target, other = (entities.ids(_joined(rows, name)) for name in ("node", "other"))
        kinds = live.kinds(name for row in rows for name in row["relation"])
        relation = kinds + len(live.relations) * np.array(_joined(rows, "inverse"), np.int64)
        order = np.lexsort((other, relation, target))
        columns = np.stack([other, relation, target])[:, order]
        new = np.ones(len(order), bool)
        new[1:] = (columns[:, 1:] != columns[:, :-1]).any(0)
        return EnteringEdges(first, last, *columns[:, new])


def _joined(rows: Sequence[Row], name: str) -> list[int]:
    return [value for row in rows for value in row[name]]


def _parts(degrees: Integers) -> Iterator[tuple[int, int]]:
    """Where parts begin and end: an entity with more than ``MOST`` edges is a part by itself."""
    start, edges = 0, 0
    for place, degree in enumerate(degrees.tolist()):
        alone = degree > MOST
        if place > start and (alone or edges + degree > EDGES or place - start == ENTITIES):
            yield start, place
            start, edges = place, 0
        edges = EDGES if alone else edges + degree
    yield start, len(degrees)
