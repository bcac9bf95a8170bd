"""A run of a job as JUnit, SARIF, annotations and a summary, each read by its reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase

from harmgraph.__main__ import cli, main
from harmgraph.analytics.jobs.check import checked
from harmgraph.analytics.jobs.ci import StepFindings, junit
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.jobs.run import Finished, RanStep
from harmgraph.common.ci.code_results import CodePlace, CodeResult, CodeRule
from harmgraph.common.ci.github import MOST, ROWS, summary, workflow_commands
from harmgraph.common.ci.sarif import read_sarif, sarif
from harmgraph.common.hidden import without_secrets
from harmgraph.graph.connection import Graph
from tests.support.jobs import MEASURE, write
from tests.support.sarif import by_statement, lines, results

LOAD = '[[step]]\nrun = "load triples"\nfile = "kb.tsv"\n[[step]]\nrun = "label vader"\n'
KNOWN = (
    '[[step]]\nrun = "findings known known.csv --fail-on-new"\noptions = { source = "kb" }\non_failure = "continue"\n'
)
RULE = CodeRule(id="sentiment/negative", title="A title, with: marks", text="What it means.")


def found(message: str, **more: object) -> CodeResult:
    return CodeResult(rule=RULE, id="0" * 16, message=message, level="warning", **more)  # type: ignore[arg-type]


def cases(path: Path) -> dict[str, TestCase]:
    return {case.name: case for suite in JUnitXml.fromfile(str(path)) for case in suite}


def test_a_run_for_ci(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two findings are new and a threshold is exceeded: all three stand in SARIF, the threshold at its line of the job."""
    (folder / ".git").mkdir()
    (folder / "known.csv").write_text("finding,label\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    limits = 'fail_if = [\n"overgeneralization.o_minus > 50",\n"drift overgeneralization.o_minus > 5",\n]\n'
    file = write(folder, f"{limits}{LOAD}{MEASURE}{KNOWN}")
    names = {name: str(folder / f"out.{name}") for name in ("junit", "sarif")}
    words = ["--junit", names["junit"], "--sarif", names["sarif"], "--annotations", "github"]
    assert main(["job", "run", file, *words, "--output", "csv"]) == 3
    captured = capsys.readouterr()
    assert captured.out.startswith("metric,"), "the table stays whole"

    read = cases(Path(names["junit"]))
    assert list(read) == [
        *("load triples", "label vader", "stats overgeneralization", "findings known"),
        *("overgeneralization.o_minus > 50", "drift overgeneralization.o_minus > 5"),
    ]
    ends = {name: [type(result) for result in case.result] for name, case in read.items()}
    assert ends["load triples"] == []
    assert ends["findings known"] == ends["overgeneralization.o_minus > 50"] == [Failure]
    assert ends["drift overgeneralization.o_minus > 5"] == [Skipped], "there is nothing to compare with"
    assert "2 new, 0 changed" in str(read["findings known"].result[0].message)
    (suite,) = JUnitXml.fromfile(names["junit"])
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (6, 2, 0, 1)

    written = results(Path(names["sarif"]))
    assert [result["ruleId"] for result in written].count("sentiment/negative") == 2
    (limit,) = (result for result in written if result["ruleId"].startswith("threshold/"))
    assert lines(limit) == [("audit.toml", 2)]
    liar = by_statement(Path(names["sarif"]))["lawyer IsA dishonest liar"]
    assert (liar["baselineState"], lines(liar)) == ("new", [("kb.tsv", 1)])

    assert sum(line.startswith("::error file=kb.tsv,line=") for line in captured.err.splitlines()) == 2
    text = (folder / "summary.md").read_text("utf-8")
    assert "| overgeneralization.o\\_minus &gt; 50 | exceeded |" in text
    assert "| new | kb.tsv:1 | lawyer IsA dishonest liar: negative" in text


def test_a_job_without_findings_says_so(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    out = folder / "out.sarif"
    assert main(["job", "run", write(folder, MEASURE), "--sarif", str(out), "--annotations", "github"]) == 0
    assert 'no step lists findings; add one with run = "findings list"' in capsys.readouterr().err
    assert results(out) == []


def test_what_was_not_run_is_skipped_and_no_secret_is_written(tmp_path: Path) -> None:
    path = Path(
        write(tmp_path, f'fail_if = "overgeneralization.o_minus > 5"\n{MEASURE}[[step]]\nrun = "source list"\n')
    )
    job = read_job(path)
    why = "exit code 1: http://me:hunter2@host/x?token=hunter2: \x1b refused"
    finished = Finished(
        run="0" * 32,
        job=job.name,
        state="failed",
        exit_code=1,
        failed_step="stats overgeneralization",
        reasons=(why,),
        changes=(),
        verdicts=(),
        seconds=1.5,
        steps=(RanStep(name="stats overgeneralization", seconds=1.25, code=1, why=why),),
    )
    out = tmp_path / "out.xml"
    out.write_bytes(junit(job, checked(cli, job), finished))
    read = cases(out)
    assert [[type(result) for result in case.result] for case in read.values()] == [[Error], [Skipped], [Skipped]]
    assert "hunter2" not in out.read_text("utf-8")
    assert "http://…@host/x?token=…" in str(read["stats overgeneralization"].result[0].message)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("neo4j://me:pa/ss@w@host:7687", "neo4j://…@host:7687"),
        ("https://host/x?api_key=abc&n=1", "https://host/x?api_key=…&n=1"),
        ("https://host/x?n=1 and a@b.org", "https://host/x?n=1 and a@b.org"),
        ("lawyer IsA liar", "lawyer IsA liar"),
        ("a://" * 200_000, "a://" * 200_000),  # in one pass
        ("?" + "token" * 100_000, "?" + "token" * 100_000),
    ],
)
def test_secrets(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_no_text_becomes_a_command_or_a_cell() -> None:
    hostile = found("a\n::error::owned 100% | <b>\r", places=(CodePlace(file="a,b:c.tsv", line=2),))
    (line,) = workflow_commands([hostile])
    assert line == "::warning file=a%2Cb%3Ac.tsv,line=2,title=A title%2C with%3A marks::a ::error::owned 100%25 | <b>"
    row = summary("t|t", [hostile]).splitlines()[-2]
    assert "owned 100% \\| &lt;b&gt;" in row
    assert row.count(" | ") == 3


def test_while_commands_are_stopped_nothing_waits_in_a_buffer() -> None:
    """A runner reads both streams: what is printed within must be out before the end."""
    script = (
        "import sys\nfrom harmgraph.common.ci.github import commands_stopped\n"
        "with commands_stopped('github'):\n    print('::error::owned')\n"
    )
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
    begin, said, end = told.splitlines()
    assert said == "::error::owned"
    assert begin == f"::stop-commands::{end.strip(':')}"


def test_a_file_of_another_run_is_not_read(tmp_path: Path) -> None:
    step = '[[step]]\nrun = "findings list"\noptions = { source = "kb", sarif = "own.sarif" }\n'
    job = read_job(Path(write(tmp_path, step)))
    own = tmp_path / "own.sarif"
    own.write_text(sarif([found("before")]), "utf-8")
    findings = StepFindings(job, checked(cli, job), tmp_path)
    assert findings.results() == []
    own.write_text(sarif([found("now it says more")]), "utf-8")
    assert [result.message for result in findings.results()] == ["now it says more"]


def test_only_so_many_are_told() -> None:
    many = [found(f"number {number}") for number in range(ROWS + 5)]
    told = workflow_commands([*many, found("known", state="unchanged")])
    assert len(told) == MOST + 1
    assert told[-1] == f"::notice title=harmgraph::{ROWS + 5 - MOST} more findings have no annotation"
    assert summary("t", many).count("| found |") == ROWS
    assert "5 more are not shown." in summary("t", many)
    assert "Findings: none" in summary("t", [])


def test_sarif_is_read_back(tmp_path: Path) -> None:
    names = ("our data/ä.tsv", "/tmp/x y.tsv", "not UTF-8 \udcff.tsv")
    places = tuple(CodePlace(file=name, line=line) for line, name in enumerate(names, 1))
    results_ = [found("one", places=places, state="new", properties={"score": -0.5}), found("two")]
    path = tmp_path / "x.sarif"
    path.write_text(sarif(results_), "utf-8")
    assert read_sarif(path) == results_
    assert len(results(path)) == 2
    path.write_text(sarif([]), "utf-8")
    assert (read_sarif(path), results(path)) == ([], [])
