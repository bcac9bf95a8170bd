"""CoDEx: triples, labels as JSON, true negatives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Rejection, RelationLabel, Skip, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.reading import counts, of_line, outcomes

NAME = "codex"


def test_a_triple_and_its_part(tmp_path: Path) -> None:
    path = tmp_path / "valid.txt"
    path.write_text("Q60684\tP106\tQ4964182\n")
    expected = Triple(
        Entity("wikidata/Q60684"), "P106", Entity("wikidata/Q4964182"), "valid", {"split": "valid"}, line=1
    )
    assert outcomes(NAME, path) == [expected]


@pytest.mark.parametrize("line", ["Q1\tP1", "Q1\tP1\tQ2\t1", "Q1 P1 Q2", "Q1\tQ2\tQ3", "1\tP1\tQ2", "Q1\tP1\t"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    assert isinstance(of_line(NAME, tmp_path, line), Rejection)


@pytest.mark.parametrize("name", ["valid_negatives.txt", "test_neg.txt"])
def test_true_negatives_are_no_facts(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("Q354508\tP509\tQ476921\ntorn\n")
    found = outcomes(NAME, path)
    assert found[0] == Skip(1, "true negative")
    assert isinstance(found[1], Rejection)


def labels(tmp_path: Path, facts: object) -> list[object]:
    path = tmp_path / "entities.json"
    path.write_text(json.dumps(facts))
    return list(importers.get(NAME).records(path))


def test_labels_and_descriptions(tmp_path: Path) -> None:
    found = labels(
        tmp_path,
        {
            "Q1": {"label": "universe", "description": "all of it", "wiki": "https://en.wikipedia.org/wiki/Universe"},
            "Q2": {"label": "", "description": "a planet"},
            "P749": {"label": "parent organization", "description": "of an organization"},
            "P1": {"label": None},
            "x": {"label": "no id"},
            "Q3": "no facts",
            "Q4": {"label": 7},
            "Q5": {"label": "half a pair: \ud800"},
        },
    )
    assert found[:4] == [
        Entity("wikidata/Q1", "universe", {"description": "all of it"}, 1),
        Entity("wikidata/Q2", "", {"description": "a planet"}, 1),
        RelationLabel("P749", "parent organization", 1),
        Skip(1, "relation without a label"),
    ]
    assert [type(one) for one in found[4:]] == [Rejection] * 4


def test_labels_on_several_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "relations.json"
    path.write_text(json.dumps({"P1": {"label": "a"}}, indent=1))
    with pytest.raises(UnreadableFile, match=r"is JSON on several lines.*jq -c"):
        outcomes(NAME, path)


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '{"Q1": ', "{1}"])
def test_labels_that_are_no_labels_never_crash(tmp_path: Path, text: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text("\n" + text)
    found = list(importers.get(NAME).records(path, names=str(path)))
    assert all(isinstance(one, Rejection | Skip) for one in found)


@pytest.mark.parametrize(
    ("name", "lines"),
    [("train.txt", 185_584), ("valid.txt", 10_310), ("test.txt", 10_311), ("valid_negatives.txt", 10_310)],
)
def test_every_real_line_is_read(data: Path, name: str, lines: int) -> None:
    path = data / "codex-m" / name
    assert len(path.read_text().splitlines()) == lines
    assert counts(NAME, path) == {"true negative" if "negatives" in name else "record": lines}


def test_a_folder_of_files_in_the_graph(graph: Graph, data: Path) -> None:
    folder = data / "codex-m"
    paths = tuple(folder / name for name in ("relations.json", "test.txt", "test_negatives.txt", "valid.txt"))
    report = pipeline.load(graph, Plan(importers.get(NAME), paths, "codex-m"))
    assert (report.records, report.in_graph, report.duplicates) == (20_621, 20_621, 0)
    assert report.skipped == {"true negative": 10_311}
    assert report.read == report.records + 10_311 + 1
    (relation,) = graph.rows(parse("p", "MATCH (r:Relation {type: 'P106'}) RETURN r.name AS name"))
    assert relation == {"name": "occupation"}
