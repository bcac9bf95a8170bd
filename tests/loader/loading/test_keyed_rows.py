"""Rows by key on disk: the last row of a key, whatever the number of rows and of divisions."""

from __future__ import annotations

import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from harmgraph.loader.loading import keyed_rows
from harmgraph.loader.loading.keyed_rows import KeyedRows

ROWS = 20_000


def written(folder: Path, rows: int, *, keys: int = ROWS) -> list[str]:
    """The lines of a table beside another one, which has a row for every third key."""
    with closing(KeyedRows(folder)) as table, closing(KeyedRows(folder)) as other:
        for number in range(rows):
            table.put(f"key {number % keys}", f",{number}")
            if number % 3 == 0:
                other.put(f"key {number}", ",more")
        assert table.write(folder / "table.csv", "\n", [(other, ",none"), (None, ",nothing")]) == min(rows, keys)
    return sorted((folder / "table.csv").read_text(encoding="utf-8").splitlines())


def test_a_table_that_is_divided_again_has_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(tmp_path, ROWS, keys=ROWS // 2)
    assert "key 1,10001,none,nothing" in whole
    assert "key 3,10003,more,nothing" in whole
    monkeypatch.setattr(keyed_rows, "MERGED", 3)  # parts of parts of parts
    assert written(tmp_path, ROWS, keys=ROWS // 2) == whole


def test_a_key_that_is_put_very_often_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed_rows, "MERGED", 3)
    assert written(tmp_path, 100, keys=1) == ["key 0,99,more,nothing"]


def test_memory_does_not_grow_with_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed_rows, "MERGED", 60)
    monkeypatch.setattr(keyed_rows, "WAITING", 2)

    def peak(rows: int) -> int:
        tracemalloc.start()
        with closing(KeyedRows(tmp_path)) as table:
            for number in range(rows):
                table.put(f"key {number}", "a row of some length, as those of a table are")
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            table.write(tmp_path / "table.csv", "\n")
            most = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
        return most

    peak(100)
    assert peak(24_000) < 1.5 * peak(4_000)
