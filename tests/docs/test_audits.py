"""The commands of the pages about audits run in their order."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Target, Triple
from tests.support.figures_sample import finish
from tests.support.filling import fill
from tests.support.jobs import MEASURE, write
from tests.support.page import blocks


def test_the_audit_of_the_page(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("awful liar")), source="kb")
    label(graph, scorers.get("vader"))
    write(tmp_path, MEASURE, "night")
    for line in "".join(blocks("jobs.md", "bash")).splitlines():
        command, _, into = line.partition(" > ")
        capsys.readouterr()
        assert main(shlex.split(command)[1:]) == 0, line
        if into:
            Path(into).write_text(capsys.readouterr().out, "utf-8")
    assert "2 numbers in both runs, 2 of them equal" in capsys.readouterr().err


def test_the_page_of_axes(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    says = ("kind person", "cruel person", "clever person", "stupid person")
    fill(
        graph,
        Target("nurse", "profession"),
        *(Triple(Concept("nurse"), "IsA", Concept(tail)) for tail in says),
        source="kb",
    )
    finish(graph, "kb")
    (table,) = blocks("dimensions.md", "csv")
    Path("axes.csv").write_text(table, "utf-8")
    for line in "".join(blocks("dimensions.md", "bash")).splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
    assert "nurse" in Path("warmth.svg").read_text("utf-8")
