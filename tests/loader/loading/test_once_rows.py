"""Rows that are written at once, and those that replace them."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from harmgraph.loader.loading import keyed_rows, once_rows
from harmgraph.loader.loading.once_rows import OnceRows

WORDS = ("a", "ä", "b c", "line\nbreak", "x\ry")


def lines(paths: list[Path]) -> list[str]:
    return "".join(path.read_bytes().decode("utf-8") for path in paths).split("|\n")[:-1]


@pytest.mark.parametrize("waiting", [1, 6, 100_000])
def test_of_equal_keys_the_last_row_is_kept(tmp_path: Path, waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once_rows, "WAITING", waiting)
    monkeypatch.setattr(keyed_rows, "WAITING", 2)
    chance = random.Random(7)
    expected: dict[str, str] = {}
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        for number in range(400):
            key = f'"{chance.choice(WORDS)} {chance.randrange(120)}"'
            row = f',"{number}\n"'
            rows.put([(key, row)], surely_new=key not in expected)
            expected[key] = row
        assert sorted(lines(rows.write())) == sorted(key + row for key, row in expected.items())
    assert len(expected) < 400
    assert {path.name for path in tmp_path.iterdir()} == {"rows.csv", "rows-others.csv"}


def test_a_row_that_only_may_be_repeated_moves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OnceRows, "_move", None)  # would fail
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        rows.put([("a", ",1"), ("b", ",2")], surely_new=True)
        rows.put([("c", ",3")], surely_new=False)
        assert lines(rows.write()) == ["a,1", "b,2", "c,3"]
        assert not rows.multiline


@pytest.mark.parametrize("surely_new", [True, False])
def test_a_line_break_within_a_row_is_noted(tmp_path: Path, surely_new: bool) -> None:
    for number, text in enumerate(('"a\nb"', '"a\rb"')):
        with closing(OnceRows(tmp_path, f"rows{number}", "|\n")) as rows:
            rows.put([("a", ",1")], surely_new=True)
            assert not rows.multiline
            rows.put([(text, ",2")], surely_new=surely_new)
            assert rows.multiline
            assert sorted(lines(rows.write())) == sorted(["a,1", text + ",2"])


def test_equal_hashes_of_different_keys_lose_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once_rows, "hash", lambda _: 5, raising=False)
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        rows.put([("a", ",1"), ("b", ",2")], surely_new=True)
        rows.put([("b", ",3")], surely_new=False)
        assert sorted(lines(rows.write())) == ["a,1", "b,3"]


def test_files_without_rows_are_not_named(tmp_path: Path) -> None:
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        assert rows.write() == []
    with closing(OnceRows(tmp_path, "more", "|\n")) as rows:
        rows.put([("a", ",1")], surely_new=False)
        assert [path.name for path in rows.write()] == ["more-others.csv"]


def test_a_full_disk_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").symlink_to("/dev/full")
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        rows.put([("a", ",1")], surely_new=True)  # into the buffer
    with closing(OnceRows(tmp_path, "rows", "|\n")) as rows:
        rows.put([("a", ",1")], surely_new=True)
        with pytest.raises(OSError, match="No space left"):
            rows.write()
