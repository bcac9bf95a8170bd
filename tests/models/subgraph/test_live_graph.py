"""Triples and entities drawn in the live graph."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.split import TRAIN, VALID
from tests.support.family import family, records
from tests.support.filling import import_triples
from tests.support.toy import entity


@pytest.fixture
def live(graph: Graph) -> LiveGraph:
    """A family, beside and between others of whom some were removed."""
    gone = [Triple(entity(f"gone{number}"), "GONE", entity(f"gone{number + 1}")) for number in range(60)]
    own = records("a")
    import_triples(graph, *(each for pair in zip(gone, own, strict=False) for each in pair), *own[len(gone) :])
    import_triples(graph, Triple(entity("a00"), "KNOWS", entity("stranger")), source="beside")
    graph.driver.execute_query(
        "MATCH (n) WHERE n.key CONTAINS 'gone' DETACH DELETE n", database_=graph.address.database
    )
    return LiveGraph.of(graph, "kb")


def test_it_counts_what_is_there(live: LiveGraph) -> None:
    known = family("a")
    assert live.relations == known.relations
    assert live.place["entities"] == len(known.entities)
    assert live.place["train"] == len(known.triples(TRAIN))
    assert live.place["valid"] == len(known.triples(VALID))


def test_every_triple_of_a_split_is_as_likely(live: LiveGraph) -> None:
    known = read_subgraph(live.graph, "kb", cache=False)
    for split, code in (("train", TRAIN), ("valid", VALID)):
        there = {
            (known.entities[head], known.relations[kind], known.entities[tail])
            for head, kind, tail in known.triples(code).tolist()
        }
        drawn = Counter(zip(*live.triples(40 * len(there), [1], split), strict=True))
        assert set(drawn) == there
        assert chisquare(list(drawn.values())).pvalue > 1e-4
    assert live.triples(5, [3]) == live.triples(5, [3]) != live.triples(5, [4])


def test_every_entity_is_as_likely(live: LiveGraph) -> None:
    drawn = Counter(live.entities(40 * 31, [1]))
    assert set(drawn) == set(read_subgraph(live.graph, "kb", cache=False).entities)
    assert chisquare(list(drawn.values())).pvalue > 1e-4


def test_what_is_not_there(live: LiveGraph) -> None:
    with pytest.raises(NotFound, match="nobody"):
        LiveGraph.of(live.graph, "nobody")
    import_triples(
        live.graph, Triple(entity("a00"), "KNOWS", entity("a01"), properties={"split": "test"}), source="tests"
    )
    with pytest.raises(InputError, match="no triple to train on"):
        LiveGraph.of(live.graph, "tests")
    with pytest.raises(InputError, match="the split valid has no triples"):
        LiveGraph.of(live.graph, "beside").triples(1, [0], "valid")
