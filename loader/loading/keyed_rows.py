"""Rows by key, on disk; of equal keys the last row is kept. Memory does not grow with the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TextIO

from harmgraph.common.spill import PARTS, Spill

WAITING = 256  # rows of a part that are kept in memory
REMEDY = "make room, or set HARMGRAPH_HOME to another folder"
MERGED = 40_000  # rows that are merged in memory at once; a part with more is divided again


class KeyedRows:
    """Rows divided by the hash of their key into parts, which are merged in memory one at a time.

    Args:
        folder: for the temporary files; below harmgraph's home, as the files of the rows are much of a load.
        among: by how much the hash is divided before it gives the part: the rows of a part of a part differ in other digits.
    """

    def __init__(self, folder: Path, among: int = 1) -> None:
        self._rows: Spill[list[tuple[str, str]]] = Spill(list, folder=folder, remedy=REMEDY)
        self._folder = folder
        self._among = among
        self._counts = [0] * PARTS

    def put(self, key: str, row: str) -> None:
        """Adds a row, which replaces an earlier one with the same key.

        Raises:
            NoSpace: the disk is full.
        """
        part = hash(key) // self._among % PARTS
        waiting = self._rows.waiting[part]
        waiting.append((key, row))
        self._counts[part] += 1
        if len(waiting) >= WAITING:
            self._rows.write(part)

    def items(self) -> Iterator[tuple[str, str]]:
        """All rows with their keys; those of one key are in their order."""
        for part in range(PARTS):
            for piece in self._rows.pieces(part):
                yield from piece

    def close(self) -> None:
        """Drops all rows."""
        self._rows.close()

    def write(self, path: Path, end: str, beside: Sequence[tuple[KeyedRows | None, str]] = ()) -> int:
        """Writes ``key``, its row and ``end`` for each key to a file, UTF-8; returns how many.

        Args:
            path: the file.
            end: of each line.
            beside: further rows to append to the line of the same key, each with a default for keys that it lacks; their
                other keys are left out.
        """
        with path.open("w", encoding="utf-8", newline="") as out:
            return self._write(out, end, beside)

    def _write(self, out: TextIO, end: str, beside: Sequence[tuple[KeyedRows | None, str]]) -> int:
        count = 0
        for part in range(PARTS):
            # One key that was put very often would be divided for ever.
            if self._counts[part] > MERGED and self._among < PARTS**4:
                count += self._write_divided(part, out, end, beside)
                continue
            rows = self._take(part)
            for more, lacking in beside:
                more_rows = more._take(part) if more else {}
                rows = {key: row + more_rows.get(key, lacking) for key, row in rows.items()}
            out.writelines(f"{key}{row}{end}" for key, row in rows.items())
            count += len(rows)
        return count

    def _write_divided(self, part: int, out: TextIO, end: str, beside: Sequence[tuple[KeyedRows | None, str]]) -> int:
        with ExitStack() as stack:
            finer = stack.enter_context(closing(self._divided(part)))
            others = [
                (stack.enter_context(closing(more._divided(part))) if more else None, lacking)
                for more, lacking in beside
            ]
            return finer._write(out, end, others)

    def _divided(self, part: int) -> KeyedRows:
        """The rows of a part, divided into parts again; frees their space on disk."""
        finer = KeyedRows(self._folder, self._among * PARTS)
        for piece in self._rows.pieces(part):
            for key, row in piece:
                finer.put(key, row)
        self._rows.drop(part)
        return finer

    def _take(self, part: int) -> dict[str, str]:
        """The rows of a part; frees their space on disk, which the output needs."""
        rows: dict[str, str] = {}
        for piece in self._rows.pieces(part):
            rows.update(piece)
        self._rows.drop(part)
        return rows
