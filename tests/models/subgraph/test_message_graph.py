"""Edges in both directions, and the messages that are sent along them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.models.subgraph.message_graph import MessageGraph, message_graph

TRIPLES = np.array([[0, 0, 1], [0, 0, 2], [1, 1, 2], [2, 1, 1], [2, 0, 2]])


def edges(graph: MessageGraph) -> list[tuple[int, int, int]]:
    """Source, relation and target of each edge."""
    columns = graph.pair_entity[graph.pair], graph.pair_relation[graph.pair], graph.target
    return list(zip(*(column.tolist() for column in columns), strict=True))


def both_ways(triples: np.ndarray, relations: int) -> set[tuple[int, int, int]]:
    there = {(head, relation, tail) for head, relation, tail in triples.tolist()}
    return there | {(tail, relation + relations, head) for head, relation, tail in there}


def test_every_edge_is_there_in_both_directions() -> None:
    graph = message_graph(TRIPLES, 4, 2)
    assert sorted(edges(graph)) == sorted(both_ways(TRIPLES, 2))
    assert (len(graph), graph.entities, graph.relations) == (10, 4, 4)


def test_a_message_is_made_once_for_all_edges_of_a_pair() -> None:
    graph = message_graph(TRIPLES, 4, 2)
    pairs = list(zip(graph.pair_entity.tolist(), graph.pair_relation.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert len(pairs) < len(graph)
    assert [target for source, relation, target in edges(graph) if (source, relation) == (0, 0)] == [1, 2]


def test_the_edges_of_triples_are_found_in_both_directions() -> None:
    graph = message_graph(TRIPLES, 4, 2)
    for triple in TRIPLES:
        found = [edges(graph)[place] for place in graph.edges_of(triple[None])]
        assert set(found) == both_ways(triple[None], 2)
    assert len(graph.edges_of(TRIPLES)) == len(graph)
    assert graph.edges_of(np.array([[3, 0, 1], [1, 0, 0], [0, 1, 1]])).tolist() == []
    assert graph.edges_of(np.array([[3, 1, 3], [2, 1, 1]])).tolist() == graph.edges_of(TRIPLES[3:4]).tolist()


def test_a_graph_without_edges() -> None:
    graph = message_graph(np.empty((0, 3), np.int64), 3, 1)
    assert len(graph) == 0
    assert graph.edges_of(TRIPLES[:1]).tolist() == []


@pytest.mark.parametrize("relations", [1, 3])
@given(
    triples=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)), max_size=20),
    asked=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)), max_size=5),
)
def test_any_graph(relations: int, triples: list[tuple[int, int, int]], asked: list[tuple[int, int, int]]) -> None:
    def array(rows: list[tuple[int, int, int]]) -> np.ndarray:
        return np.array([(h, r % relations, t) for h, r, t in rows], np.int64).reshape(-1, 3)

    graph = message_graph(array(triples), 6, relations)
    every = both_ways(array(triples), relations)
    assert sorted(edges(graph)) == sorted(every)
    found = {edges(graph)[place] for place in graph.edges_of(array(asked)).tolist()}
    assert found == both_ways(array(asked), relations) & every
