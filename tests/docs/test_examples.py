"""Every example of the documentation runs."""

from __future__ import annotations

import shlex
import sys
import types
from pathlib import Path

import click
import pytest

from analytics.drawn import drawn
from analytics.numbers import Numbers, Subject
from graph.connection import Graph
from graph.records import Concept, Target, Triple
from graph.statements import parse
from harmgraph import cli
from tests.analytics.figures_sample import SOURCES, sample
from tests.analytics.test_label import fill
from tests.docs.page import blocks, run


def test_notebook(graph: Graph) -> None:
    names = run("notebook.md")
    assert len(names["rates"]) > 5  # type: ignore[arg-type]
    assert not names["frame"].empty  # type: ignore[attr-defined]


def test_add_a_statistic(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks("add_a_statistic.md", "cypher")
    (tmp_path / "prejudice_sources.cypher").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    graph.write(parse("mark", "MATCH ()-[r:IS_A]->() SET r.sentiment = 'negative'"))
    names = run("add_a_statistic.md")
    assert names["frame"].to_dict("records") == [{"target": "lawyer", "source": "s", "negative": 1}]  # type: ignore[attr-defined]


def test_add_a_scorer(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    monkeypatch.setitem(sys.modules, "add_a_scorer_md", types.ModuleType("add_a_scorer_md"))
    names = run("add_a_scorer.md")
    report = names["report"]
    assert (report.by, report.labels) == ("insults@1.0", {"negative": 1})  # type: ignore[attr-defined]


def test_report(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sample(graph)
    names = run("report.md")
    assert [str(page) for page in names["pages"]] == ["audit/report.html", "audit/report.json"]  # type: ignore[attr-defined]
    drawing, numbers, subject = names["FIGURE"], Numbers(graph), Subject(SOURCES[:1], ("sentiment",))
    figure = drawn(drawing, numbers, subject)  # type: ignore[arg-type]
    assert len(figure.axes[0].patches) == 5
    assert "gender" in drawing.alt(numbers, subject)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", [line for block in blocks("report.md", "sh") for line in block.splitlines()])
def test_report_commands(line: str) -> None:
    """The options of each line are those of the command: click reads them, and the work is not done."""
    words = shlex.split(line.split("|", maxsplit=1)[0], comments=True)
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None
    command.make_context(words[1], words[2:])


@pytest.mark.filterwarnings("default")
def test_py2neo(graph: Graph) -> None:
    pytest.importorskip("py2neo", reason="py2neo is not installed")
    names = run("py2neo.md")
    names["notebook"].service.connector.close()  # type: ignore[attr-defined]
