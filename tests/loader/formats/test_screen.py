"""Lines that are left out many at a time: their numbers, their reasons, and what is never left out."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from harmgraph.common.errors import TooManyRejects
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.formats.lines import LeftOutLines, open_lines
from harmgraph.loader.formats.screen import Screen
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading import records
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.rejects import EARLY
from tests.support.knowledge_bases import conceptnet

SCREEN = Screen({"of a": r"a[^\n]*\n", "of b": r"b\t[^\n]*\n"})


def lines(folder: Path, text: str, screen: Screen) -> list[tuple[int, str, str, int]]:
    path = folder / "kb.tsv"
    path.write_bytes(text.encode())
    with open_lines(path) as found:
        found.screen = screen
        return [
            (line.number, line.text, line.problem, line.count if isinstance(line, LeftOutLines) else 0)
            for line in found
        ]


def test_a_run_has_the_number_of_its_last_line_and_one_reason(tmp_path: Path) -> None:
    assert lines(tmp_path, "x\na1\na2\nb\t1\nb\ny\r\n\na3", SCREEN) == [
        (1, "x", "", 0),
        (3, "", "of a", 2),
        (4, "", "of b", 1),
        (5, "b", "", 0),
        (6, "y", "", 0),
        (7, "", "", 0),
        (8, "", "of a", 1),
    ]


def test_a_run_with_another_number_of_tabs_is_read_line_by_line(tmp_path: Path) -> None:
    screen = Screen({"of a": r"a\t[^\n]*\n"}, tabs=1)
    assert lines(tmp_path, "a\t1\na\t2\n", screen) == [(2, "", "of a", 2)]
    assert [line[1] for line in lines(tmp_path, "a\t1\na\t2\t3\na\t4\n", screen)] == ["a\t1", "a\t2\t3", "a\t4"]


def test_lines_that_are_no_text_or_too_long_are_told_as_before(tmp_path: Path) -> None:
    assert [line[2] for line in lines(tmp_path, "a\x00\na\n", SCREEN)] == ["a NUL byte at column 2", ""]
    (tmp_path / "kb.tsv").write_bytes(b"a\xff\na\n")
    with open_lines(tmp_path / "kb.tsv") as found:
        found.screen = SCREEN
        assert [line.problem for line in found] == ["not UTF-8 (byte 0xff at column 2)", ""]


def test_an_expression_may_have_groups_of_its_own(tmp_path: Path) -> None:
    screen = Screen({"of a": r"(a|A)[^\n]*\n", "of b": r"b(\d)(\d)\n", "of c": r"c\n"})
    assert [line[2] for line in lines(tmp_path, "A\na\nb12\nc\n", screen)] == ["of a", "of b", "of c"]


OTHER = "/a/[/r/IsA/,/c/fr/avocat/,/c/de/mensch/]\t/r/IsA\t/c/fr/avocat\t/c/de/mensch\t{}\n"


def test_too_many_rejected_lines_are_noticed_at_the_same_line(tmp_path: Path) -> None:
    """A screen passes over the line after which the share is looked at first."""
    path = tmp_path / "kb.csv"
    path.write_text("nonsense\n" * 20 + OTHER * (EARLY + 2_000))
    plan = Plan(importers.get("conceptnet"), (path,), "kb", rejects=tmp_path / "rejects.tsv")
    with pytest.raises(TooManyRejects) as found:
        pipeline.dry_run(plan)
    with (
        patch.object(type(plan.importer), "screen", lambda *_: None),
        pytest.raises(TooManyRejects) as without,
    ):
        pipeline.dry_run(plan)
    assert str(found.value) == str(without.value)


def test_lines_that_are_left_out_move_the_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kb.csv"
    path.write_text(OTHER * 30_000)
    told: list[int] = []
    monkeypatch.setattr(records, "progress", lambda _stage, done, _total: told.append(done))
    plan = Plan(importers.get("conceptnet"), (path,), "kb", rejects=tmp_path / "rejects.tsv")
    pipeline.dry_run(plan)
    assert len(set(told)) > 5


@pytest.mark.parametrize("limit", [0, 1, 3, 5])
def test_what_is_counted_is_the_same_without_it(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "kb.csv"
    path.write_text("nonsense\n" + "".join(OTHER * 3 + line for line in conceptnet().splitlines(keepends=True)) + OTHER)
    importer = importers.get("conceptnet")
    plan = Plan(importer, (path,), "kb", limit=limit, max_rejects=0.5, rejects=tmp_path / "rejects.tsv")
    with_it = pipeline.dry_run(plan)
    with patch.object(type(importer), "screen", lambda *_: None):
        without = pipeline.dry_run(plan)
    assert with_it.skipped["another language than en"] > 2
    assert (with_it.read, with_it.records, with_it.skipped, with_it.rejected) == (
        without.read,
        without.records,
        without.skipped,
        without.rejected,
    )
