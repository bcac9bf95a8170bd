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

PAGE = "frames.md"


def test_every_command_and_the_query(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name, rows in (
        ("trn", sbic.ROWS),
        ("dev", [sbic.run("9", "muslim folks", "Are fast")]),
        ("tst", sbic.ROWS[-3:-1]),
    ):
        sbic.written(tmp_path, sbic.table(rows), f"SBIC.v2.{name}.csv")
    (tmp_path / "conceptnet.csv").write_text("woman,HasProperty,careless\n", encoding="utf-8")
    assert main(["load", "triples", "conceptnet.csv", "--delimiter", "comma"]) == 0
    for block in blocks(PAGE, "sh"):
        for line in block.splitlines():
            assert main(shlex.split(line, comments=True)[1:]) == 0, line
    shown = capsys.readouterr().out
    assert "Social bias frames" in shown
    assert "woman HasProperty careless" in " ".join(shown.split())
    assert "annotators of 1 posts with each other" in shown
    (query,) = blocks(PAGE, "cypher")
    assert graph.rows(parse("page", query)) == [{"implied": "are fast", "posts": 1, "annotators": 1}]
