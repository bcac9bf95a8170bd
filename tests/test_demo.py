"""The demo is the whole main job; twice it changes nothing."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from harmgraph.demo import demo
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest


def test_demo_twice(graph: Graph, tmp_path: Path) -> None:
    first = CliRunner().invoke(demo, ["--out", str(tmp_path / "one")], catch_exceptions=False)
    assert first.exit_code == 0
    assert "disparity of sample-conceptnet: D_R" in first.output
    assert "harmgraph db open" in first.output
    assert "harmgraph db stop" in first.output
    assert (tmp_path / "one" / "report.html").is_file()
    before = digest(graph)
    second = CliRunner().invoke(demo, ["--out", str(tmp_path / "two")], catch_exceptions=False)
    assert second.exit_code == 0
    assert "labelled sentiment: 0 written" in second.output
    assert digest(graph) == before
