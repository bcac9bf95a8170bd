"""The importer of the documentation runs, in a notebook and as one new file of the family."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harmgraph.common.registry import Registry
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Rejection, Skip, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import Importer
from tests.support.page import blocks, run

PAGE = "add_an_importer.md"


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the page shows, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (text,) = blocks(PAGE, "json")
    path = tmp_path / "facts.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_in_a_notebook(graph: Graph, facts: Path) -> None:
    report = run(PAGE)["report"]
    assert (report.records, report.rejected, report.in_graph) == (2, 1, 2)  # type: ignore[attr-defined]
    rows = graph.rows(parse("facts", "MATCH (h)-[r {source: 'facts'}]->(t) RETURN type(r) AS type, r.weight AS weight"))
    assert sorted((row["type"], row["weight"]) for row in rows) == [("CAPABLE_OF", 0.9), ("IS_A", 0.1)]


def test_as_one_new_file(facts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = facts.parent / "documented_importers"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "facts.py").write_text(blocks(PAGE, "python")[0], encoding="utf-8")
    monkeypatch.syspath_prepend(facts.parent)
    family: Registry[Importer] = Registry("importer", folder.name, "IMPORTER")
    assert family.names() == ("facts",)
    records = list(family.get("facts").records(facts, at_least=0.5))
    first = Triple(Concept("lawyer"), "capable of", Concept("win a case"), properties={"weight": 0.9}, line=1)
    assert records[:2] == [first, Skip(2, "too little confidence")]
    assert isinstance(records[2], Rejection)
    assert records[2].reason == "'object' is lacking"
    for name in (folder.name, f"{folder.name}.facts"):
        sys.modules.pop(name)
