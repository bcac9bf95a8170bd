"""Rows of the whole graph that are kept: equal to those that are counted anew, whoever changed the graph in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.analytics.statistics.table import records
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.kept_by_state import forget_kept
from harmgraph.graph.contents.kept_rows import KEPT, NOTE, kept_rows
from harmgraph.graph.statements import names, parse, statement
from tests.support.filling import fill, import_triples, triple

CASES: list[tuple[str, dict[str, Any]]] = [
    ("relations", {}),
    ("relations", {"source": "small"}),
    ("degrees", {"source": "small"}),
    ("degrees", {"source": "small", "other": "large"}),
    ("grounding", {"source": "small", "other": "large"}),
    ("grounding", {"source": "large", "other": "large"}),
]
BY_HAND = (
    "MATCH (a:Concept {text: 'a'}), (e:Concept {text: 'e'}) CREATE (a)-[:X_WANT {source: 'small'}]->(e)",
    "MATCH (:Concept {text: 'a'})-[r {source: 'small'}]->(:Concept {text: 'e'}) SET r.source = 'large'",
    "MATCH (:Concept {text: 'a'})-[r {source: 'large'}]->(:Concept {text: 'b'}) SET r.weight = 7.5",
    "MATCH (n:Relation {type: 'RESULT'}) SET n.name = 'results in'",
    "MATCH (:Concept {text: 'a'})-[r {source: 'large'}]->(:Concept {text: 'e'}) DELETE r",
)
"""Edits in Neo4j Browser; the second, third and fourth leave all counts of the store as they were."""


@pytest.fixture
def both(graph: Graph) -> Iterator[Graph]:
    KEPT.forget()
    import_triples(
        graph,
        triple("a", "xWant", "b"),
        triple("a", "xWant", "d"),
        triple("d", "xWant", "a"),
        triple("a", "xReact", "x"),
        triple("x", "xReact", "x"),
        source="small",
    )
    import_triples(
        graph,
        triple("a", "Result", "b", 2.0),
        triple("b", "Result", "c", 0.1),
        triple("c", "Result", "d", 0.2),
        triple("c", "Reason", "e"),
        source="large",
    )
    yield graph
    KEPT.forget()


@pytest.fixture
def counted(both: Graph, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of ``CASES`` that the server was asked, in their order."""
    asked: list[str] = []
    raw_rows = Graph.raw_rows

    def noted(self: Graph, query: Any, **parameters: Any) -> Any:
        asked.append(query.name.removeprefix("statistics/"))
        return raw_rows(self, query, **parameters)

    monkeypatch.setattr(Graph, "raw_rows", noted)
    return asked


def check(graph: Graph, counted: list[str]) -> None:
    """The rows are those that the server gives now, from memory, from the file and as a frame; each is counted once."""
    counted.clear()
    for again in range(3):
        for name, given in CASES:
            anew = graph.frame(f"statistics/{name}", **given)
            assert repr(statistic(name).rows(graph, **given)) == repr(records(anew)), (name, given)
            frame = statistic(name)(graph, **given)
            assert (frame.to_csv(), list(frame.dtypes)) == (anew.to_csv(), list(anew.dtypes)), (name, given)
        assert counted == [name for name, _ in CASES], f"counted again in round {again}"
        KEPT.leave()  # as if another process went on


def test_the_rows_are_those_without(both: Graph, counted: list[str]) -> None:
    noted = {name for name in names("statistics") if NOTE in statement(name).notes}
    assert noted == {f"statistics/{name}" for name, _ in CASES}
    check(both, counted)


def test_no_change_is_overlooked(both: Graph, counted: list[str]) -> None:
    """Edits by hand, a label, another source, the same one loaded again with other triples, and one that is dropped."""
    check(both, counted)
    before = {json.dumps(statistic(name).rows(both, **given)) for name, given in CASES}
    for edit in BY_HAND:
        with Graph.open(both.address) as browser:
            assert any(browser.write(parse("by hand", edit)).counters.values()), edit
        check(both, counted)
        now = {json.dumps(statistic(name).rows(both, **given)) for name, given in CASES}
        assert now != before, f"this edit changes no number: {edit}"
        before = now
    fill(both, triple("b", "xWant", "x"), source="third")
    check(both, counted)
    import_triples(both, triple("a", "xWant", "b"), triple("q", "xNeed", "b"), source="small", import_id="2")
    check(both, counted)
    sources.drop(both, "third")
    check(both, counted)


def test_nothing_is_kept_that_was_counted_while_somebody_wrote(
    both: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor of a server that names no states."""
    query = statement("statistics/relations")
    assert kept_rows(both, statement("statistics/hops"), source="small", other="large") is None
    anew = [list(row.values()) for row in both.rows(query)]
    for states, expected in ((["a", "b"], anew), ([""], None)):
        counted.clear()
        following = iter(states)
        monkeypatch.setattr(Graph, "state", lambda _, states=following: next(states))
        assert kept_rows(both, query) == expected
        assert not KEPT.place.exists()
        assert len(counted) == len(states) - 1, "not counted twice"
    monkeypatch.setattr(Graph, "state", lambda _: "")
    assert repr(statistic("relations").rows(both)) == repr(records(both.frame(query)))


def test_a_damaged_file_or_a_home_that_cannot_be_made_keeps_no_rows_from_the_user(
    both: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = statistic("relations").rows(both)
    content = json.loads(KEPT.place.read_text(encoding="utf-8"))
    for damaged in (7, [["a", "b"]], dict.fromkeys(content["rows"], 7), dict.fromkeys(content["rows"], "ab")):
        KEPT.place.write_text(json.dumps({**content, "rows": damaged}), encoding="utf-8")
        KEPT.leave()
        assert statistic("relations").rows(both) == rows
    KEPT.forget()
    KEPT.place.mkdir(parents=True)
    assert statistic("relations").rows(both) == rows
    KEPT.place.rmdir()
    KEPT.leave()
    (tmp_path / "file").touch()
    with monkeypatch.context() as other_home:
        other_home.setenv("HARMGRAPH_HOME", str(tmp_path / "file" / "home"))
        counted.clear()
        for _ in range(2):
            assert statistic("relations").rows(both) == rows
            statistic("degrees").rows(both, source="small")
        assert counted == ["relations", "degrees"], "this process knows them"
        KEPT.leave()


def test_what_another_process_dropped_is_not_known_here_any_longer(both: Graph, counted: list[str]) -> None:
    """As when it restores a backup, whose graph may come to a state of the same name."""
    statistic("relations").rows(both)
    known = KEPT.known
    forget_kept()
    KEPT.known = known
    counted.clear()
    statistic("relations").rows(both)
    assert counted == ["relations"]


def test_another_user_s_rows_are_not_given(both: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A server can show its users different parts of the graph."""
    statistic("relations").rows(both)
    counted.clear()
    monkeypatch.setattr(both, "address", replace(both.address, username="guest"))
    statistic("relations").rows(both)
    assert counted == ["relations"]
