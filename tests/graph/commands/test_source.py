"""``harmgraph source``: list, show, drop, diff."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import click
import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest

FIRST = "nurse\tIsA\tkind person\nnurse\tCapableOf\theal\npilot\tIsA\tperson\n"
SECOND = "nurse\tIsA\tkind person\nnurse\tHasA\tshift\n"


def load(path: Path, text: str, *more: str) -> None:
    path.write_text(text)
    assert main(["load", "triples", str(path), "--source", "kb", "--yes", *more]) == 0


@pytest.fixture
def loaded(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "kb.tsv"
    load(path, FIRST, "--version", "1")
    capsys.readouterr()
    return path


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["source", *arguments, "--output", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_list_has_each_source_with_its_counts(loaded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {row["source"]: row for row in rows(capsys, "list")}
    assert set(found) == {"default-targets", "kb"}
    kb = found["kb"]
    assert (kb["statements"], kb["version"], kb["state"], kb["files"]) == (3, "1", "complete", ["kb.tsv"])
    assert found["default-targets"]["statements"] == 329


def test_a_source_shows_the_digest_of_its_file(loaded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = rows(capsys, "show", "kb")
    assert facts["sha256"] == [hashlib.sha256(FIRST.encode()).hexdigest()]
    assert facts["counts"]["relations"] == {"CAPABLE_OF": 1, "IS_A": 2}
    [listed] = [row for row in rows(capsys, "list") if row["source"] == "kb"]
    assert facts["source"] == facts["name"] == "kb"
    assert facts["counts"]["statements"] == listed["statements"] == 3
    assert facts["counts"]["sentences"] == 0
    assert main(["source", "show", "kb"]) == 0
    shown = capsys.readouterr().out
    assert "CapableOf 1, IsA 2" in shown, "as they are read"
    assert "IS_A" not in shown


def test_the_diff_says_what_a_newer_file_changed(loaded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(loaded, SECOND, "--version", "2")
    capsys.readouterr()
    changes = {row.pop("relation"): tuple(row.values()) for row in rows(capsys, "diff", "kb")}
    assert changes == {"CapableOf": (1, 0, 0, 1), "HasA": (0, 1, 1, 0), "IsA": (2, 1, 0, 1), "(all)": (3, 2, 1, 2)}


def test_the_diff_of_a_first_import_is_all_added(loaded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total = rows(capsys, "diff", "kb")[-1]
    assert total == {"relation": "(all)", "before": 0, "after": 3, "added": 3, "removed": 0}


def test_a_drop_removes_what_came_from_it_alone(loaded: Path, graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    before = loaded.parent / "other.tsv"
    before.write_text("cook\tIsA\tperson\n")
    assert main(["source", "drop", "kb", "--yes"]) == 0
    assert main(["load", "triples", str(before)]) == 0
    alone = digest(graph)
    load(loaded, FIRST)
    assert digest(graph) != alone
    capsys.readouterr()
    assert main(["source", "drop", "kb", "--yes"]) == 0
    assert "removed kb: 3 statements" in capsys.readouterr().out
    assert digest(graph) == alone


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_a_drop_asks_first(
    loaded: Path, graph: Graph, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = digest(graph)
    asked = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        if not answer:
            raise EOFError
        return answer.strip()

    monkeypatch.setattr(click.termui, "visible_prompt_func", typed)
    assert main(["source", "drop", "kb"]) == 1
    assert "Remove kb with its 3 statements?" in asked[0]
    assert digest(graph) == whole


@pytest.mark.parametrize("verb", ["show", "diff", "drop"])
def test_an_unknown_source_lists_what_there_is(loaded: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["source", verb, "kbb"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "no source named 'kbb' in the graph; near: kb" in line


def test_while_another_command_changes_the_graph_nothing_is_dropped(
    loaded: Path, graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    with graph.holding("label vader"):
        assert main(["source", "drop", "kb", "--yes"]) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert "another command is changing the graph: label vader" in line
    assert len(rows(capsys, "list")) == 2


def test_the_diff_tells_of_targets_and_lists_statements(
    loaded: Path, graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", "vader"]) == 0
    load(loaded, SECOND, "--version", "2")
    assert main(["label", "vader"]) == 0
    capsys.readouterr()
    targets = {row["target"]: row for row in rows(capsys, "diff", "kb", "--targets")}
    assert (targets["nurse"]["before"], targets["nurse"]["after"]) == (2, 2)
    assert (targets["nurse"]["added"], targets["nurse"]["removed"]) == (1, 1)
    assert (targets["pilot"]["after"], targets["pilot"]["removed"]) == (0, 1)
    assert (targets["nurse"]["positive_before"], targets["nurse"]["positive_after"]) == (2, 1)
    assert rows(capsys, "diff", "kb", "--statements") == [
        {
            "change": change,
            "targets": [target],
            "statement": statement,
            "before": {"sentiment": label} if change == "removed" else {},
            "now": {"sentiment": label} if change == "added" else {},
        }
        for change, target, statement, label in (
            ("removed", "nurse", "nurse CapableOf heal", "positive"),
            ("removed", "pilot", "pilot IsA person", "neutral"),
            ("added", "nurse", "nurse HasA shift", "neutral"),
        )
    ]
    assert [row["statement"] for row in rows(capsys, "diff", "kb", "--target", "Pilot")] == ["pilot IsA person"]
    assert [row["change"] for row in rows(capsys, "diff", "kb", "--change", "added")] == ["added"]
    # At a terminal all of it at once, and where to look further.
    assert main(["source", "diff", "kb"]) == 0
    captured = capsys.readouterr()
    assert "CapableOf" in captured.out
    assert "kb: by target, sentiment" in captured.out
    assert "harmgraph source diff kb --statements" in captured.err
    assert main(["source", "diff", "kb", "--statements", "--top", "1"]) == 0
    captured = capsys.readouterr()
    assert "pilot IsA person" not in captured.out
    assert "more statements are removed: --top 0" in captured.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--measure", "sentimnt"), "no measure named 'sentimnt' in the graph; near: sentiment"),
        (("--target", "nurze"), "no target named 'nurze' in the graph; near: nurse"),
    ],
)
def test_the_diff_of_an_unknown_name(
    loaded: Path, options: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", "vader"]) == 0
    capsys.readouterr()
    assert main(["source", "diff", "kb", *options]) == 1
    assert says in capsys.readouterr().err
