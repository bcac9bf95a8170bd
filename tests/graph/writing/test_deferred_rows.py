"""Rows put aside come back where they are wanted, in memory and from the disk."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common import spill
from harmgraph.common.errors import NoSpace
from harmgraph.graph.writing import deferred_rows
from harmgraph.graph.writing.deferred_rows import DeferredRows


@pytest.mark.parametrize("waiting", [1, 3, 1_000])
def test_what_is_wanted_comes_back_in_its_order(monkeypatch: pytest.MonkeyPatch, waiting: int) -> None:
    monkeypatch.setattr(deferred_rows, "WAITING", waiting)
    chance = random.Random(7)
    kept = DeferredRows()
    expected: dict[str, list[int]] = {}
    steps = [("put", f"k{chance.randrange(300)}", number) for number in range(2_000)]
    steps += [("want", f"k{number}", 0) for number in range(0, 300, 3) for _ in range(2)]
    chance.shuffle(steps)
    for step, key, number in steps:
        if step == "want":
            kept.want(key)
        else:
            kept.put(key, (key, number))
            if not int(key[1:]) % 3:
                expected.setdefault(key, []).append(number)
    found: dict[str, list[int]] = {}
    for key, number in kept.rows():
        found.setdefault(key, []).append(number)
    assert found == expected
    assert list(kept.rows()) == []


def test_nothing_wanted_is_nothing() -> None:
    kept = DeferredRows()
    kept.put("a", 1)
    assert list(kept.rows()) == []
    kept.want("a")
    assert list(kept.rows()) == []


def test_any_text_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferred_rows, "WAITING", 1)
    kept = DeferredRows()
    row = ("\ud800", "a\nb\x00", {"x": None, "y": 1.5, "z": True})
    kept.put("\ud800", row)
    kept.want("\ud800")
    assert list(kept.rows()) == [row]


def test_a_full_disk_is_one_of_our_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferred_rows, "WAITING", 1)
    monkeypatch.setattr(spill.tempfile, "TemporaryFile", _full)
    with pytest.raises(NoSpace, match=r"temporary files cannot be written .*set TMPDIR"):
        DeferredRows().put("a", 1)


class Grudging(io.FileIO):
    """A file that takes and gives five bytes at a time, and counts how often it is asked."""

    asked = 0

    def write(self, given: Any) -> int:
        return super().write(memoryview(given)[:5])

    def read(self, size: int | None = -1) -> bytes:
        type(self).asked += 1
        return super().read(min(size or 0, 5))


class Counting(io.FileIO):
    """A file that counts how often it is read."""

    asked = 0

    def read(self, size: int | None = -1) -> bytes:
        type(self).asked += 1
        return super().read(-1 if size is None else size)

    def readinto(self, buffer: Any) -> int:
        type(self).asked += 1
        return super().readinto(buffer) or 0


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[type[io.FileIO]], DeferredRows]:
    """Makes ``DeferredRows`` of 30 rows in a file of a class, which are wanted."""

    def fill(kind: type[io.FileIO]) -> DeferredRows:
        monkeypatch.setattr(deferred_rows, "WAITING", 10)
        monkeypatch.setattr(spill.tempfile, "TemporaryFile", lambda **_: kind(tmp_path / "rows", "w+"))
        kept = DeferredRows()
        for number in range(30):
            kept.put("a", ("a", f"row {number}", number))
        kept.want("a")
        return kept

    return fill


def test_what_the_disk_takes_and_gives_in_pieces_comes_back(filled: Callable[[type[io.FileIO]], DeferredRows]) -> None:
    assert list(filled(Grudging).rows()) == [("a", f"row {number}", number) for number in range(30)]
    assert Grudging.asked > 3


def test_rows_are_read_many_at_a_time(filled: Callable[[type[io.FileIO]], DeferredRows]) -> None:
    assert len(list(filled(Counting).rows())) == 30
    assert Counting.asked <= 3  # once for ten rows; it was more than once for every value


def test_a_file_that_ends_early_is_one_of_our_errors(
    filled: Callable[[type[io.FileIO]], DeferredRows], tmp_path: Path
) -> None:
    with closing(filled(io.FileIO)) as kept:
        os.truncate(tmp_path / "rows", (tmp_path / "rows").stat().st_size - 1)
        with pytest.raises(NoSpace, match=r"temporary files .*they end after \d+ of \d+ bytes"):
            list(kept.rows())


def _full(**_: object) -> None:
    raise OSError(28, "No space left on device")
