"""A load that would remove more than half of a source asks, and refuses where nobody can answer."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest

LINES = 400


@pytest.fixture
def kb(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"h{number}\tIsA\tt\n" for number in range(LINES)))
    assert load(path) == 0
    capsys.readouterr()
    return path


def load(path: Path, *more: str) -> int:
    return main(["load", "triples", str(path), "--output", "json", *more])


def overwrite(path: Path, first: int, last: int) -> None:
    path.write_text("".join(f"h{number}\tIsA\tt\n" for number in range(first, last)))


def test_a_file_that_is_surely_too_short_touches_nothing(
    graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = digest(graph)
    overwrite(kb, 0, LINES // 2 - 1)
    assert load(kb) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("harmgraph: kb: the load would remove at least 201 of its 400 statements")
    assert "nothing was written" in line
    assert "--yes" in line
    assert digest(graph) == whole
    assert load(kb, "--yes") == 0
    assert json.loads(capsys.readouterr().out)["removed"] == LINES // 2 + 1


def test_it_is_asked_once(
    graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = io.StringIO("y\n")
    monkeypatch.setattr(answers, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", answers)
    overwrite(kb, 0, LINES // 2 - 1)
    assert load(kb) == 0
    shown = capsys.readouterr()
    assert shown.err.count("remove at least 201 of its 400 statements?") == 1
    assert json.loads(shown.out)["removed"] == LINES // 2 + 1


def test_half_may_go_unasked(graph: Graph, kb: Path) -> None:
    overwrite(kb, 0, LINES // 2)
    assert load(kb) == 0


@pytest.mark.parametrize("back", [True, False])
def test_a_file_of_other_content_removes_nothing_until_it_is_agreed(
    graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str], back: bool
) -> None:
    earlier = kb.read_text()
    overwrite(kb, LINES // 2 + 1, LINES + LINES // 2 + 1)
    for _ in range(2):
        assert load(kb) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert "would remove 201 of its 400 statements" in line
        assert "marked as unfinished" in line
        assert sources.facts(graph, "kb")["state"] == "loading"
        assert sources.count(graph, sources.Import("kb", "")).total == LINES + LINES // 2 + 1
    if back:
        kb.write_text(earlier)
        assert load(kb) == 0
    else:
        assert load(kb, "--yes") == 0
    assert sources.facts(graph, "kb")["state"] == "complete"
    assert json.loads(capsys.readouterr().out)["in_graph"] == LINES
    assert [row["concepts"] for row in graph.rows("explore/targets")] == [0] * 329


def test_duplicates_do_not_hide_what_would_go(graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb.write_text("h1\tIsA\tt\n" * LINES)
    assert load(kb) == 1
    assert "at least 399 of its 400" in capsys.readouterr().err
