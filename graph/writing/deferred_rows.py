"""Rows that wait until everything is read, when it is known which of them are wanted; kept on disk if there are many."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from harmgraph.common.spill import PARTS, Spill

WAITING = 1_000  # rows, or keys, of a part that are kept in memory


class DeferredRows:
    """Collects rows by key and, in any order, the keys that are wanted; then returns the rows of the wanted keys, once.

    Equal keys are in the same part, and parts are processed in memory one at a time; a wanted key takes a few dozen bytes. An
    unwanted key is taken for a wanted one if their 64-bit hashes are equal.
    Every method raises ``NoSpace`` if a temporary file cannot be created, cannot grow or cannot be read back.
    """

    def __init__(self) -> None:
        self._rows: Spill[list[tuple[str, Any]]] = Spill(list)
        self._wanted: Spill[array[int]] = Spill(partial(array, "q"))

    def put(self, key: str, row: Any) -> None:
        """Adds a row of plain values."""
        part = hash(key) % PARTS
        waiting = self._rows.waiting[part]
        waiting.append((key, row))
        if len(waiting) >= WAITING:
            self._rows.write(part)

    def want(self, key: str) -> None:
        """Marks the rows of a key as wanted."""
        self._want(hash(key))

    def add(self, rows: Iterable[tuple[str, Any]], wanted: bytes) -> None:
        """Adds what ``NotedRows`` collected; ``wanted`` are the bytes of its hashes."""
        for key, row in rows:
            self.put(key, row)
        digests = array("q")
        digests.frombytes(wanted)
        for digest in digests:
            self._want(digest)

    def _want(self, digest: int) -> None:
        waiting = self._wanted.waiting[digest % PARTS]
        waiting.append(digest)
        if len(waiting) >= WAITING:
            self._wanted.write(digest % PARTS)

    def rows(self) -> Iterator[Any]:
        """The wanted rows; those of one key are in their original order. Empties the collection."""
        for part in range(PARTS):
            wanted: set[int] = set()
            for digests in self._wanted.pieces(part):
                wanted.update(digests)
            if wanted:
                for rows in self._rows.pieces(part):
                    yield from (row for key, row in rows if hash(key) in wanted)
        self.close()

    def close(self) -> None:
        """Drops everything."""
        self._rows.close()
        self._wanted.close()


class NotedRows:
    """Takes what ``DeferredRows`` does, in memory, and gives it to one that knows which rows are wanted.

    Attributes:
        noted: the rows with their keys.
        wanted: the hashes of the wanted keys; they are equal in processes that were forked from the same one.
    """

    def __init__(self) -> None:
        self.noted: list[tuple[str, Any]] = []
        self.wanted = array("q")

    def put(self, key: str, row: Any) -> None:
        """Adds a row of plain values."""
        self.noted.append((key, row))

    def want(self, key: str) -> None:
        """Marks the rows of a key as wanted."""
        self.wanted.append(hash(key))

    def rows(self) -> Iterator[Any]:
        """None: it is known elsewhere which are wanted."""
        return iter(())

    def close(self) -> None:
        """Drops nothing."""
