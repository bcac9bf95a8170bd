"""The commands of the page on language models run in their order, with the smallest model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.models.folders import clear
from harmgraph.models.language import trained
from tests.support.page import blocks

PAGE = "language.md"
SMALL = {"train": "--epochs 2 --batch 16 --vocabulary 300 --threads 1"}
"""What is added to the page's commands."""
WHO = ("lawyer", "doctor", "baker", "teacher", "nurse", "priest")


def texts(folder: Path) -> None:
    """The files that the page names."""
    rows = [
        (relation, who, tail)
        for who in WHO
        for relation, tail in (("IsA", f"kind {who}"), ("CapableOf", "tell lie"), ("AtLocation", "town"))
    ]
    (folder / "train100k.txt").write_text("".join("\t".join((*row, "1.0")) + "\n" for row in rows))
    lines = [f"the {who} sees the {other} in the town" for who in WHO for other in WHO]
    (folder / "corpus.txt").write_text("\n".join(lines))
    (folder / "other.txt").write_text("the nurse sees a river\na priest goes home\n")
    (folder / "prompts.jsonl").write_text('{"prompt": "the nurse"}\n{"prompt": "the priest sees"}\n')


def test_the_page_runs(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in trained.names():
        clear(trained.folder(name))
    for block in blocks(PAGE, "bash"):
        for line in block.splitlines():
            words = shlex.split(line.replace("new:small", "new:tiny"))[1:]
            if words[0] == "language":
                words += shlex.split(SMALL.get(words[1], ""))
            assert main(words) == 0, line
    rows = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    assert [row["prompt"] for row in rows] == ["the nurse"] * 3 + ["the priest sees"] * 3
    (statement,) = blocks(PAGE, "cypher")
    (row,) = graph.rows(parse("generated", statement))
    assert row["of.name"] == "conceptnet100k"
    assert json.loads(row["s.options"])["beams"] == 10
