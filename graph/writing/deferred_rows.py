"""Rows that wait until everything is read, when it is known which of them are wanted; kept on disk if there are many."""

from __future__ import annotations

import marshal
import tempfile
from array import array
from collections.abc import Iterator
from typing import IO, Any

from harmgraph.graph.common.errors import NoSpace

PARTS = 64
WAITING = 1_000  # rows, or keys, of a part that are kept in memory

Place = tuple[int, int]
"""Where a piece was written: its offset in the file and its length, in bytes."""


class Aside:
    """Collects rows by key and, in any order, the keys that are wanted; then returns the rows of the wanted keys, once.

    Equal keys are in the same part, and parts are processed in memory one at a time; a wanted key takes a few dozen bytes. An
    unwanted key is taken for a wanted one if their 64-bit hashes are equal.
    Every method raises ``NoSpace`` if the temporary file cannot be created, cannot grow or cannot be read back.
    """

    def __init__(self) -> None:
        self._rows: list[list[Any]] = [[] for _ in range(PARTS)]
        self._wanted = [array("q") for _ in range(PARTS)]
        self._row_places: list[list[Place]] = [[] for _ in range(PARTS)]  # offsets in the file
        self._wanted_places: list[list[Place]] = [[] for _ in range(PARTS)]
        self._file: IO[bytes] | None = None

    def put(self, key: str, row: Any) -> None:
        """Adds a row of plain values."""
        part = hash(key) % PARTS
        waiting = self._rows[part]
        waiting.append((key, row))
        if len(waiting) >= WAITING:
            self._row_places[part].append(self._dumped(waiting))
            waiting.clear()

    def want(self, key: str) -> None:
        """Marks the rows of a key as wanted."""
        digest = hash(key)
        waiting = self._wanted[digest % PARTS]
        waiting.append(digest)
        if len(waiting) >= WAITING:
            self._wanted_places[digest % PARTS].append(self._dumped(waiting.tobytes()))
            del waiting[:]

    def rows(self) -> Iterator[Any]:
        """The wanted rows; those of one key are in their original order. Empties the collection."""
        for part in range(PARTS):
            wanted = set(self._wanted[part])
            for place in self._wanted_places[part]:
                wanted.update(array("q", self._loaded(place)))
            if not wanted:
                continue
            for place in self._row_places[part]:
                yield from (row for key, row in self._loaded(place) if hash(key) in wanted)
            yield from (row for key, row in self._rows[part] if hash(key) in wanted)
        self.close()

    def close(self) -> None:
        """Drops everything."""
        for lists in (self._rows, self._row_places, self._wanted_places):
            for column in lists:
                column.clear()
        self._wanted = [array("q") for _ in range(PARTS)]
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _dumped(self, content: Any) -> Place:
        left = memoryview(marshal.dumps(content))
        length = len(left)
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="harmgraph-", buffering=0)  # noqa: SIM115 - see close
            start = self._file.seek(0, 2)
            while left:  # an unbuffered file may write only a part
                taken = self._file.write(left)
                if not taken:
                    raise _no_space("nothing more is taken")
                left = left[taken:]
        except OSError as error:
            raise _no_space(error.strerror or str(error)) from error
        return start, length

    def _loaded(self, place: Place) -> Any:
        # Read in one piece: ``marshal.load`` would read every single value separately from an unbuffered file.
        assert self._file is not None
        start, length = place
        data = bytearray()
        try:
            self._file.seek(start)
            while len(data) < length:
                read = self._file.read(length - len(data))
                if not read:
                    raise _no_space(f"they end after {len(data):,} of {length:,} bytes")
                data += read
        except OSError as error:
            raise _no_space(error.strerror or str(error)) from error
        return marshal.loads(data)


def _no_space(why: str) -> NoSpace:
    return NoSpace(
        f"temporary files cannot be written ({why})",
        where=tempfile.gettempdir() if tempfile.tempdir else "",
        remedy="make room, or set TMPDIR to a folder that has some",
    )
