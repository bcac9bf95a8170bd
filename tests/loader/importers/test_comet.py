"""COMeT's generations: the head is the first word, what was generated the rest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import binomtest

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Rejection, Statement, Triple, normalise
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers.comet import RELATIONS
from harmgraph.loader.loading.pipeline import dry_run, load
from harmgraph.loader.reading.exclusion import read_exclusion
from harmgraph.loader.reading.plan import Plan, import_id
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
    ("line", "triple"),
    [
        ("lawyer is a good person", {"relation": "IsA", "tail": "good person"}),
        ("lawyer is a symbol of law", {"relation": "SymbolOf", "tail": "law"}),
        ("lawyer causes the desire to lie", {"relation": "CausesDesire", "tail": "lie"}),
        ("lawyer causes the desire", {"relation": "Causes", "tail": "the desire"}),
        ("lawyer does not have the  property kind", {"relation": "NotHasProperty", "tail": "kind"}),
        ("lawyer requires study", {}),
        ("lawyer is ab", {}),
        ("lawyer is a symbol of", {}),
        ("lawyer is a", {}),
    ],
)
def test_relation_and_tail_follow_from_the_phrase(tmp_path: Path, line: str, triple: dict[str, str]) -> None:
    path = tmp_path / "said.txt"
    path.write_text(f"{line}\n")
    assert list(importers.get(NAME).records(path)) == [Statement(line, "lawyer", {"head": "lawyer", **triple}, 1)]


@pytest.mark.parametrize("line", ["lawyer", "lawyer ", "_ is a person"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert "expected a head" in found.reason


def test_every_real_line_is_read(data: Path) -> None:
    path = data / "comet" / "comet_generations.txt"
    assert counts(NAME, path) == {"record": 112_200}
    records = [record for record in importers.get(NAME).records(path) if isinstance(record, Statement)]
    every = Counter(record.properties.get("relation") for record in records)
    assert set(every) == {*RELATIONS, None} - set(UNCERTAIN)
    assert every[None] == 4 * 3_300 + 162, "162 have no tail"
    assert sum(every.values()) == 112_200
    assert every["IsA"] == every["SymbolOf"] == every["Causes"] == every["CausesDesire"] == 3_300
    heads = [record.term for record in outcomes(NAME, path) if isinstance(record, Statement)]
    assert len(set(heads)) == 329  # 340 statements each, one twice
    assert min(heads.count(head) for head in sorted(set(heads))[:20]) == 340


def test_what_a_knowledge_base_has_is_counted(graph: Graph, tmp_path: Path) -> None:
    fill(graph, Triple(Concept("lawyer"), "IsA", Concept("liar")), Triple(Concept("lawyer"), "HasA", Concept("desk")))
    path = tmp_path / "said.txt"
    path.write_text("lawyer is a liar\nlawyer is a good person\nlawyer desires money\n")
    report = load(graph, Plan(importers.get(NAME), (path,), "said"))
    assert (report.read, report.records, report.in_graph, report.skipped) == (3, 3, 3, {}), "none is left out"
    every, is_a = statistic("generated")(graph, source="said", other="s").to_dict("records")
    ends = binomtest(1, 2).proportion_ci(0.95, method="wilson")
    assert every == {"relation": "all", "n": 2, "known": 1, "percent": 50, "low": every["low"], "high": every["high"]}
    assert (every["low"], every["high"]) == pytest.approx((100 * ends.low, 100 * ends.high))
    assert is_a == {**every, "relation": "IsA"}
    fill(graph, Triple(Concept("lawyer"), "IsA", Concept("liar")), source="also")
    lacked = {name: statistic("generated")(graph, source="said", other="s", lacking=name) for name in ("also", "said")}
    assert {name: list(rows["known"]) for name, rows in lacked.items()} == {"also": [0, 0], "said": [1, 1]}


def test_heads_and_tails_are_compared_in_the_form_of_concepts(graph: Graph, tmp_path: Path) -> None:
    lines = (
        "African__American is a US_Citizen",
        "_lawyer_ is a  Cafe\u0301 _ owner_",
        "LAWYER has a big\tdesk",
        "lawyer is a us-citizen",
    )
    heads = ("african american", "lawyer", "lawyer", "lawyer")
    tails = ("us citizen", "café owner", "big desk", "us citizen")
    relations = ("IsA", "IsA", "HasA", "IsA")
    for line, head, tail in zip(lines[:3], heads, tails, strict=False):
        said = of_line(NAME, tmp_path, line)
        assert isinstance(said, Statement)
        assert (normalise(str(said.properties["head"])), normalise(str(said.properties["tail"]))) == (head, tail)
    triples = zip(heads, relations, tails, strict=True)
    fill(graph, *(Triple(Concept(head), relation, Concept(tail)) for head, relation, tail in triples))
    path = tmp_path / "said.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    load(graph, Plan(importers.get(NAME), (path,), "said"))
    rows = statistic("generated")(graph, source="said", other="s").to_dict("records")
    assert {row["relation"]: (row["n"], row["known"]) for row in rows} == {"all": (4, 3), "IsA": (3, 2), "HasA": (1, 1)}


def test_a_file_that_was_loaded_without_relations_is_a_new_import(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(importers.get(NAME), (Path("said.txt"),), "said")
    now = import_id(plan, ["digest"])
    monkeypatch.setattr(type(plan.importer), "revision", "1")  # wrote heads alone
    assert import_id(plan, ["digest"]) != now


def test_a_statement_without_a_relation_that_is_excluded_is_counted_once(tmp_path: Path) -> None:
    path, excluded = tmp_path / "said.txt", tmp_path / "rows.csv"
    path.write_text("lawyer is a liar\nlawyer desires money\n")
    excluded.write_text("said.txt\t2\tlawyer\t\tlawyer desires money\t\tlawyer desires money\n")
    importer = importers.get(NAME)
    report = dry_run(Plan(importer, (path,), "said", exclusion=read_exclusion(excluded, importer, (path,))))
    assert (report.read, report.records, report.skipped) == (2, 1, {"excluded: the row": 1})


def test_a_language(tmp_path: Path) -> None:
    found = of_line("comet", tmp_path, "junger_Arzt heilt alle", language="de")
    assert found == Statement("junger Arzt heilt alle", "junger arzt", {"head": "junger Arzt", "language": "de"}, 1)
