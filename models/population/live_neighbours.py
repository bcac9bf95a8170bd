"""Neighbours of texts, drawn in Neo4j: of the graph only what was drawn is in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress, say
from harmgraph.graph.connection import Graph
from harmgraph.models.population.neighbours import Ends, Near, Neighbour, TextGraph, key_of, text_of
from harmgraph.models.population.relations import read_relation
from harmgraph.models.subgraph.live_graph import LiveGraph

AT_ONCE = 2_000
"""Texts whose neighbours one statement draws."""


class LiveTextGraph(TextGraph):
    """See ``TextGraph``. The source must not change while it is in use.

    Other sources may change. But then a seed draws others of the nodes that got or lost a relationship. Edges of the splits
    ``valid`` and ``test`` are left out, where the source has such. An edge from a node to itself is drawn as if it were two, and
    is one.

    Args:
        sources: the source, in a list as the data names it.
        of_data: see ``TextGraph``.

    Raises:
        NotFound: no source of that name.
        InputError: there are several sources or none, the triples are from it, it is not finished loading, it has no edge of
            its split ``train``, or another split than ``train``, ``valid`` and ``test``.
    """

    def __init__(self, graph: Graph, sources: Sequence[str], *, of_data: bool) -> None:
        remedy = "make the data with --graph and one other source, or leave out --subgraphs live"
        if len(sources) != 1:
            raise InputError(
                f"live subgraphs are of one source, and data.json names {len(sources)}: {', '.join(sources) or 'none'}",
                remedy=remedy,
            )
        if of_data:
            raise InputError(
                f"the triples are from {sources[0]} itself, and live subgraphs do not know which of its edges they are",
                remedy=remedy,
            )
        self._graph = LiveGraph.of(graph, sources[0])
        place = self._graph.place
        if left := place["valid"] + place["test"]:
            say(f"edges of {sources[0]} in its splits valid and test, which are left out: {left:,}")
        self._named = {name: read_relation(name) for name in self._graph.relations}
        self.relations = tuple(sorted(set(self._named.values())))
        self.direction, self.of_data = "both", False

    @property
    def digest(self) -> str:
        """See ``TextGraph.digest``; of imports and of where the edges lie."""
        return self._graph.digest

    @property
    def texts(self) -> None:
        """See ``TextGraph.texts``."""
        return

    def check(self) -> None:
        """See ``TextGraph.check``."""
        self._graph.check()

    def draw(
        self, texts: Collection[str], most: int, seed: Sequence[int], *, again: bool = False
    ) -> Mapping[str, Near]:
        """See ``TextGraph.draw``.

        Raises:
            Busy: the graph changed.
        """
        assert not again, "the recipe refuses it"
        keys = [key_of(text) for text in sorted(set(texts))]
        drawn = int(np.random.default_rng(seed).integers(2**31 - 1))
        near: dict[str, Near] = {}
        shared: dict[str, str] = {}
        for start in range(0, len(keys), AT_ONCE):
            if len(keys) > AT_ONCE:
                progress("drawing neighbours of texts", start, len(keys))
            for key, edges in self._graph.neighbours.of_keys(keys[start : start + AT_ONCE], most, drawn).items():
                # Two types may have one name, and an edge to the node itself both enters and leaves it.
                found = dict.fromkeys(
                    (self._named[relation], shared.setdefault(other, text_of(other)), not leaves and other != key)
                    for relation, leaves, other in edges
                )
                near[text_of(key)] = Near(tuple(Neighbour(*each) for each in found))
        return near

    def standing(self, triples: Collection[Ends]) -> frozenset[Ends]:
        """See ``TextGraph.standing``; the triples are from other sources."""
        return frozenset()
