"""Rows by key, on disk; of equal keys the last row is kept. Memory does not grow with the rows, up to tens of millions."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self

PARTS = 64
WAITING = 256  # buffered rows per part


class KeyedRows:
    """Rows divided by the hash of their key into parts, which are merged in memory one at a time.

    Args:
        folder: for the files of the parts; whoever made it removes them.
        name: start of their names, unique in the folder.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._waiting: list[list[tuple[str, str]]] = [[] for _ in range(PARTS)]
        self._files: list[IO[bytes]] = []
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            for part in range(PARTS):
                path = self._folder / f"{self._name}-{part:02d}.part"
                self._files.append(stack.enter_context(path.open("w+b")))
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def put(self, key: str, row: str) -> None:
        """Adds a row, which replaces an earlier one with the same key."""
        part = hash(key) % PARTS
        waiting = self._waiting[part]
        waiting.append((key, row))
        if len(waiting) >= WAITING:
            # Not as lines of text: keys and rows can contain any character.
            marshal.dump(waiting, self._files[part])
            waiting.clear()

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
        file = self._files[part]
        rows: dict[str, str] = {}
        size = file.tell()
        file.seek(0)
        while file.tell() < size:
            rows.update(marshal.load(file))
        rows.update(self._waiting[part])
        file.truncate(0)
        return rows
