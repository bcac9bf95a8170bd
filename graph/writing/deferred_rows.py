"""Rows that wait until all else is read, to see which of them are wanted; on disk where they are many."""

from __future__ import annotations

import marshal
import tempfile
from array import array
from collections.abc import Iterator
from typing import IO, Any

from harmgraph.graph.common.errors import NoSpace

PARTS = 64
WAITING = 1_000  # rows, and keys, of a part in memory

Place = tuple[int, int]
"""Of what was written: where it begins in the file, and its length in bytes."""


class Aside:
    """Takes rows by their key and, in any order, the keys that are wanted; gives the rows of those keys, once.

    Equal keys fall into one part; a part at a time is looked at in memory, where a wanted key takes some dozen bytes. A key
    that nobody wants is taken for a wanted one where their hashes of 64 bits are equal.
    Every method raises ``NoSpace`` where the temporary file cannot be made, cannot grow or does not give back what it took.
    """

    def __init__(self) -> None:
        self._rows: list[list[Any]] = [[] for _ in range(PARTS)]
        self._wanted = [array("q") for _ in range(PARTS)]
        self._row_places: list[list[Place]] = [[] for _ in range(PARTS)]  # in the file
        self._wanted_places: list[list[Place]] = [[] for _ in range(PARTS)]
        self._file: IO[bytes] | None = None

    def put(self, key: str, row: Any) -> None:
        """Takes a row of plain values."""
        part = hash(key) % PARTS
        waiting = self._rows[part]
        waiting.append((key, row))
        if len(waiting) >= WAITING:
            self._row_places[part].append(self._dumped(waiting))
            waiting.clear()

    def want(self, key: str) -> None:
        """Notes that the rows of a key are wanted."""
        digest = hash(key)
        waiting = self._wanted[digest % PARTS]
        waiting.append(digest)
        if len(waiting) >= WAITING:
            self._wanted_places[digest % PARTS].append(self._dumped(waiting.tobytes()))
            del waiting[:]

    def rows(self) -> Iterator[Any]:
        """The rows that are wanted; those of one key in their order. None are left."""
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
            while left:  # an unbuffered file may take a part only
                taken = self._file.write(left)
                if not taken:
                    raise _no_space("nothing more is taken")
                left = left[taken:]
        except OSError as error:
            raise _no_space(error.strerror or str(error)) from error
        return start, length

    def _loaded(self, place: Place) -> Any:
        # Read at once: ``marshal.load`` asks an unbuffered file for every single value.
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
