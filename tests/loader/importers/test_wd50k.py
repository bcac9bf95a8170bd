"""WD50K: triples, qualifiers, labels."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import BadName, TooManyRejects
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Rejection, RelationLabel, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.reading import of_line, outcomes

NAME = "wd50k"
QUALIFIED = "Q131074,P166,Q487136,P805,Q458646,P1346,Q630767,P1346,Q15840165"


def triple(found: object) -> Triple:
    assert isinstance(found, Triple), found
    return found


def test_a_triple(tmp_path: Path) -> None:
    found = triple(of_line(NAME, tmp_path, "Q55294,P166,Q833163"))
    assert (found.head, found.relation, found.tail) == (Entity("wikidata/Q55294"), "P166", Entity("wikidata/Q833163"))
    assert (found.type, found.assertion, found.properties) == ("P166", "", {})


def test_qualifiers_are_properties_and_part_of_what_the_statement_is(tmp_path: Path) -> None:
    path = tmp_path / "statements_valid.txt"
    path.write_text(f"{QUALIFIED}\nQ131074,P166,Q487136\n")
    found, plain = map(triple, outcomes(NAME, path, qualifiers="P1346,P580"))
    assert json.loads(str(found.properties["qualifiers"])) == {"P805": ["Q458646"], "P1346": ["Q630767", "Q15840165"]}
    assert found.properties["P1346"] == "Q630767 | Q15840165"
    assert set(found.properties) == {"split", "qualifiers", "P1346"}
    assert found.assertion == "valid P805=Q458646 P1346=Q630767 P1346=Q15840165"
    assert (plain.assertion, plain.properties) == ("valid", {"split": "valid"})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Q1,P1", "2 cells where"),
        ("Q1,P1,Q2,P3", "4 cells where"),
        ("Q1;P1;Q2", "1 cells where"),
        ("Q1,Q1,Q2", "'Q1' is not a property of Wikidata"),
        ("q1,P1,Q2", "'q1' is not an id of Wikidata"),
        ("Q1,P1,", "'' is not an id of Wikidata"),
        ("Q1,P1,Q2,P3,x", "'x' is not an id of Wikidata"),
        ("Q0,P1,Q2", "'Q0' is not an id of Wikidata"),
        ("Q\u0661,P1,Q2", "is not an id of Wikidata"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert why in found.reason


def test_labels_of_entities_and_properties(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("P106\toccupation\nQ42\tDouglas Adams\nQ1\tHudson\\'s Bay\nQ2\nQ3\t \nX\tname\n")
    found = outcomes(NAME, path)
    assert found[:3] == [
        RelationLabel("P106", "occupation", 1),
        Entity("wikidata/Q42", "Douglas Adams", line=2),
        Entity("wikidata/Q1", "Hudson's Bay", line=3),
    ]
    assert [type(one) for one in found[3:]] == [Rejection] * 3
    assert outcomes(NAME, path, names=str(path)) == found


def test_triples_of_another_benchmark_are_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "valid.txt"
    path.write_text("Q60684\tP106\tQ4964182\n")
    (found,) = outcomes(NAME, path)
    assert isinstance(found, Rejection)
    assert found.reason.endswith("three columns are a triple of another benchmark; for CoDEx load codex")
    path.write_text("Q1\tuniverse\t\nQ1\ta\tb\tc\n")
    assert [type(one) for one in outcomes(NAME, path)] == [Rejection] * 2


def test_codex_is_not_loaded_as_labels(data: Path) -> None:
    plan = Plan(importers.get(NAME), (data / "codex-m" / "valid.txt",), "wd50k")
    with pytest.raises(TooManyRejects, match="lines cannot be read"):
        pipeline.dry_run(plan)


def test_every_real_label_is_read(data: Path) -> None:
    found = outcomes(NAME, data / "wd50k" / "labels.tsv")
    assert len(found) == 15_481
    assert {type(one) for one in found} == {Entity, RelationLabel}


def test_a_qualifier_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadName, match="is not a property of Wikidata: list them as P31,P21"):
        of_line(NAME, tmp_path, QUALIFIED, qualifiers="start time")


@pytest.mark.parametrize("part", ["train", "valid", "test"])
def test_every_real_statement_is_read(data: Path, part: str) -> None:
    path = data / "wd50k" / f"statements_{part}.txt{'.gz' if part == 'train' else ''}"
    content = gzip.decompress(path.read_bytes()) if part == "train" else path.read_bytes()
    rows = content.decode().splitlines()
    found = [one for one in outcomes(NAME, path) if isinstance(one, Triple)]
    assert len(found) == len(rows)
    assert sum("qualifiers" in one.properties for one in found) == sum(row.count(",") > 2 for row in rows)


def test_the_counts_of_the_benchmark(data: Path) -> None:
    relations: Counter[str] = Counter()
    identities: set[tuple[str, str, str, str]] = set()
    parts = {"train.txt.gz": 164_631, "valid.txt": 23_860, "test.txt": 46_023}
    for part, lines in parts.items():
        found = [one for one in outcomes(NAME, data / "wd50k" / f"triples_{part}") if isinstance(one, Triple)]
        assert len(found) == lines
        relations.update(one.type for one in found)
        identities.update((one.head.key, one.type, one.tail.key, one.assertion) for one in found)
    assert sum(parts.values()) == 234_514 == len(identities)  # 676 triples stand in two parts
    assert (relations["P21"], relations["P106"], relations["P140"]) == (2_551, 19_104, 1_053)
    assert (relations["P172"], relations["P27"]) == (1_093, 2_038)


def test_wd50k_in_the_graph(graph: Graph, data: Path) -> None:
    folder = data / "wd50k"
    paths = (folder / "statements_valid.txt", folder / "labels.tsv")
    plan = Plan(importers.get(NAME), paths, "wd50k", options={"qualifiers": "P453"})
    report = pipeline.load(graph, plan)
    assert (report.records, report.duplicates, report.in_graph, report.named) == (23_913, 0, 23_913, 15_481)
    asked = "MATCH ({key: 'wikidata/Q207536'})-[r:P161]->(a {key: 'wikidata/Q972044'}) RETURN r.P453 AS role"
    assert graph.rows(parse("role", asked)) == [{"role": "Q2316879"}]
    (relation,) = graph.rows(parse("cast", "MATCH (r:Relation {type: 'P161'}) RETURN r.name AS name, r.own AS own"))
    assert relation == {"name": "cast member", "own": ["P161", "P161"]}
