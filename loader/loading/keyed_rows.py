"""Rows by key, on disk; of equal keys the last row is kept. Memory does not grow with the rows, up to tens of millions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harmgraph.graph.common.spill import PARTS, Spill

WAITING = 256  # rows of a part that are kept in memory


class KeyedRows:
    """Rows divided by the hash of their key into parts, which are merged in memory one at a time.

    Args:
        folder: for the temporary files; below harmgraph's home, as the files of the rows are much of a load.
    """

    def __init__(self, folder: Path) -> None:
        remedy = "make room, or set HARMGRAPH_HOME to another folder"
        self._rows: Spill[list[tuple[str, str]]] = Spill(list, folder=folder, remedy=remedy)

    def put(self, key: str, row: str) -> None:
        """Adds a row, which replaces an earlier one with the same key.

        Raises:
            NoSpace: the disk is full.
        """
        part = hash(key) % PARTS
        waiting = self._rows.waiting[part]
        waiting.append((key, row))
        if len(waiting) >= WAITING:
            self._rows.write(part)

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
        count = 0
        with path.open("w", encoding="utf-8", newline="") as out:
            for part in range(PARTS):
                rows = self._take(part)
                for more, lacking in beside:
                    more_rows = more._take(part) if more else {}
                    rows = {key: row + more_rows.get(key, lacking) for key, row in rows.items()}
                if rows:
                    out.write(end.join(map("".join, rows.items())) + end)
                count += len(rows)
        return count

    def _take(self, part: int) -> dict[str, str]:
        """The rows of a part; frees their space on disk, which the output needs."""
        rows: dict[str, str] = {}
        for piece in self._rows.pieces(part):
            rows.update(piece)
        self._rows.drop(part)
        return rows
