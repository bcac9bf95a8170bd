"""Neighbourhoods in a subgraph that is in memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harmgraph.common.errors import NotFound
from harmgraph.models.subgraph.neighbourhood import BOTH, EVERY, KHopNeighbourhood, Neighbours
from harmgraph.models.subgraph.spans import spans
from harmgraph.models.subgraph.split import TRAIN, Integers
from harmgraph.models.subgraph.subgraph import Subgraph


class CachedNeighbours(Neighbours):
    """See ``Neighbours``. The training edges of a subgraph, sorted by the entity that they enter.

    Args:
        direction: ``both`` ways along the edges, or ``in`` for heads alone.
    """

    def __init__(self, subgraph: Subgraph, direction: str = BOTH) -> None:
        self.relation_names = subgraph.relations
        self._subgraph = subgraph
        head, relation, tail = subgraph.triples(TRAIN).T
        if direction == BOTH:
            head, tail = np.concatenate([head, tail]), np.concatenate([tail, head])
            relation = np.concatenate([relation, relation + len(subgraph.relations)])
        order = np.lexsort((head, relation, tail))
        self._source, self._relation = head[order], relation[order]
        self._first = np.concatenate([[0], np.cumsum(np.bincount(tail, minlength=len(subgraph.entities)))])
        self._place = np.full(len(subgraph.entities), -1)

    def around(
        self, seeds: Sequence[str], fanouts: Sequence[int], seed: Sequence[int], *, ends: bool = True
    ) -> KHopNeighbourhood:
        """See ``Neighbours.around``."""
        ids = self._subgraph.entity_ids
        lost = next((key for key in seeds if key not in ids), None)
        if lost is not None:
            raise NotFound("entity", lost, ())
        return self._around(np.array([ids[key] for key in seeds], np.int64), fanouts, seed, ends)

    def _around(self, seeds: Integers, fanouts: Sequence[int], seed: Sequence[int], ends: bool) -> KHopNeighbourhood:
        generator = np.random.default_rng(seed)
        known, reached = [seeds], [len(seeds)]
        edges, targets = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        self._place[seeds] = np.arange(len(seeds))
        try:
            for hop, fanout in enumerate(fanouts, 1):
                drawn, rows = self._drawn(known[-1], fanout, generator)
                edges.append(drawn)
                targets.append(rows + reached[-1] - len(known[-1]))
                others = self._source[drawn]
                new = np.unique(others[self._place[others] < 0]) if ends or hop < len(fanouts) else others[:0]
                self._place[new] = np.arange(reached[-1], reached[-1] + len(new))
                known.append(new)
                reached.append(reached[-1] + len(new))
            chosen, target = np.concatenate(edges), np.concatenate(targets)
            source, relation = self._place[self._source[chosen]], self._relation[chosen]
            source = np.where(source < 0, reached[-1], source)
        finally:
            for part in known:
                self._place[part] = -1
        order = np.lexsort((source, relation, target))
        names = self._subgraph.entities
        return KHopNeighbourhood(
            tuple([names[place] for place in np.concatenate(known).tolist()]),
            tuple(reached),
            source[order],
            relation[order],
            target[order],
            len(self.relation_names),
        )

    def _drawn(self, entities: Integers, fanout: int, generator: np.random.Generator) -> tuple[Integers, Integers]:
        """Edges that enter entities, and for each the place of its entity among them."""
        first = self._first[entities]
        degrees = self._first[entities + 1] - first
        whole = np.flatnonzero(degrees <= fanout) if fanout != EVERY else np.arange(len(entities))
        places, edges = spans(first[whole], degrees[whole])
        rows = whole[places]
        if fanout == EVERY:
            return edges, rows
        some = np.flatnonzero(degrees > fanout)
        chosen = sets(degrees[some], fanout, generator)
        return (
            np.concatenate([edges, (first[some][:, None] + chosen).ravel()]),
            np.concatenate([rows, np.repeat(some, fanout)]),
        )


def sets(sizes: Integers, count: int, generator: np.random.Generator) -> Integers:
    """For each size, ``count`` different numbers below it, all sets of them being equally likely, [sizes, count].

    Floyd's algorithm (Bentley and Floyd 1987), for all sizes at once. Each size must be ``count`` or more.
    """
    chosen = np.full((len(sizes), count), -1)
    for place in range(count):
        most = sizes - count + place
        drawn = generator.integers(0, most + 1)
        there = (chosen[:, :place] == drawn[:, None]).any(1)
        chosen[:, place] = np.where(there, most, drawn)
    return chosen
