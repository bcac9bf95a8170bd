"""Filtering: what is harmless stays, what is unknown stops it, and the file loads as what was kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.filtering.filter import FORMATS, Filtered, FilteredStatement, filtered, line_of
from harmgraph.analytics.filtering.source import keep_as
from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.common.scorer import scorers
from harmgraph.common.whole_file import written
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.sentence_targets import NOT_YET, SEARCHED
from harmgraph.graph.records import Concept, Entity, Import, Scalar, Statement, Target, Triple
from harmgraph.graph.statements import parse, statement
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.loader.formats.importer import importers
from tests.support.filling import fill

TRIPLES = (
    Triple(Concept("lawyer"), "/r/IsA", Concept("kind person"), "/a/1", {"weight": 2.0}),
    Triple(Concept("lawyer"), "/r/IsA", Concept("dishonest man"), "/a/2", {"weight": 1.0}),
    Triple(Concept("lawyer"), "/r/RelatedTo", Concept("court"), "/a/3", {"weight": 1.5}),
    Triple(Concept("judge"), "/r/IsA", Concept("awful man"), "/a/4", {"weight": 1.0}),
    Triple(Concept("dog"), "/r/IsA", Concept("good animal"), "/a/5", {"weight": 1.0}),
)
LEFT = parse(
    "left",
    "MATCH (h)-[r {source: $source}]->() RETURN h.key AS key, h.name AS name, r.weight AS weight, r.rank AS rank, "
    "r.sentiment AS sentiment ORDER BY key",
)
EDGES = parse(
    "edges",
    "MATCH (h)-[r {source: $source}]->(t) RETURN h.text AS head, t.text AS tail, r.weight AS weight ORDER BY tail",
)


@pytest.fixture
def kb(graph: Graph) -> Graph:
    fill(graph, Target("lawyer", "profession"), Target("judge", "profession"), source="list")
    fill(graph, *TRIPLES, source="kb")
    fill(graph, Statement("Lawyers are awful.", "lawyer"), Statement("Lawyers sit.", "lawyer"), source="text")
    label(graph, scorers.get("vader"))
    for name, relations, sentences in (("kb", {"IS_A": 4, "RELATED_TO": 1}, 0), ("text", {}, 2)):
        counts = json.dumps({"relations": relations, "sentences": sentences})
        mark = {"name": name, "import_id": "i"}
        graph.write("source/begin", **mark, generation=1, facts={})
        graph.write("source/finish", **mark, counts=counts, summary="{}")
    return graph


def run(graph: Graph, source: str, measures: Sequence[str] = ("sentiment",), keep: Sequence[str] = ("neutral",)) -> Any:
    taken: list[FilteredStatement] = []
    return filtered(graph, source, measures, keep, taken.append), taken


def test_what_is_neutral_stays(kb: Graph) -> None:
    found, taken = run(kb, "kb")
    assert isinstance(found, Filtered)
    assert sorted((row.head, row.relation, row.tail) for row in taken) == [
        ("dog", "/r/IsA", "good animal"),  # names no target, was never labelled
        ("lawyer", "/r/RelatedTo", "court"),
    ]
    assert (found.before, found.kept, found.unlabelled) == (5, 2, 1)
    assert found.relations == {"/r/IsA": (4, 1), "/r/RelatedTo": (1, 1)}
    assert found.targets == {"lawyer": (3, 1), "judge": (1, 0)}
    assert found.lost == ("judge",)
    before, after = found.neutral["sentiment"]
    assert (before.targets, before.mean) == (2, pytest.approx(100 / 6))
    assert (after.targets, after.mean, after.variance) == (1, 100, 0)


def test_other_labels_may_stay(kb: Graph) -> None:
    found, _ = run(kb, "kb", keep=("neutral", "positive"))
    assert (found.kept, found.lost) == (3, ("judge",))


def test_sentences(kb: Graph) -> None:
    found, taken = run(kb, "text")
    assert [line_of(row, "genericskb") for row in taken] == ["lawyer\tLawyers sit."]
    assert found.targets == {"lawyer": (2, 1)}


def test_what_was_not_judged_stops_it_and_leaves_no_file(kb: Graph, tmp_path: Path) -> None:
    label(kb, scorers.get("vader"), source="text", measure="regard")
    with pytest.raises(InputError, match=r"4 of regard.*label them first"), written(tmp_path / "out") as file:
        filtered(kb, "kb", ["sentiment", "regard"], ["neutral"], lambda row: file.write("x\n") and None)
    assert not list(tmp_path.iterdir())
    with pytest.raises(NotFound):
        run(kb, "nowhere")


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "genericskb"])
def test_a_file_loads_as_what_was_kept(kb: Graph, tmp_path: Path, form: str) -> None:
    _, taken = run(kb, "kb")
    path = tmp_path / "kept.tsv"
    with written(path) as file:
        file.writelines(line_of(row, form) + "\n" for row in taken)
    options = {"columns": "head,relation,tail,weight"} if form == "triples" else {}
    kept = [record for record in TRIPLES if record.tail.key in ("en/court", "en/good animal")]
    records = [one for one in importers.get(form).records(path, **options) if isinstance(one, Triple)]
    assert said(records) == said(kept)


def said(records: Sequence[Triple]) -> set[tuple[object, ...]]:
    return {(one.head, one.relation.removeprefix("/r/"), one.tail, one.properties["weight"]) for one in records}


def test_a_format_of_the_other_kind(kb: Graph) -> None:
    for source, form in (("kb", "genericskb"), ("text", "triples")):
        _, taken = run(kb, source)
        with pytest.raises(BadName, match="holds"):
            line_of(taken[0], form)


def test_into_a_source_of_its_own_twice(kb: Graph) -> None:
    assert keep_as(kb, "clean", "kb", ["sentiment"], ["neutral"]) == 2
    once = digest(kb)
    assert keep_as(kb, "clean", "kb", ["sentiment"], ["neutral"]) == 2
    assert digest(kb) == once
    assert kb.rows(EDGES, source="clean") == [
        {"head": "lawyer", "tail": "court", "weight": 1.5},
        {"head": "dog", "tail": "good animal", "weight": 1.0},
    ]
    facts = sources.facts(kb, "clean")
    assert (facts["state"], facts["importer"], facts["options"]["of"]) == ("complete", "filter@1", "kb")
    # Another choice replaces it.
    assert keep_as(kb, "clean", "kb", ["sentiment"], ["neutral", "positive"]) == 3
    assert keep_as(kb, "clean text", "text", ["sentiment"], ["neutral"]) == 1
    for name in ("kb", "text", " "):
        with pytest.raises(BadName):
            keep_as(kb, name, "kb", ["sentiment"], ["neutral"])


def test_a_copy_of_sentences_is_about_the_targets_in_them(kb: Graph) -> None:
    fill(kb, Statement("The lawyer met two judges.", properties={SEARCHED: NOT_YET}), source="said")
    label(kb, scorers.get("vader"), source="said")
    kb.write("source/begin", name="said", import_id="i", generation=1, facts={})
    kb.write("source/finish", name="said", import_id="i", counts='{"relations": {}, "sentences": 1}', summary="{}")
    assert keep_as(kb, "clean", "said", ["sentiment"], ["neutral"]) == 1
    (row,) = kb.rows("label/statements", source="clean")
    assert sorted(row["names"]) == [["judge"], ["lawyer"]]
    assert sorted(row["spans"]) == [4, 10, 19, 25]


def load(graph: Graph, *records: Triple) -> None:
    """What a load of files that changed does."""
    identity = repr(records)
    mark = Import("people", identity, sources.generation(graph, "people", identity))
    with ImportRun(graph, mark, {}, properties=("weight", "rank")) as run:
        for record in records:
            run.add(record)
        run.complete({}, {})


def edge(key: str, name: str, **properties: Scalar) -> Triple:
    return Triple(Entity(f"wikidata/{key}", name), "P1", Entity("wikidata/Q9"), f"/a/{key}", properties)


def test_what_a_source_lost_is_gone_after_the_next_filter(kb: Graph) -> None:
    load(kb, edge("Q1", "lawyer", weight=2.0), edge("Q2", "judge", rank="best"))
    keep_as(kb, "clean", "people", ["sentiment"], ["neutral"])
    # A label of the kept source is its own, and stays.
    kb.write(parse("own", "MATCH ()-[r {source: 'clean'}]->() SET r.sentiment = 'neutral', r.sentiment_by = 'me'"))
    load(kb, edge("Q1", ""), edge("Q2", ""))
    keep_as(kb, "clean", "people", ["sentiment"], ["neutral"])
    assert kb.rows(LEFT, source="clean") == [
        {"key": f"wikidata/{key}", "name": None, "weight": None, "rank": None, "sentiment": "neutral"}
        for key in ("Q1", "Q2")
    ]


def test_what_was_labelled_otherwise_since_is_gone_after_the_next_filter(kb: Graph) -> None:
    assert keep_as(kb, "clean", "kb", ["sentiment"], ["neutral"]) == 2
    kb.write(parse("harm", "MATCH ()-[r {assertion: '/a/3'}]->() SET r.sentiment = 'negative'"))
    assert keep_as(kb, "clean", "kb", ["sentiment"], ["neutral"]) == 1
    assert [row["tail"] for row in kb.rows(EDGES, source="clean")] == ["good animal"]


def test_the_command(kb: Graph, connection: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "kept.tsv"
    assert main(["filter", "--source", "kb", "--out", str(out), "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["before"], found["kept"], found["lost"]) == (5, 2, ["judge"])
    assert sorted(out.read_text().split("\n")) == [
        "",
        "dog\t/r/IsA\tgood animal\t1.0",
        "lawyer\t/r/RelatedTo\tcourt\t1.5",
    ]
    assert main(["filter", "--source", "kb"]) == 2
    assert "Give --out FILE, --into NAME or both" in capsys.readouterr().err
    assert main(["filter", "--source", "kb", "--into", "clean"]) == 0
    assert "no statement is left of: judge" in capsys.readouterr().out


def test_no_relationship_is_followed_while_others_are_written(kb: Graph) -> None:
    """``keep_as`` reads and writes at once. Neo4j 5.26.29 ends a read that follows relationships of a node to which others
    are being written ("The transaction read outdated data").
    """
    with kb.driver.session(database=kb.address.database) as session:
        text = "EXPLAIN " + statement("filter/triples").text
        plan = session.run(text, {"source": "kb", "measures": []}).consume().plan
    assert "RelationshipTypeScan" in str(plan) or "AllRelationshipsScan" in str(plan)
    assert "Expand" not in str(plan)
