"""The commands of the page run in their order, on small files with the names of the real ones."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from tests.support.page import blocks
from tests.support.places import DOCS

PAGE = "findings.md"
TAILS = ("terrible_liar", "person", "professional", "kind_person")


def test_the_page_runs(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("conceptnet-assertions-5.7.0.csv.gz").write_text(
        "".join(
            f"/a/[/r/IsA/,/c/en/lawyer/,/c/en/{tail}/]\t/r/IsA\t/c/en/lawyer\t/c/en/{tail}\t"
            f'{{"weight": 1.0, "dataset": "/d/x"}}\n'
            for tail in TAILS
        )
    )
    Path("GenericsKB-Best.tsv").write_text("lawyer\tLawyers are terrible.\nlawyer\tLawyers read.\n")
    (query,) = blocks(PAGE, "cypher")
    Path("look.cypher").write_text(query)
    for block in blocks(PAGE, "bash"):
        for line in block.splitlines():
            command, _, into = line.partition(" > ")
            capsys.readouterr()
            assert main(shlex.split(command)[1:]) == 0, line
            if into:
                Path(into).write_text(capsys.readouterr().out)
    text = Path("blocklist.txt").read_text().splitlines()
    shown = (DOCS / PAGE).read_text().split("```\n# lawyer")[1].split("```")[0].splitlines()
    assert text[-1] == shown[5], "the page shows the file"
    assert text[-5:-2] == shown[1:4]
    assert Path("chosen.txt").read_text().count("\n/a/") == len(TAILS) - 1, "one was left out before"
    assert graph.rows("filter/statements", source="genericskb")[0]["text"] == "Lawyers read."


def test_the_table_of_forms_names_every_importer_with_a_form_of_its_own() -> None:
    table = (DOCS / PAGE).read_text()
    named = [each.name for each in importers if each.corrections.name != "rows"]
    assert len(named) == 5
    assert all(f"| `{name}` |" in table for name in named)
