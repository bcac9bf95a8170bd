"""The page on social bias frames: its commands and its query, on a corpus made small."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from tests.support import sbic
from tests.support.page import blocks

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.models.folders import clear
from harmgraph.models.language.frames import stored

PAGE = "frames.md"
SMALL = {
    "framer": "--model new:tiny --epochs 2 --context 96 --vocabulary 300 --threads 1",
    "cheap": "--epochs 2 --threads 1",
}
"""What is added to the trainings of the page; of an option that stands twice the last counts."""


def test_every_command_and_the_query(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name in stored.names():
        clear(stored.folder(name))
    for name, rows in (
        ("trn", [*sbic.ROWS, *sbic.learnable(6)]),
        ("dev", [sbic.run("9", "muslim folks", "Are fast")]),
        ("tst", [*sbic.ROWS[-3:-1], sbic.row("dinner was bad", "7", offensive="1.0")]),
    ):
        sbic.written(tmp_path, sbic.table(rows), f"SBIC.v2.{name}.csv")
    (tmp_path / "conceptnet.csv").write_text("woman,HasProperty,careless\n", encoding="utf-8")
    assert main(["load", "triples", "conceptnet.csv", "--delimiter", "comma"]) == 0
    for block in blocks(PAGE, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)[1:]
            if words[:2] == ["frames", "train"]:
                words += shlex.split(SMALL[words[2]])
            assert main(words) == 0, line
    assert (tmp_path / "domains.svg").read_text().startswith("<?xml")
    shown = capsys.readouterr().out
    assert "What a corpus of posts with frames holds" in shown
    assert "woman HasProperty careless" in " ".join(shown.split())
    assert "annotators of 1 posts with each other" in shown
    (query,) = blocks(PAGE, "cypher")
    assert graph.rows(parse("page", query)) == [{"implied": "are fast", "posts": 1, "annotators": 1}]
