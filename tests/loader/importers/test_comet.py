"""COMeT's generations: the head is the first word, what was generated the rest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Rejection, Skip, Statement, Triple
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers.comet import RELATIONS
from harmgraph.loader.loading.pipeline import load
from harmgraph.loader.reading.plan import Plan
from tests.support.filling import fill
from tests.support.reading import counts, of_line, outcomes

NAME = "comet"
USA = {"relation": "AtLocation", "tail": "usa"}
UNCERTAIN = ("DesireOf", "Desires", "HasPrerequisite", "HasSubevent")


def test_a_line(tmp_path: Path) -> None:
    assert of_line(NAME, tmp_path, "African_american is located at  usa ") == Statement(
        "African american is located at  usa", "african american", {**USA, "head": "African american"}, 1
    )


@pytest.mark.parametrize(
    ("line", "relation", "tail"),
    [
        ("lawyer is a good person", "IsA", "good person"),
        ("lawyer is a symbol of law", "SymbolOf", "law"),
        ("lawyer causes the desire to lie", "CausesDesire", "lie"),
        ("lawyer causes the desire", "Causes", "the desire"),
        ("lawyer does not have the  property kind", "NotHasProperty", "kind"),
        ("lawyer requires study", None, "kept without relation and tail: several relations have its phrase"),
        ("lawyer is ab", None, "kept without relation and tail: it has no phrase of a relation with a tail behind it"),
        (
            "lawyer is a symbol of",
            None,
            "kept without relation and tail: it has no phrase of a relation with a tail behind it",
        ),
        ("lawyer is a", None, "kept without relation and tail: it has no phrase of a relation with a tail behind it"),
    ],
)
def test_relation_and_tail_follow_from_the_phrase(tmp_path: Path, line: str, relation: str | None, tail: str) -> None:
    path = tmp_path / "said.txt"
    path.write_text(f"{line}\n")
    statement, *skips = importers.get(NAME).records(path)
    assert isinstance(statement, Statement)
    assert statement.text == line
    if relation is None:
        assert statement.properties == {"head": "lawyer"}
        assert skips == [Skip(1, tail)]
    else:
        assert (statement.properties["relation"], statement.properties["tail"], skips) == (relation, tail, [])


@pytest.mark.parametrize("line", ["lawyer", "lawyer ", "_ is a person"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert "expected a head" in found.reason


def test_every_real_line_is_read(data: Path) -> None:
    path = data / "comet" / "comet_generations.txt"
    assert counts(NAME, path) == {"record": 112_200}
    every = Counter(
        record.properties.get("relation") if isinstance(record, Statement) else "skipped"
        for record in importers.get(NAME).records(path)
    )
    assert set(every) == {*RELATIONS, None, "skipped"} - set(UNCERTAIN)
    assert every[None] == every["skipped"] == 4 * 3_300 + 162, "162 have no tail"
    assert sum(every.values()) == 112_200 + every["skipped"]
    assert every["IsA"] == every["SymbolOf"] == every["Causes"] == every["CausesDesire"] == 3_300
    heads = [record.term for record in outcomes(NAME, path) if isinstance(record, Statement)]
    assert len(set(heads)) == 329  # 340 statements each, one twice
    assert min(heads.count(head) for head in sorted(set(heads))[:20]) == 340


def test_what_a_knowledge_base_has_is_counted(graph: Graph, tmp_path: Path) -> None:
    fill(graph, Triple(Concept("lawyer"), "IsA", Concept("liar")), Triple(Concept("lawyer"), "HasA", Concept("desk")))
    path = tmp_path / "said.txt"
    path.write_text("lawyer is a liar\nlawyer is a good person\nlawyer desires money\n")
    report = load(graph, Plan(importers.get(NAME), (path,), "said"))
    assert report.skipped == {"kept without relation and tail: several relations have its phrase": 1}
    (row,) = graph.rows("retrained/known", source="said", first="s", other="none")
    assert row == {"statements": 2, "in_first": 1, "in_other": 0, "in_first_alone": 1}


def test_a_language(tmp_path: Path) -> None:
    found = of_line("comet", tmp_path, "junger_Arzt heilt alle", language="de")
    assert found == Statement("junger Arzt heilt alle", "junger arzt", {"head": "junger Arzt", "language": "de"}, 1)
