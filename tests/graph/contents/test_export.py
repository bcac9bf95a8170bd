"""A source as two tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from harmgraph.common.errors import NoSpace, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.export import export
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan


@pytest.fixture
def loaded(graph: Graph, tmp_path: Path) -> Graph:
    path = tmp_path / "kb.tsv"
    path.write_text('HasA\tthe "old" dog\ta\u2028tail\t0.5\nIsA\tdog\tanimal\nIsA\tcat\tanimal\n', encoding="utf-8")
    pipeline.load(graph, Plan(importers.get("conceptnet100k"), (path,), "kb"))
    pipeline.load(graph, Plan(importers.get("conceptnet100k"), (path,), "other"))
    return graph


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_both_tables(loaded: Graph, tmp_path: Path) -> None:
    out = tmp_path / "out" / "kb"
    written = export(loaded, "kb", out)
    assert (written.nodes, written.triples) == (5, 3)
    nodes = {row["key"]: row for row in rows(out / "nodes.tsv")}
    assert nodes["en/animal"] == {
        "key": "en/animal", "text": "animal", "labels": "Concept", "language": "en", "outgoing": "0", "incoming": "2",
    }  # fmt: skip
    assert "en/a\u2028tail" in nodes
    triples = {(row["head"], row["relation"], row["tail"]): row for row in rows(out / "edges.tsv")}
    assert triples['en/the "old" dog', "HasA", "en/a\u2028tail"]["weight"] == "0.5"
    assert all(row["properties"] == "" or json.loads(row["properties"]) for row in triples.values())


def test_it_replaces_what_is_there(loaded: Graph, tmp_path: Path) -> None:
    (tmp_path / "edges.tsv").write_text("old")
    export(loaded, "kb", tmp_path)
    assert len(rows(tmp_path / "edges.tsv")) == 3
    assert not list(tmp_path.glob("*.part"))


def test_what_cannot_be_done(loaded: Graph, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="kb"):
        export(loaded, "kbb", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises((NoSpace, OSError)):
        export(loaded, "kb", tmp_path / "file" / "folder")
