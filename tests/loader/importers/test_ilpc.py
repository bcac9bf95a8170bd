"""ILPC 2022: the graph to train on and the inference graph, with their splits."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Rejection, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.reading import of_line, outcomes

NAME = "ilpc"
SPLITS = parse(
    "splits",
    "MATCH (:Entity)-[r]->(:Entity) WHERE r.source = $source RETURN r.split AS split, count(*) AS count ORDER BY split",
)
COMMON = parse(
    "common",
    "MATCH (e:Entity)-[r]-(:Entity) WITH e, count(DISTINCT r.source) AS sources WHERE sources > 1 RETURN count(*) AS count",
)


@pytest.mark.parametrize(
    ("file", "split"),
    [
        ("train.txt", "train"),
        ("inference.txt", "train"),
        ("inference_validation.txt", "valid"),
        ("inference_test.txt", "test"),
        ("triples.txt", ""),
    ],
)
def test_a_triple_and_its_split(tmp_path: Path, file: str, split: str) -> None:
    path = tmp_path / file
    path.write_text("Q1041\tP463\tQ7809\n")
    part = {"split": split} if split else {}
    assert outcomes(NAME, path) == [
        Triple(Entity("wikidata/Q1041"), "P463", Entity("wikidata/Q7809"), split, part, line=1)
    ]


def test_the_split_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "inference.txt"
    path.write_text("Q1041\tP463\tQ7809\n")
    (found,) = outcomes(NAME, path, split="none")
    assert isinstance(found, Triple)
    assert found.properties == {}


@pytest.mark.parametrize("line", ["Q1\tP1", "Q1\tP1\tQ2\t1", "Q1,P1,Q2", "Q1\tQ2\tQ3", "1\tP1\tQ2", "Q1\tP1\t"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    assert isinstance(of_line(NAME, tmp_path, line), Rejection)


def test_both_graphs_in_the_graph(graph: Graph, data: Path) -> None:
    folder = data / "ilpc2022" / "small"
    inference = tuple(folder / f"inference{part}.txt" for part in ("", "_validation", "_test"))
    for source, files in (("ilpc-small", (folder / "train.txt",)), ("ilpc-small-inference", inference)):
        report = pipeline.load(graph, Plan(importers.get(NAME), files, source))
        assert report.rejected == 0
    assert graph.rows(SPLITS, source="ilpc-small") == [{"split": "train", "count": 78_616}]
    assert graph.rows(SPLITS, source="ilpc-small-inference") == [
        {"split": "test", "count": 2_902},
        {"split": "train", "count": 20_960},
        {"split": "valid", "count": 2_908},
    ]
    assert graph.rows(COMMON) == [{"count": 0}]
