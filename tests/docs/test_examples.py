"""Every example of the documentation runs."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import types
from pathlib import Path

import click
import pytest
from matplotlib import pyplot

from harmgraph.__main__ import cli, main
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.drawing.renderer import render_figure, render_narrow
from harmgraph.analytics.jobs.check import metrics
from harmgraph.analytics.jobs.threshold import threshold
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.measurements import history
from harmgraph.common.plotting.canvas import blank
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Target, Triple
from harmgraph.graph.statements import parse
from tests.support.figures_sample import SOURCES, sample
from tests.support.filling import fill, import_triples
from tests.support.page import blocks, run
from tests.support.places import DOCS
from tests.support.toy import ring, toy

pytestmark = pytest.mark.first


def test_notebook(graph: Graph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    try:
        names = run("notebook.md")
    finally:
        shutil.rmtree(home / "models", ignore_errors=True)
        pyplot.close("all")  # pandas plots by pyplot, which keeps each figure until the end of the process
    assert {path.name for path in tmp_path.rglob("*")} >= {"worst.png", "bars.svg", "report.html"}
    assert len(names["rates"]) > 5  # type: ignore[arg-type]
    assert not names["frame"].empty  # type: ignore[attr-defined]


def test_jobs(graph: Graph, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The page shows the shipped job; its commands do what they are said to, the sample's second run included."""
    shipped = DOCS / "jobs" / "nightly.toml"
    assert blocks("jobs.md", "toml") == [shipped.read_text("utf-8")]
    monkeypatch.chdir(DOCS.parent)
    told = []
    report = DOCS / "jobs" / "harmgraph-report"
    try:
        for line in blocks("jobs.md", "sh")[0].splitlines():
            words = shlex.split(line, comments=True)
            if words[:3] == ["harmgraph", "job", "schedule"]:
                continue
            runs = words[:3] == ["harmgraph", "job", "run"] and "--dry-run" not in words
            assert main([*words[1:], *(("--output", "json", "--verbose") if runs else ())]) == 0, line
            captured = capsys.readouterr()
            if runs:
                told.append(json.loads(captured.out))
                assert "nightly: step 2 of 6, label vader: harmgraph label vader --source=sample-con" in captured.err
            else:
                assert "nightly" in captured.out or "--dry-run" in words
        assert (report / "report.html").is_file(), "paths are relative to the job's file"
    finally:
        shutil.rmtree(report, ignore_errors=True)
    outcomes = [[one["outcome"] for one in facts["thresholds"]] for facts in told]
    assert outcomes == [["kept"] * 3 + ["nothing before"] * 2, ["kept"] * 5]
    # The numbers of a run are those of the statistic, in the graph and on the screen.
    numbers = history(graph, "disparity.d_o_minus", category="all").to_dict("records")
    for facts, kept in zip(told, numbers, strict=True):
        assert (facts["state"], facts["exit_code"], facts["message"]) == ("done", 0, None)
        (shown,) = (
            one for one in facts["changes"] if one["metric"] == "disparity.d_o_minus" and one["category"] == "all"
        )
        assert (shown["now"], shown["n"], shown["source"]) == (kept["value"], kept["n"], "sample-conceptnet")
    rows = graph.rows("job/history", job="nightly")
    assert [(row["state"], row["exit_code"]) for row in rows] == [("done", 0)] * 2
    assert [row["numbers"] for row in rows] == [len(facts["changes"]) for facts in told[::-1]]
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


def test_statistics(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = (("kind", 1), ("tall", 2), ("awful", 3))
    lawyers = [Triple(Concept("lawyer"), "IsA", Concept(f"{word} person")) for word, _ in says]
    fill(graph, Target("lawyer", "profession"), source="mine")
    fill(graph, Target("judge", "profession"), source="others")
    fill(graph, *lawyers, source="conceptnet")
    label(graph, scorers.get("vader"))
    monkeypatch.chdir(tmp_path)
    lines = [f"a lawyer is {word} in case{number},{given}" for word, given in says for number in range(20)]
    (tmp_path / "labels.csv").write_text("sentence,label\n" + "\n".join(lines) + "\n", encoding="utf-8")
    for line in "".join(blocks("statistics.md", "sh")).splitlines():
        assert not line or main(shlex.split(line, comments=True)[1:]) == 0, line
    kept = history(graph, "overgeneralization.o_plus_corrected", target="lawyer").iloc[0]
    assert kept["value"] == pytest.approx(100 / 3)


def test_outputs(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    says = [Triple(Concept("lawyer"), "IsA", Concept(f"{word} person")) for word in ("kind", "awful")]
    fill(graph, Target("lawyer", "profession"), *says, source="sample-conceptnet")
    label(graph, scorers.get("vader"))
    monkeypatch.chdir(tmp_path)
    for line in blocks("outputs.md", "sh")[0].splitlines():
        words, _, out = line.partition(" > ")
        command = [sys.executable, "-m", "harmgraph", *shlex.split(words)[1:]]
        printed = subprocess.run(command, capture_output=True, check=True, timeout=240).stdout
        assert printed, line
        if out:
            Path(out).write_bytes(printed)
    assert run("outputs.md")["worst"]["o_minus"].to_list() == [50.0]  # type: ignore[index]


def test_add_a_scorer(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    monkeypatch.setitem(sys.modules, "add_a_scorer_md", types.ModuleType("add_a_scorer_md"))
    names = run("add_a_scorer.md")
    report = names["report"]
    assert (report.by, report.labels) == ("insults@1.0", {"negative": 1})  # type: ignore[attr-defined]


def test_prompts(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(DOCS.parent))
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("prompts.md", "csv")
    (tmp_path / "templates.csv").write_text(text, encoding="utf-8")
    for line in "".join(blocks("prompts.md", "sh")).splitlines():
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    names = run("prompts.md")
    rows = str(names["table"]).splitlines()
    assert len(rows) == 1 + 12
    assert len(names["prompts"]) == 2 * 12 + 10 * 2  # type: ignore[arg-type]


def test_counterfactual(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(DOCS.parent))
    monkeypatch.chdir(tmp_path)
    fill(graph, Target("hindu", "religion"), Target("muslim", "religion"), *(Target(x, "profession") for x in "ab"))
    (text,) = blocks("counterfactual.md", "csv")
    about = [Statement(f"{name} is {word}", name) for name in ("nurse", "sheriff") for word in ("kind", "awful")]
    fill(graph, Target("nurse", "profession"), Target("sheriff", "profession"), *about, source="kb")
    label(graph, scorers.get("vader"), source="kb", processes=1)
    (tmp_path / "templates.csv").write_text(text, encoding="utf-8")
    names = run("counterfactual.md")
    row, pairs = names["row"], names["pairs"]
    assert row["i_f"] > 3 * row["i_f_floor"]  # type: ignore[index]
    assert all("sheriff" in (pair["a"], pair["b"]) for pair in pairs[:2])  # type: ignore[index]
    quick = ["--permutations", "5", "--resamples", "5"]
    for line in "".join(blocks("counterfactual.md", "sh")).splitlines():
        words = shlex.split(line, comments=True)[1:]
        assert main([*words, *(quick if words[1] == "counterfactual" and words[0] == "stats" else ())]) == 0, line
    assert main(["stats", "counterfactual", "--source", "from-langfair", "--by", "pair", *quick]) == 1  # not labelled


def test_report(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures of its report stay blank: they are drawn in the tests of the report."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harmgraph.analytics.report.report.render_figure", lambda *_: blank())
    monkeypatch.setattr("harmgraph.analytics.report.report.render_narrow", lambda *_: None)
    sample(graph)
    names = run("report.md")
    assert [str(page) for page in names["pages"]] == ["audit/report.html", "audit/report.json"]  # type: ignore[attr-defined]
    drawing, numbers, subject = names["FIGURE"], Numbers(graph), Subject(SOURCES[:1], ("sentiment",))
    figure = render_figure(drawing, numbers, subject)  # type: ignore[arg-type]
    assert len(figure.axes[0].patches) == 5
    assert render_narrow(drawing, numbers, subject) is not None  # type: ignore[arg-type]
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


def test_regard(graph: Graph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support import tiny_model

    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("kind person")))
    monkeypatch.chdir(tmp_path)
    tiny_model.save(tmp_path / "encoder", classifier=False)
    lines = [f"t{number}\t{label}\tthis person is {label} {number}" for number in range(30) for label in (-1, 0, 1)]
    (tmp_path / "examples.tsv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "people.csv").write_text("sentence,label\na lawyer is kind,1\na lawyer is bad,3\n", encoding="utf-8")
    for line in "".join(blocks("regard.md", "sh")).splitlines():
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    assert graph.rows("label/count", source=None)[0]["statements"] == 1


def test_scorers(graph: Graph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support import tiny_model

    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("kind person")))
    monkeypatch.chdir(tmp_path)
    tiny_model.save(tmp_path / "encoder", classifier=False)
    (tmp_path / "people").mkdir()
    said = [
        (f"group {number} is {word}", place)
        for number in range(30)
        for place, word in enumerate(("kind", "a", "bad"), 1)
    ]
    (tmp_path / "people" / "sentences.txt").write_text("\n".join(text for text, _ in said), encoding="utf-8")
    (tmp_path / "people" / "labels.txt").write_text("\n".join(str(place) for _, place in said), encoding="utf-8")
    for line in "".join(blocks("scorers.md", "sh")).splitlines():
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    assert graph.rows("label/count", source=None)[0]["statements"] == 1


def test_embeddings(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    import numpy as np

    import_triples(graph, *ring(), source="ring")
    monkeypatch.chdir(tmp_path)
    for name, rows in (("E", toy().entities), ("R", toy().relations)):
        np.save(f"{name}.npy", np.ones((len(rows), 4)))
    Path("entities.txt").write_text("\n".join(toy().entities), encoding="utf-8")
    Path("relations.txt").write_text("\n".join(toy().relations), encoding="utf-8")
    for block in blocks("embeddings.md", "bash"):
        for line in block.splitlines():
            assert main(shlex.split(line)[1:]) == 0, line
    pytest.importorskip("dgl", reason="the extra harmgraph[dgl] is not installed")
    names = run("embeddings.md")
    # A score near 0 is a difference of larger terms, which the two ways add up in another order.
    assert names["scores"][0, 5] == pytest.approx(names["same"][0].item(), abs=1e-5)  # type: ignore[index]
    assert names["graph_for_dgl"].num_edges() == len(toy())  # type: ignore[attr-defined]
    assert names["graph_for_pyg"].num_edges == len(toy())  # type: ignore[attr-defined]
