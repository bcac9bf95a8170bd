"""Neighbourhoods read from Neo4j, a hop by a statement: nothing of the graph is in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph, Row
from harmgraph.models.subgraph.neighbourhood import BOTH, EVERY, KHopNeighbourhood, Neighbours
from harmgraph.models.subgraph.reader import changed

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import SubgraphEdgeRangeRow

HUB = 10_000
"""A node with fewer edges is no hub."""
PART = 20_000
"""Nodes in a statement."""


class LiveNeighbours(Neighbours):
    """See ``Neighbours``. Edges without a split are training edges, as in ``subgraph/balanced``.

    The graph must not change. Which edges a seed draws depends on the ids that the store gave them, so another store draws
    others. It also depends on all relationships of a node: where one is added, also of another source, others are drawn there.

    Args:
        source: name of a source; every source if None.
        direction: ``both`` ways along the edges, or ``in`` for heads alone.
        hub: a node with more edges is a hub, whose edges are not read, see ``subgraph/neighbours``; 0 for what costs least.
        place: where the edges lie in the store, if that is known.

    Raises:
        InputError: there is no edge.
    """

    def __init__(
        self,
        graph: Graph,
        source: str | None,
        direction: str = BOTH,
        *,
        hub: int = 0,
        place: SubgraphEdgeRangeRow | None = None,
    ) -> None:
        self._graph, self._hub = graph, hub
        place = place or graph.rows("subgraph/edge_range", source=source)[0]
        if not place["relations"]:
            raise InputError(f"the source {source!r} has no triples" if source else "the graph has no triples")
        self.relation_names = tuple(sorted(place["relations"]))
        self._ids = {name: number for number, name in enumerate(self.relation_names)}
        self._arguments: dict[str, Any] = {
            "source": source,
            "both": direction == BOTH,
            "first_edge": place["first"],
            "last_edge": place["last"],
        }

    def _least(self, fanout: int) -> int:
        """As many edges as take as long to read as drawing ids takes until enough of them are edges of such a node."""
        ids = self._arguments["last_edge"] - self._arguments["first_edge"] + 1
        return max(HUB, 2 * math.isqrt((3 * fanout + 10) * 2 * ids))

    @cached_property
    def _repeated(self) -> bool:
        """Whether an edge may stand several times. Each edge is read once to know it."""
        return self._graph.rows("subgraph/repeated", source=self._arguments["source"])[0]["repeated"]

    def edges_of(self, nodes: Sequence[int], fanout: int, seed: int) -> list[Row]:
        """The edges of nodes by id, so many of each at the most: ``node``, ``relation``, ``inverse`` and ``other`` as lists."""
        return self._hop(nodes, fanout, seed, ends=False, repeated=True)

    def of_keys(self, keys: Sequence[str], fanout: int, seed: int) -> dict[str, list[tuple[str, bool, str]]]:
        """The edges of nodes by key, so many of each at the most, or ``EVERY``.

        Returns:
            Relation, whether the edge leaves the node, and the key of the other end, sorted. A key without a node is absent.

        Raises:
            Busy: an edge has another relation than there were: the graph changed.
        """
        edges: dict[str, list[tuple[str, bool, str]]] = {}
        asked = set(keys)
        for part in self._hop(keys, fanout, seed, ends=True, repeated=fanout == EVERY or self._repeated):
            names = dict(zip(part["ids"], part["names"], strict=True))
            edges |= {name: [] for name in names.values() if name in asked and name not in edges}
            for node, relation, leaves, other in self._edges(part):
                edges[names[node]].append((relation, leaves, names[other]))
        return {key: sorted(of) for key, of in edges.items()}

    def _hop(
        self, asked: Sequence[str] | Sequence[int], fanout: int, seed: int, *, ends: bool, repeated: bool
    ) -> list[Row]:
        """The edges of nodes, by key or id. Several statements, where there are many nodes, keep the server's memory small."""
        found = []
        for start in range(0, len(asked), PART):
            part = list(asked[start : start + PART])
            named = isinstance(part[0], str)
            [row] = self._graph.raw_rows(
                "subgraph/neighbours",
                keys=part if named else [],
                nodes=[] if named else part,
                fanout=None if fanout == EVERY else fanout,
                seed=seed,
                hub=self._hub or self._least(fanout),
                ends=ends,
                repeated=repeated,
                **self._arguments,
            )
            nodes = [[node] * len(others) for node, others in zip(row["node"], row["other"], strict=True)]
            lists = {"node": nodes, **{name: row[name] for name in ("relation", "inverse", "other")}}
            found.append(row | {name: list(chain.from_iterable(of)) for name, of in lists.items()})
        return found

    def _edges(self, part: Row) -> Iterator[tuple[int, str, bool, int]]:
        """Node, relation, whether it leaves the node, and the node at the other end, of each edge of a part of ``_hop``.

        Raises:
            Busy: an edge has another relation than there were: the graph changed.
        """
        if not self._ids.keys() >= set(part["relation"]):
            raise changed()
        return zip(part["node"], part["relation"], part["inverse"], part["other"], strict=True)

    def around(
        self, seeds: Sequence[str], fanouts: Sequence[int], seed: Sequence[int], *, ends: bool = True
    ) -> KHopNeighbourhood:
        """See ``Neighbours.around``.

        Raises:
            NotFound: a seed is not there. Busy: an edge has another relation than there were: the graph changed.
        """
        keys: list[str] = list(seeds)
        places: dict[int, int] = {}
        reached = [len(keys)]
        rows: list[tuple[int, int, int]] = []
        draws = np.random.default_rng(seed).integers(2**31 - 1, size=len(fanouts)).tolist()
        asked: list[int] = []
        more = len(self.relation_names)
        for hop, (fanout, drawn) in enumerate(zip(fanouts, draws, strict=True), 1):
            found = self._hop(
                keys if hop == 1 else asked,
                fanout,
                drawn,
                ends=ends or hop < len(fanouts),
                repeated=fanout == EVERY or self._repeated,
            )
            names = {node: name for part in found for node, name in zip(part["ids"], part["names"], strict=True)}
            if hop == 1:
                ids = {name: node for node, name in names.items()}
                lost = next((key for key in keys if key not in ids), None)
                if lost is not None:
                    raise NotFound("entity", lost, ())
                places = {ids[key]: place for place, key in enumerate(keys)}
            new = sorted((name, node) for node, name in names.items() if node not in places)
            places |= {node: place for place, (_, node) in enumerate(new, len(keys))}
            keys += [name for name, _ in new]
            asked = [node for _, node in new]
            reached.append(len(keys))
            for part in found:
                rows += [
                    (places.get(other, len(keys)), self._ids[relation] + more * inverse, places[node])
                    for node, relation, inverse, other in self._edges(part)
                ]
        source, relation, target = np.array(rows, np.int64).reshape(-1, 3).T
        order = np.lexsort((source, relation, target))
        return KHopNeighbourhood(
            tuple(keys), tuple(reached), source[order], relation[order], target[order], len(self.relation_names)
        )
