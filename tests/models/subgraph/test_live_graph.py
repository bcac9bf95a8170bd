"""Triples and entities drawn in the live graph."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import chisquare

from harmgraph.common.errors import Busy, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.models.subgraph import live_graph
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


def test_an_empty_split_is_of_train_and_others_are_refused(live: LiveGraph) -> None:
    graph = live.graph
    import_triples(graph, Triple(entity("a00"), "KNOWS", entity("a01"), properties={"split": ""}), source="empty")
    assert LiveGraph.of(graph, "empty").triples(3, [0])[1] == ["KNOWS"] * 3
    odd = [Triple(entity("a00"), "KNOWS", entity(f"a0{number}"), properties={"split": "dev"}) for number in (1, 2)]
    import_triples(graph, *odd, source="odd")
    for read in (LiveGraph.of, read_subgraph):
        with pytest.raises(InputError, match="an edge has the split 'dev'; splits are train, valid and test"):
            read(graph, "odd")


def test_a_graph_that_changed_ends_the_drawing(live: LiveGraph) -> None:
    live.graph.driver.execute_query("MATCH (n) DETACH DELETE n", database_=live.graph.address.database)
    with pytest.raises(Busy, match="nothing that was there is found any more: the graph changed while it was in use"):
        live.triples(3, [0])
    with pytest.raises(Busy, match="nothing that was there is found any more"):
        live.entities(3, [0])


def test_few_entities_among_many_ids_take_few_statements(live: LiveGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = Graph.raw_rows

    def noted(self: Graph, query: Any, **parameters: Any) -> list[dict[str, Any]]:
        asked.append(len(parameters["ids"]))
        return real(self, query, **parameters)

    last = live.place["last_node"]
    assert last is not None
    scattered = replace(live, place={**live.place, "last_node": last + 400 * live.place["entities"]})
    monkeypatch.setattr(Graph, "raw_rows", noted)
    assert len(scattered.entities(40, [1])) == 40
    assert len(asked) <= 4
    assert set(scattered.entities(40, [1])) <= set(live.entities(4_000, [2]))
    monkeypatch.setattr(live_graph, "MOST", 5_000)
    asked.clear()
    assert scattered.entities(40, [1])
    assert 1 < len(asked) < 30
    assert max(asked) == 5_000


def test_statements_and_their_targets_are_no_triples(live: LiveGraph) -> None:
    live.graph.driver.execute_query(
        "UNWIND range(1, 40) AS number "
        "CREATE (:Statement {key: 'kb/' + number, source: 'kb'})"
        "-[:IMPLIES {source: 'kb', split: 'dev'}]->(:Target {name: 'n' + number})",
        database_=live.graph.address.database,
    )
    found = LiveGraph.of(live.graph, "kb")
    assert found.place == live.place
    assert found.relations == read_subgraph(live.graph, "kb", cache=False).relations
    last = live.place["last"]
    assert last is not None
    wide = {**live.place, "last": last + 60, "last_node": (live.place["last_node"] or 0) + 120}
    everywhere = replace(live, place=wide)
    assert "IMPLIES" not in everywhere.triples(400, [1])[1]
    assert not any(key.startswith("kb/") for key in everywhere.entities(400, [1]))


def test_another_import_is_noticed(live: LiveGraph) -> None:
    live.check()
    import_triples(live.graph, Triple(entity("a00"), "KNOWS", entity("a01")), source="another")
    live.check()
    import_triples(live.graph, *records("a"))
    for change in ("SET s.name = s.name", "SET s.state = 'loading'", "DETACH DELETE s"):
        live.graph.driver.execute_query(
            f"MATCH (s:Source {{name: 'kb'}}) {change}", database_=live.graph.address.database
        )
        with pytest.raises(Busy, match="the graph changed while it was read"):
            live.check()
