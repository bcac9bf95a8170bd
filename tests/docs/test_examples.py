"""Every example of the documentation runs."""

from __future__ import annotations

import shlex
import shutil
import sys
import types
from pathlib import Path

import pytest

from analytics.job_check import metrics
from analytics.job_threshold import threshold
from graph.connection import Graph
from graph.records import Concept, Target, Triple
from graph.statements import parse
from harmgraph import main
from tests.analytics.test_label import fill
from tests.docs.page import DOCS, blocks, run


def test_notebook(graph: Graph) -> None:
    names = run("notebook.md")
    assert len(names["rates"]) > 5  # type: ignore[arg-type]
    assert not names["frame"].empty  # type: ignore[attr-defined]


def test_jobs(graph: Graph, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The page shows the shipped job; its commands do what they are said to, the sample's second run included."""
    shipped = DOCS / "jobs" / "nightly.toml"
    assert blocks("jobs.md", "toml") == [shipped.read_text("utf-8")]
    monkeypatch.chdir(DOCS.parent)
    try:
        for line in blocks("jobs.md", "sh")[0].splitlines():
            words = shlex.split(line, comments=True)
            if words[:3] != ["harmgraph", "job", "schedule"]:
                assert main(words[1:]) == 0, line
    finally:
        shutil.rmtree(DOCS / "jobs" / "harmgraph-report", ignore_errors=True)
    out = capsys.readouterr().out
    assert out.count("nightly: done in") == 2
    (statement,) = blocks("jobs.md", "cypher")
    assert len(graph.rows(parse("numbers", statement))) == 2


@pytest.mark.parametrize("line", blocks("jobs.md", "text")[0].splitlines())
def test_thresholds_of_the_page(line: str) -> None:
    text = line.split("  ", maxsplit=1)[0]
    found = threshold(text, "jobs.md")
    assert found.metric in metrics(found.metric.split(".")[0])


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


@pytest.mark.filterwarnings("default")
def test_py2neo(graph: Graph) -> None:
    pytest.importorskip("py2neo", reason="py2neo is not installed")
    names = run("py2neo.md")
    names["notebook"].service.connector.close()  # type: ignore[attr-defined]
