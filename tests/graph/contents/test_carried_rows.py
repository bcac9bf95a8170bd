"""Rows that are kept stay through what harmgraph itself writes beside them, and never through anything else."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.analytics.statistics.table import records
from harmgraph.common.scorer import scorers
from harmgraph.graph import connection, schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import kept_rows, linker, sources, target_counts
from harmgraph.graph.contents.kept_by_state import forget_kept
from harmgraph.graph.driver import own_writes
from harmgraph.graph.records import Import, Target
from harmgraph.graph.statements import parse, statement
from harmgraph.graph.writing.import_run import ImportRun
from tests.support.filling import fill, import_triples, triple
from tests.support.killed import killed

CASES: list[tuple[str, dict[str, Any]]] = [
    ("relations", {}),
    ("relations", {"source": "kb"}),
    ("degrees", {"source": "kb"}),
    ("degrees", {"source": "kb", "other": "beside"}),
    ("grounding", {"source": "kb", "other": "beside"}),
]
BY_HAND = (
    "MATCH (a:Concept {text: 'lawyer'}), (b:Concept {text: 'court'}) CREATE (a)-[:HAND {source: 'kb'}]->(b)",
    "MATCH (:Concept {text: 'lawyer'})-[r {source: 'kb'}]->(:Concept {text: 'court'}) WITH r LIMIT 1 SET r.source = 'beside'",
    "MATCH ()-[r {source: 'beside'}]->() WITH r LIMIT 1 SET r.weight = coalesce(r.weight, 0.0) + 1.5",
    "MATCH (n:Relation) WITH n LIMIT 1 SET n.name = n.name + '2'",
)
"""Edits in Neo4j Browser that change a number of ``CASES``; all but the first leave the sizes of the store."""
MEASURES = ("sentiment", "first_try", "second_try")


@pytest.fixture
def kb(graph: Graph) -> Iterator[Graph]:
    forget_kept()
    schema_setup.apply(graph)
    targets = (Target("lawyer", "profession"), Target("nurse", "profession"))
    fill(graph, *targets, source="groups")
    import_triples(
        graph,
        triple("lawyer", "IsA", "horrible liar"),
        triple("lawyer", "IsA", "person"),
        triple("lawyer", "RelatedTo", "court", 2.0),
        triple("nurse", "IsA", "kind person"),
        triple("nurse", "RelatedTo", "nurse"),
    )
    import_triples(
        graph, triple("lawyer", "IsA", "person", 1.0), triple("court", "AtLocation", "town"), source="beside"
    )
    linker.link(graph)
    sources_of(graph)
    with graph.holding("tests"):
        pass  # the lock's node is made once
    yield graph
    forget_kept()


def sources_of(graph: Graph) -> None:
    graph.write("source/finish", name="groups", import_id="i", counts="{}", summary="{}")


@pytest.fixture
def counted(kb: Graph, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that were counted, in their order."""
    asked: list[str] = []
    raw_rows, rows = Graph.raw_rows, Graph.rows

    def noted_raw(self: Graph, query: Any, **parameters: Any) -> Any:
        asked.append(query.name.removeprefix("statistics/"))
        return raw_rows(self, query, **parameters)

    def noted(self: Graph, query: Any, **parameters: Any) -> Any:
        if query == "measure/target_counts":
            asked.append("targets")
        return rows(self, query, **parameters)

    monkeypatch.setattr(Graph, "raw_rows", noted_raw)
    monkeypatch.setattr(Graph, "rows", noted)
    return asked


def ask(graph: Graph, counted: list[str]) -> list[str]:
    """What had to be counted; all rows are those that the server gives now."""
    counted.clear()
    lists = [one.name for one in graph.target_lists()]
    target_counts.kept(graph, "sentiment", lists)
    for name, given_ in CASES:
        statistic(name).rows(graph, **given_)
    asked = list(counted)
    for name, given_ in CASES:
        anew = graph.frame(statement(f"statistics/{name}"), **given_)
        assert repr(statistic(name).rows(graph, **given_)) == repr(records(anew)), (name, given_)
    anew_counts = [list(row.values()) for row in graph.rows("measure/target_counts", measure="sentiment", lists=lists)]
    assert target_counts.kept(graph, "sentiment", lists) == anew_counts
    return asked


WHOLE = [name for name, _ in CASES]


def relabel(graph: Graph, measure: str = "sentiment", version: str = "") -> None:
    scorer = scorers.get("vader")
    report = label(graph, scorer, measure=measure, masking="none" if version else "own", all_statements=True)
    assert report.statements


def load_targets(graph: Graph, *added: str, import_id: str = "more") -> None:
    """As ``target load`` does: a list of its own."""
    with (
        graph.holding("target load"),
        ImportRun(graph, Import("more", import_id, sources.generation(graph, "more", import_id)), {}) as run,
    ):
        for name in added:
            run.add(Target(name, "profession"))
        run.complete({}, {}, triples=False)


def probe(graph: Graph) -> None:
    graph.write("model/register", name="m", facts={"family": "transe", "sha256": "1"}, sources=["kb"])
    facts = {"probe": "edge", "attribute": "P", "a": "x", "b": "*", "object_relation": "Q", "people_of": "*"}
    graph.write_together(
        [
            (statement("probe/forget"), {"model": "m", **facts}),
            (statement("probe/write"), {"model": "m", "facts": facts, "rows": []}),
        ]
    )


def save_numbers(graph: Graph) -> None:
    run = {"id": "r", "command": "stats", "parameters": "{}", "versions": "{}"}
    row = dict.fromkeys(("number_id", "metric", "category", "measure", "source", "low", "high", "n", "unlabelled"))
    rows = [{**row, "id": "1", "value": 1.0, "of": "target", "name": "lawyer"}]
    graph.write("measure/save", run=run, rows=rows, job=None)


def note_job(graph: Graph) -> None:
    graph.write("job/begin", run={"id": "j", "job": "nightly", "command": "x"})
    graph.write("job/finish", run={"id": "j", "job": "nightly", "command": "x"}, end={"state": "done"})


def reject(graph: Graph) -> None:
    with graph.holding("reject"):
        found = graph.rows(parse("p", "MATCH ()-[r:PROPOSED]->() RETURN elementId(r) AS id"))
        graph.write("population/reject", ids=[row["id"] for row in found], rejected=True)


def propose(graph: Graph) -> None:
    """A proposal is a statement of a source of its own, so it is in the rows of all sources."""
    text = """MATCH (a:Concept {text: 'lawyer'}), (b:Concept {text: 'town'})
    CREATE (a)-[:PROPOSED {source: 'proposed:m', assertion: 'IS_A', relation: 'IsA', score: 0.5, rejected: null}]->(b)"""
    with graph.holding("propose"):
        graph.write(parse("propose", text))


OURS: dict[str, tuple[Callable[[Graph], object], set[str]]] = {
    "label": (relabel, {"targets"}),
    "label as another measure": (lambda graph: relabel(graph, "first_try"), {"targets"}),
    "label again": (lambda graph: relabel(graph, "sentiment", "2"), {"targets"}),
    "target load": (lambda graph: load_targets(graph, "town", "court"), {"targets"}),
    "probe": (probe, set()),
    "stats --save": (save_numbers, set()),
    "job": (note_job, set()),
}
"""What harmgraph writes, and what must be counted again after it, of what was kept before."""


@pytest.mark.parametrize("name", OURS)
def test_rows_stay_through_what_harmgraph_writes_beside_them(kb: Graph, counted: list[str], name: str) -> None:
    write, again = OURS[name]
    write(kb)  # names of properties that are new to a server may take numbers that are not counted
    kb.autocommit(
        parse(
            "undo", "MATCH ()-[r]->() WHERE r.source = 'kb' SET r.sentiment_by = 'earlier', r.first_try_by = 'earlier'"
        )
    )
    kb.autocommit(parse("undo", "MATCH (n) WHERE n:Run OR n:Model OR n:Measurement DETACH DELETE n"))
    sources_dropped(kb)
    assert ask(kb, counted) == ["targets", *WHOLE]
    assert ask(kb, counted) == []
    before = kb.state()
    write(kb)
    assert kb.state() != before, "it wrote nothing"
    assert set(ask(kb, counted)) == again


def sources_dropped(graph: Graph) -> None:
    if sources.find(graph, "more"):
        with graph.holding("drop"):
            sources.drop(graph, "more")


def test_the_first_labels_of_a_measure_are_counted_too(kb: Graph, counted: list[str]) -> None:
    """Four names of properties that the server has never seen."""
    measure = "m" + kb.state()[-9:-4].lower().translate(str.maketrans("+/=", "xyz"))
    assert measure not in kb.rows("schema/properties")[0]["names"]
    ask(kb, counted)
    relabel(kb, measure)
    assert {measure, f"{measure}_by"} <= set(kb.rows("schema/properties")[0]["names"])
    assert set(ask(kb, counted)) == {"targets"}


def test_rows_stay_through_several_commands_and_another_process(kb: Graph, counted: list[str]) -> None:
    relabel(kb)
    probe(kb)  # the first one makes names of labels and types
    kb.autocommit(parse("undo", "MATCH (m:Model) DETACH DELETE m"))
    ask(kb, counted)
    relabel(kb, "second_try")
    load_targets(kb, "person")
    probe(kb)
    assert killed(10_000, "label", "vader", "--as", "second_try", "--all", "--force").returncode == 0
    kept_rows.KEPT.leave()
    assert set(ask(kb, counted)) <= {"targets"}


def test_what_changes_triples_is_counted_anew(kb: Graph, counted: list[str]) -> None:
    for change in (
        propose,
        lambda graph: import_triples(graph, triple("nurse", "IsA", "town"), source="third"),
        lambda graph: import_triples(graph, triple("nurse", "IsA", "court"), source="kb", import_id="2"),
        lambda graph: sources.drop(graph, "third"),
        lambda graph: import_triples(graph, triple("q", "IsA", "r"), source="beside", import_id="2"),
    ):
        ask(kb, counted)
        change(kb)
        assert set(WHOLE) <= set(ask(kb, counted))
    ask(kb, counted)
    reject(kb)
    assert ask(kb, counted) == []


@pytest.mark.parametrize("edit", BY_HAND)
@pytest.mark.parametrize("moment", ["before", "in the middle", "after"])
def test_an_edit_by_hand_beside_a_label_is_seen(
    kb: Graph, counted: list[str], edit: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    relabel(kb)
    ask(kb, counted)
    write, edited = Graph.write, []

    def edit_now() -> None:
        edited.append(edit)
        with kb.driver.session() as browser:
            assert browser.run(edit).consume().counters.contains_updates

    def watched(self: Graph, query: Any, **parameters: Any) -> Any:
        first = str(query).startswith("label/") and not edited
        if first and moment == "before":
            edit_now()
        result = write(self, query, **parameters)
        if first and moment == "in the middle":
            edit_now()
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "write", watched)
        relabel(kb, "sentiment", "other")
    if moment == "after":
        edit_now()
    assert len(edited) == 1
    assert set(WHOLE) <= set(ask(kb, counted))


@pytest.mark.parametrize("edits", [1, 2, 3])
def test_as_many_edits_as_a_plain_count_would_take_for_ours(kb: Graph, counted: list[str], edits: int) -> None:
    """The transactions of the command set what is set, so they would take no number; the edits take as many."""
    relabel(kb)
    [row] = kb.rows(
        parse(
            "one",
            "MATCH ()-[r {source: 'kb'}]->() WHERE r.sentiment_by IS NOT NULL RETURN elementId(r) AS id, r.sentiment AS label, "
            "r.sentiment_score AS score, r.sentiment_by AS by LIMIT 1",
        )
    )
    given_ = {"label": "sentiment", "score": "sentiment_score", "by": "sentiment_by", "scorer": row["by"]}
    ask(kb, counted)
    with kb.holding("label"), kb.driver.session() as browser:
        for number in range(edits):
            kb.write("label/write_triples_again", rows=[[row["id"], row["label"], row["score"]]], **given_)
            browser.run("MATCH ()-[r {source: 'kb'}]->() SET r.weight = $weight", weight=7.0 + number).consume()
    assert set(WHOLE) <= set(ask(kb, counted))


def test_an_edit_in_place_of_a_write_that_failed_is_seen(kb: Graph, counted: list[str]) -> None:
    ask(kb, counted)
    with kb.holding("label"), kb.driver.session() as browser:
        with suppress(Exception):
            kb.write("label/write_triples", rows=[[1, 2, 3, 4]], label="sentiment")  # an element id is a text
        browser.run("MATCH ()-[r {source: 'kb'}]->() SET r.weight = 9.0").consume()
    assert set(WHOLE) <= set(ask(kb, counted))


def test_a_command_that_fails_or_is_killed_keeps_nothing(kb: Graph, counted: list[str]) -> None:
    relabel(kb)
    ask(kb, counted)
    with pytest.raises(ZeroDivisionError), kb.holding("label"):
        kb.write("source/mark_incomplete", name="kb")
        raise ZeroDivisionError
    assert ask(kb, counted) == ["targets", *WHOLE]
    kb.autocommit(parse("earlier", "MATCH ()-[r]->() WHERE r.sentiment IS NOT NULL SET r.sentiment_by = 'earlier'"))
    assert ask(kb, counted) == ["targets", *WHOLE]
    for at in (2, 3):
        broken = killed(at, "label", "vader", "--all", "--force")
        assert broken.returncode in (-signal.SIGKILL, 0), broken.stderr
        kept_rows.KEPT.leave()
        ask(kb, counted)


def test_who_may_not_mark_a_transaction_writes_as_before(
    kb: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server that lets a user write labels alone, or make no names of properties."""
    relabel(kb)
    ask(kb, counted)
    refused = replace(statement("lock/stamp"), text="RETURN 1 / 0 AS n, $mark AS mark\n")
    with monkeypatch.context() as patch:
        patch.setattr(own_writes, "statement", lambda name: refused if name == "lock/stamp" else statement(name))
        relabel(kb, "sentiment", "other")
    assert kb.rows(parse("by", "MATCH ()-[r]->() WHERE r.sentiment_by CONTAINS 'mask' RETURN count(r) AS n"))[0]["n"]
    assert set(WHOLE) <= set(ask(kb, counted))


def test_who_may_make_no_names_writes_as_before(kb: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ask(kb, counted)
    made = replace(statement("schema/new_property"), text="RETURN 1 / 0 AS n, $name AS name\n")
    with monkeypatch.context() as patch:
        patch.setattr(connection, "statement", lambda name: made if name == made.name else statement(name))
        patch.setattr(Graph, "_properties", lambda _: frozenset())
        kb.write("source/mark_incomplete", name="kb")
    assert set(WHOLE) <= set(ask(kb, counted))


def test_what_a_procedure_changes_beside_our_own_is_seen(kb: Graph, counted: list[str]) -> None:
    """The server's counters leave it out."""
    aside = parse(
        "procedure",
        "MATCH ()-[r {source: 'kb'}]->() WITH r LIMIT 1 "
        "CALL db.create.setRelationshipVectorProperty(r, 'weight', [1.0]) RETURN 1 AS n",
    )
    assert statement("source/mark_incomplete").parameters
    ask(kb, counted)
    with kb.holding("tests"):
        kb.write_together([(statement("source/mark_incomplete"), {"name": "kb"}), (aside, {})])
    key = json.loads(kept_rows.KEPT.place.read_text())["key"]
    assert kb.state() not in key


def test_rows_of_another_user_are_not_carried(kb: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ask(kb, counted)
    with monkeypatch.context() as patch:
        patch.setattr(kb, "address", replace(kb.address, username="guest"))
        kb.write("source/mark_incomplete", name="kb")
    assert set(WHOLE) <= set(ask(kb, counted))


def test_without_a_number_that_can_be_read_nothing_is_carried(
    kb: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a cluster, or of a server that writes its bookmarks otherwise."""
    ask(kb, counted)
    with monkeypatch.context() as patch:
        patch.setattr("harmgraph.graph.connection.number", lambda _: None)
        kb.write("source/mark_incomplete", name="kb")
    assert set(WHOLE) <= set(ask(kb, counted))


def test_rows_that_depend_on_everything_are_not_carried(kb: Graph) -> None:
    text = (
        "// All\n// returns: n int: nodes\n// keys: n\n// kept: until the graph changes\nMATCH (n) RETURN count(n) AS n"
    )
    everything = parse("mine", text)
    kept_rows.kept_rows(kb, everything)
    before = json.loads(kept_rows.KEPT.place.read_text())["key"]
    kb.write("source/mark_incomplete", name="kb")
    assert json.loads(kept_rows.KEPT.place.read_text())["key"] == before
    assert kept_rows.kept_rows(kb, statement("statistics/relations")) is not None


STEPS: dict[str, Callable[[Graph, int], object]] = {
    "ask": lambda _graph, _at: None,
    "label": lambda graph, at: relabel(graph, MEASURES[at % 3]),
    "label otherwise": lambda graph, at: relabel(graph, MEASURES[at % 3], "2"),
    "targets": lambda graph, at: load_targets(
        graph, *("town", "court", "person")[: 1 + at % 3], import_id=f"i{at % 3}"
    ),
    "drop targets": lambda graph, _at: sources_dropped(graph),
    "probe": lambda graph, _at: probe(graph),
    "save": lambda graph, _at: save_numbers(graph),
    "load": lambda graph, at: import_triples(
        graph, triple("nurse", "IsA", f"x{at}"), source="third", import_id=str(at)
    ),
    "by hand": lambda graph, at: by_hand(graph, at),
    "locked, by hand": lambda graph, at: locked_by_hand(graph, at),
}


def by_hand(graph: Graph, at: int) -> None:
    with graph.driver.session() as browser:
        browser.run(BY_HAND[at % len(BY_HAND)]).consume()


def locked_by_hand(graph: Graph, at: int) -> None:
    with graph.holding("tests"):
        for name in ("kb", "beside")[: 1 + at % 2]:
            graph.write("source/mark_incomplete", name=name)
        if at % 3:
            by_hand(graph, at)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 11)), min_size=2, max_size=7))
def test_after_any_writes_the_rows_are_those_of_now(kb: Graph, steps: list[tuple[str, int]]) -> None:
    for name, at in steps:
        STEPS[name](kb, at)
        ask(kb, [])
