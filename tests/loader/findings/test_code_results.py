"""Findings stand in SARIF, annotations and summaries at the lines of their files, under ids that stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.code_results import LONGEST, listed_results
from tests.support.sarif import by_statement, lines, results

LINES = ("lawyer\tIsA\tterrible liar", "teacher\tIsA\tkind person", "nurse\tIsA\tawful person")


@pytest.fixture
def checkout(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a knowledge base in a folder whose name an address has to escape, loaded and labelled."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "our data"
    folder.mkdir()
    (folder / "kb.tsv").write_text("\n".join((*LINES, LINES[0])) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    assert main(["load", "triples", "our data/kb.tsv", "--source", "kb", "--no-progress"]) == 0
    assert main(["label", "vader", "--source", "kb", "--no-progress"]) == 0
    return tmp_path


def test_a_list_and_what_is_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    words = ["--source", "kb", "--file", "our data/kb.tsv", "--no-progress", "--sarif", "out.sarif"]
    assert main(["findings", "list", *words, "--output", "csv"]) == 0
    table = capsys.readouterr().out
    assert table.splitlines()[1].endswith(",our data/kb.tsv:1"), "the first line of two"
    first = by_statement(checkout / "out.sarif")
    assert set(first) == {"lawyer IsA terrible liar", "nurse IsA awful person"}
    liar = first["lawyer IsA terrible liar"]
    assert lines(liar) == [("our%20data/kb.tsv", 1)]
    assert lines(liar, "relatedLocations") == [("our%20data/kb.tsv", 4)]
    assert (liar["ruleId"], liar["level"], "baselineState" in liar) == ("sentiment/negative", "warning", False)

    # What is known moves a line down, and another statement is new.
    known = checkout / "known.csv"
    known.write_text(table.splitlines()[0] + "\n" + table.splitlines()[1] + "\n", "utf-8")
    text = "\n".join(("doctor\tIsA\tperson", *LINES)) + "\n"
    (checkout / "our data" / "kb.tsv").write_text(text, "utf-8")
    assert main(["load", "triples", "our data/kb.tsv", "--source", "kb", "--no-progress"]) == 0
    assert main(["label", "vader", "--source", "kb", "--no-progress"]) == 0
    assert main(["findings", "known", "known.csv", *words, "--fail-on-new"]) == 3
    then = by_statement(checkout / "out.sarif")
    moved, new = then["lawyer IsA terrible liar"], then["nurse IsA awful person"]
    assert (moved["baselineState"], moved["level"], lines(moved)) == ("unchanged", "note", [("our%20data/kb.tsv", 2)])
    assert (new["baselineState"], new["level"], lines(new)) == ("new", "error", [("our%20data/kb.tsv", 4)])
    for name in ("fingerprints", "partialFingerprints"):
        assert moved[name] == liar[name], "the same finding in another line"
    assert new["fingerprints"] != moved["fingerprints"]


def test_annotations_and_the_summary(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = checkout / "summary.md"
    steps.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(steps))
    capsys.readouterr()
    words = ["findings", "list", "--source", "kb", "--file", "our data/kb.tsv", "--no-progress"]
    assert main([*words, "--annotations", "github", "--output", "json"]) == 0
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 2, "what is printed stays whole"
    told = [line for line in captured.err.splitlines() if line.startswith("::warning")]
    begins = "::warning file=our data/kb.tsv,line={},title=A statement about a group is negative::{} IsA"
    assert [any(line.startswith(begins.format(*of)) for line in told) for of in ((1, "lawyer"), (3, "nurse"))] == [
        True,
        True,
    ]
    assert len(told) == 2
    assert captured.err.count("::stop-commands::") == 1, "what is printed may quote a command"
    text = steps.read_text("utf-8")
    assert text.startswith("before\n## harmgraph: findings in kb\n")
    assert "Findings: 2 found" in text
    assert "| found | our data/kb.tsv:1 | lawyer IsA terrible liar: negative" in text


def test_a_long_statement_is_short_in_a_message() -> None:
    (result,) = listed_results([Finding("a " * LONGEST)], lambda _: ())
    assert len(result.message) < LONGEST + 100
    assert "…: " in result.message


def test_without_files_there_are_no_lines(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["findings", "list", "--source", "kb", "--sarif", "out.sarif", "--no-progress"]) == 0
    assert "name the files of the source with --file" in capsys.readouterr().err
    assert ["locations" in result for result in results(checkout / "out.sarif")] == [False, False]


def test_another_file_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "other.tsv").write_text("a\tb\tc\n", "utf-8")
    assert main(["findings", "list", "--source", "kb", "--file", "other.tsv", "--sarif", "out.sarif"]) == 1
    assert "is not a file of kb" in capsys.readouterr().err
    assert not (checkout / "out.sarif").exists()


def test_a_file_without_lines_has_rows(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra harmgraph[spark] is not installed")
    import pyarrow

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    texts = ["The judge is kind today.", "The nurse is a terrible liar."]
    parquet.write_table(pyarrow.table({"text": texts}), "kb.parquet")
    assert main(["load", "sentences", "kb.parquet", "--source", "kb", "--no-progress"]) == 0
    assert main(["label", "vader", "--source", "kb", "--no-progress"]) == 0
    words = ["--source", "kb", "--file", "kb.parquet", "--no-progress"]
    assert main(["findings", "list", *words, "--sarif", "out.sarif"]) == 0
    assert lines(by_statement(tmp_path / "out.sarif")[texts[1]]) == [("kb.parquet", 2)]
    assert main(["findings", "export", *words, "--out", "rows.tsv"]) == 0
    assert (
        main(["load", "sentences", "kb.parquet", "--source", "kb", "--exclude", "rows.tsv", "--yes", "--no-progress"])
        == 0
    )
    assert main(["findings", "list", "--source", "kb", "--sarif", "out.sarif"]) == 0
    assert results(tmp_path / "out.sarif") == []
