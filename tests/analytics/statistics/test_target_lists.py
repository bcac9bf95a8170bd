"""A number is about the targets of named lists: what else is loaded does not change it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import Statistic, every_statistic, statistic
from harmgraph.analytics.statistics.table import records
from harmgraph.common.errors import NotFound
from harmgraph.common.scorer import scorers
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.browser.saved_queries import filled
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import target_counts
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.plan import Plan
from tests.support import sbic

TRIPLES = """\
lawyer\tIsA\tawful liar
woman\tIsA\tawful driver
folk\tIsA\tgreat people
women\tCapableOf\tdrive badly
black person\tIsA\tkind person
woman\tRelatedTo\tlawyer
runner\tIsA\tfast person
"""
EVENTS = "personx sees a black woman\txWant\tto help\npersonx visits a woman\txWant\tto talk\n"


def load(graph: Graph, folder: Path, importer: str, text: str, source: str, **options: Any) -> LoadReport:
    path = folder / f"{source}.tsv"
    path.write_text(text, encoding="utf-8")
    return pipeline.load(graph, Plan(importers.get(importer), (path,), source, options=options))


def of_one_source(graph: Graph, source: str, lists: Sequence[str] = ()) -> dict[str, Any]:
    """Every statistic that asks for a source alone."""
    with graph.about(lists):
        return {one.name: records(one.compute(graph, source=source, resamples=20)) for one in asking_for_a_source()}


def asking_for_a_source() -> Iterator[Statistic]:
    for member in every_statistic():
        needed = {one.name for one in member.statement.parameters if one.required}
        if needed <= {"source"} and any(one.name == "source" for one in member.statement.parameters):
            yield member


def exact(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows without fractions, which a saved query rounds."""
    return [{name: value for name, value in row.items() if isinstance(value, str | int | None)} for row in rows]


@pytest.fixture
def kb(graph: Graph, tmp_path: Path) -> Graph:
    default_targets.ensure(graph)
    load(graph, tmp_path, "triples", TRIPLES, "kb")
    label(graph, scorers.get("vader"))
    return graph


def test_another_source_with_groups_changes_no_number(kb: Graph, tmp_path: Path) -> None:
    before = of_one_source(kb, "kb")
    assert before["overgeneralization"]
    load(kb, tmp_path, "sbic", sbic.table(), "sbic")
    label(kb, scorers.get("vader"))
    assert of_one_source(kb, "kb") == before
    assert [one.name for one in kb.target_lists("kb")] == ["default-targets"]
    assert [one.name for one in kb.target_lists("sbic")] == ["default-targets", "sbic"]
    with_groups = records(statistic("coverage")(kb, source="kb", lists=["default-targets", "sbic"]))
    assert len(with_groups) > len(before["coverage"]), "where they are named, they count"


def test_where_no_list_is_given_a_statement_goes_by_the_same_lists(kb: Graph, tmp_path: Path) -> None:
    """As it stands in Neo4j Browser, where nobody fills in the lists."""
    load(kb, tmp_path, "sbic", sbic.table(), "sbic")
    label(kb, scorers.get("vader"))
    for source in ("kb", "sbic"):
        for one in asking_for_a_source():
            if any(parameter.name == LISTS for parameter in one.statement.parameters):
                given = {"source": source} | ({"min_support": 1} if "min_support" in one.statement.text else {})
                in_browser = kb.rows(parse(one.name, filled(one.statement, given)))
                assert exact(in_browser) == exact(kb.rows(one.statement.for_reading(), **given, lists=None)), one.name
                assert kb.rows(one.statement, **given, lists=None) == kb.rows(one.statement, **given), one.name


def test_a_second_list_changes_no_number_of_the_first(kb: Graph, tmp_path: Path) -> None:
    before = of_one_source(kb, "kb", lists=["default-targets"])
    load(kb, tmp_path, "targets", "name,category\nrunner,sport\nlawyer,work\n", "mine")
    assert of_one_source(kb, "kb", lists=["default-targets"]) == before
    (runner, lawyer) = records(statistic("coverage")(kb, source="kb", lists=["mine"]))
    assert {runner["target"], lawyer["target"]} == {"runner", "lawyer"}, "a target of two lists is in both"
    assert len(records(statistic("coverage")(kb, source="kb"))) == len(before["coverage"]) + 1


def test_in_whatever_order_they_are_loaded(graph: Graph, tmp_path: Path) -> None:
    """A list that has a group of posts too: its numbers and its digest are those of its file."""
    loads: dict[str, tuple[str, str]] = {
        "mine": ("targets", "name,category,aliases\nwoman,gender,women\nrunner,sport,\n"),
        "others": ("targets", "name,category,aliases\nrunner,sport,\nlawyer,work,\n"),
        "sbic": ("sbic", sbic.table()),
        "kb": ("triples", TRIPLES),
        "events": ("atomic2020", EVENTS),
    }
    found = []
    for order in (("mine", "others", "sbic", "kb", "events"), ("events", "sbic", "kb", "others", "mine")):
        graph.autocommit("schema/wipe")
        target_counts.KEPT.forget()
        for name in order:
            importer, text = loads[name]
            load(graph, tmp_path, importer, text, name)
        label(graph, scorers.get("vader"))
        digests = {one.name: one.digest for one in graph.target_lists()}
        named = {source: of_one_source(graph, source, ["mine"]) for source in ("kb", "events")}
        usual = {source: of_one_source(graph, source) for source in ("kb", "events")}
        found.append((digests, named, usual))
    assert found[0] == found[1]
    assert set(found[0][0]) == {"mine", "others"}


def test_the_rule_of_events_is_that_of_each_list(graph: Graph, tmp_path: Path) -> None:
    """By one list the longer name counts, by the other, which has the shorter one alone, that."""
    load(graph, tmp_path, "targets", "name,category\nwoman,gender\n", "short")
    load(graph, tmp_path, "atomic2020", EVENTS, "events")
    alone = of_one_source(graph, "events", lists=["short"])
    load(graph, tmp_path, "targets", "name,category\nwoman,gender\nblack woman,gender\n", "long")
    assert of_one_source(graph, "events", lists=["short"]) == alone
    counts = {row["target"]: row["statements"] for row in records(statistic("coverage")(graph, lists=["long"]))}
    assert counts == {"woman": 1, "black woman": 1}
    both = {row["target"]: row["statements"] for row in records(statistic("coverage")(graph))}
    assert both == {"woman": 2, "black woman": 1}
    links = graph.rows(
        parse("links", "MATCH (e:Event)-[n:NAMES]->(t) RETURN t.name AS t, n.lists AS lists ORDER BY t, lists IS NULL")
    )
    assert [(row["t"], row["lists"]) for row in links] == [("black woman", None), ("woman", ["short"]), ("woman", None)]


def test_labels_mask_the_targets_of_their_lists(graph: Graph, tmp_path: Path) -> None:
    load(graph, tmp_path, "targets", "name,category\nlawyer,work\n", "mine")
    load(graph, tmp_path, "targets", "name,category\nliar,other\n", "theirs")
    load(graph, tmp_path, "triples", "lawyer\tIsA\tliar\n", "kb")
    sentence = parse("sentence", "MATCH ()-[r {source: 'kb'}]->() RETURN r.sentence AS sentence")
    with graph.about(["mine"]):
        label(graph, scorers.get("vader"))
    assert graph.rows(sentence)[0]["sentence"].endswith("liar")
    label(graph, scorers.get("vader"))
    assert not graph.rows(sentence)[0]["sentence"].endswith("liar"), "both lists are masked"


def test_digests_say_what_a_list_holds(graph: Graph, tmp_path: Path) -> None:
    def digests() -> dict[str, str]:
        return {one.name: one.digest for one in graph.target_lists()}

    load(graph, tmp_path, "targets", "name,category\nlawyer,work\njudge,work\n", "one")
    first = digests()
    load(graph, tmp_path, "targets", "name,category\njudge,work\nlawyer,work\n", "two")
    assert digests() == first | {"two": first["one"]}, "equal lists, equal digests"
    load(graph, tmp_path, "targets", "name,category\nlawyer,work\n", "two")
    assert digests()["two"] != first["one"]
    assert digests()["one"] == first["one"]
    assert main(["source", "drop", "one", "--yes"]) == 0
    assert set(digests()) == {"two"}
    standing = graph.rows(parse("standing", "MATCH (t:Target) RETURN t.name AS name, t.source AS source ORDER BY name"))
    assert [(row["name"], row["source"]) for row in standing] == [("lawyer", "two")], "what another list holds stays"


def test_an_unknown_list_is_told(kb: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NotFound, match="near: default-targets"), kb.about(["default-target"]):
        pass
    assert main(["stats", "coverage", "--targets", "default-target"]) == 1
    assert "no target list named 'default-target' in the graph; near: default-targets" in capsys.readouterr().err


def test_the_command_and_the_list_of_lists(kb: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(kb, tmp_path, "targets", "name,category\nlawyer,work\n", "mine")
    assert main(["target", "lists", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["list"], row["of"], row["targets"]) for row in rows] == [
        ("default-targets", None, 329),
        ("mine", None, 1),
    ]
    assert all(len(row["digest"]) == 64 for row in rows)
    assert main(["stats", "coverage", "--source", "kb", "--targets", "mine", "-o", "json"]) == 0
    assert [row["target"] for row in json.loads(capsys.readouterr().out)] == ["lawyer"]
    assert main(["stats", "coverage", "--source", "kb", "--targets", "mine", "--cypher"]) == 0
    assert ':param lists => ["mine"];' in capsys.readouterr().out.replace("'", '"')


NAMES = st.lists(
    st.sampled_from(["lawyer", "woman", "folk", "women", "runner", "liar", "person"]), min_size=1, unique=True
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(mine=NAMES, others=st.lists(NAMES, max_size=2))
def test_whatever_lists_there_are(graph: Graph, tmp_path: Path, mine: list[str], others: list[list[str]]) -> None:
    graph.autocommit("schema/wipe")
    target_counts.KEPT.forget()
    load(graph, tmp_path, "triples", TRIPLES, "kb")
    load(graph, tmp_path, "targets", "name,category\n" + "".join(f"{name},c\n" for name in mine), "mine")
    alone = of_one_source(graph, "kb", lists=["mine"])
    for number, names in enumerate(others):
        load(graph, tmp_path, "targets", "name,category\n" + "".join(f"{name},c\n" for name in names), f"other{number}")
    assert of_one_source(graph, "kb", lists=["mine"]) == alone
