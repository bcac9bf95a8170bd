"""The edges of a subgraph in both directions, ready for message passing.

A message depends on the entity that it comes from and on the relation, not on the entity that it goes to. So it is computed once
for a pair of entity and relation, and then sent along all edges of that pair. FB15k-237 has 544,230 edges in both directions and
far fewer pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from harmgraph.models.subgraph.spans import spans
from harmgraph.models.subgraph.split import Integers


@dataclass(frozen=True, eq=False)
class MessageGraph:
    """Edges from pairs of an entity and a relation to entities.

    Attributes:
        entities: how many.
        relations: how many, with the inverses: the inverse of relation r is r + relations / 2.
        pair_entity, pair_relation: ids [pairs], sorted by entity, then relation.
        pair, target: the pair that each edge leaves and the entity that it enters [edges], sorted by target, then pair.
    """

    entities: int
    relations: int
    pair_entity: Integers
    pair_relation: Integers
    pair: Integers
    target: Integers

    def __len__(self) -> int:
        return len(self.pair)

    @cached_property
    def _leaving(self) -> tuple[Integers, Integers]:
        """Where the edges that leave each entity begin [entities + 1], and the edges in this order [edges]."""
        source = self.pair_entity[self.pair]
        order = np.argsort(source, kind="stable")
        return np.searchsorted(source[order], np.arange(self.entities + 1)), order

    def edges_from(self, entities: Integers) -> tuple[Integers, Integers]:
        """The edges that leave some entities [n], and for each of them its place in ``entities``, [edges] both."""
        first, order = self._leaving
        places, found = spans(first[entities], first[entities + 1] - first[entities])
        return order[found], places

    @cached_property
    def by_relation(self) -> tuple[MessageGraph, Integers]:
        """The graph in which relations send the messages, so its pairs are relations, and the edge there of each edge here."""
        every = np.arange(self.relations)
        wanted = self.target * self.relations + self.pair_relation[self.pair]
        edges, place = np.unique(wanted, return_inverse=True)
        target, relation = np.divmod(edges, self.relations)
        return MessageGraph(self.entities, self.relations, every, every, relation, target), place

    def edges_of(self, triples: Integers) -> Integers:
        """The indices of the edges that some triples are, in both directions; a triple that is no edge has none.

        Args:
            triples: [t, 3] ids of head, relation and tail.
        """
        source, relation, target = _both_ways(triples, self.relations // 2)
        pairs = self.pair_entity * self.relations + self.pair_relation
        pair, known = _found(pairs, source * self.relations + relation)
        edges = self.target * len(pairs) + self.pair
        edge, there = _found(edges, target[known] * len(pairs) + pair[known])
        return np.unique(edge[there])


def message_graph(triples: Integers, entities: int, relations: int) -> MessageGraph:
    """The graph of some triples.

    Args:
        triples: [t, 3] ids of head, relation and tail; a triple that is there twice is one.
        entities, relations: how many there are; of the relations without the inverses.
    """
    return edge_graph(*_both_ways(triples, relations), entities, relations)[0]


def edge_graph(
    source: Integers, relation: Integers, target: Integers, entities: int, relations: int
) -> tuple[MessageGraph, Integers]:
    """The graph of some edges in one direction each, and how often each is there.

    Args:
        source, relation, target: ids [n]; a relation may be an inverse.
        entities, relations: how many there are; of the relations without the inverses.
    """
    pairs, pair = np.unique(source * (2 * relations) + relation, return_inverse=True)
    edges, counts = np.unique(target * max(1, len(pairs)) + pair, return_counts=True)
    target, pair = np.divmod(edges, max(1, len(pairs)))
    pair_entity, pair_relation = np.divmod(pairs, 2 * relations)
    return MessageGraph(entities, 2 * relations, pair_entity, pair_relation, pair, target), counts


def _both_ways(triples: Integers, relations: int) -> tuple[Integers, Integers, Integers]:
    head, relation, tail = triples.T
    return np.concatenate([head, tail]), np.concatenate([relation, relation + relations]), np.concatenate([tail, head])


def _found(ordered: Integers, wanted: Integers) -> tuple[Integers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The places of numbers among sorted ones, and which of them are there."""
    place = np.searchsorted(ordered, wanted)
    place[place == len(ordered)] = 0
    there = ordered[place] == wanted if len(ordered) else np.zeros(len(wanted), bool)
    return place, there
