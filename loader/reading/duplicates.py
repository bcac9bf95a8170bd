"""Counts equal records without keeping them in memory."""

from __future__ import annotations

import tempfile
from array import array
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from harmgraph.graph.common.errors import NoSpace

PARTS = 64
WAITING = 1_024  # hashes of a part that wait in memory
RECENT = 50_000


class Duplicates:
    """A window in memory tells at once that a record repeats a recent one; hashes on disk give the count.

    Memory is bounded by twice ``RECENT`` records; the temporary files take 8 bytes a record. Two records that differ share
    a hash of 64 bits once in n * n / 2**65 loads of n records: once in ten thousand of 60 million.
    Every method raises ``NoSpace`` where the files cannot be made or cannot grow.
    """

    def __init__(self) -> None:
        self._recent: dict[str, str] = {}  # what a record says, by what identifies it
        self._older: dict[str, str] = {}
        self._files: list[IO[bytes]] = []
        self._waiting = [array("q") for _ in range(PARTS)]

    def __enter__(self) -> Self:
        try:
            while len(self._files) < PARTS:
                self._files.append(tempfile.TemporaryFile(prefix="harmgraph-"))
        except OSError as error:
            self._close()
            raise _no_space(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for file in self._files:
            # What is still buffered is wanted no more: on a full disk its flush fails again.
            with suppress(OSError):
                file.close()

    def seen(self, identity: str, content: str = "") -> bool:
        """Notes a record; True where the last one of its identity is recent and says the same.

        Args:
            identity: what makes two records one; repetitions of it are what ``count`` counts.
            content: what else the record says. One that says something else is not dropped: the last one is written.
        """
        digest = hash(identity)
        waiting = self._waiting[digest % PARTS]
        # Of a repeated one too: the count below is of records, not of distinct ones.
        waiting.append(digest)
        if len(waiting) == WAITING:
            self._write(digest % PARTS)
        recent = self._recent
        known = recent.get(identity)
        if known is None:
            known = self._older.get(identity)
        if known == content:
            return True
        recent[identity] = content
        if len(recent) >= RECENT:
            self._recent, self._older = {}, recent
        return False

    def _write(self, part: int) -> None:
        try:
            self._waiting[part].tofile(self._files[part])
        except OSError as error:
            raise _no_space(error) from error
        del self._waiting[part][:]

    def count(self) -> int:
        """Records that are equal to an earlier one, over all that were noted."""
        repeated = 0
        for part, file in enumerate(self._files):
            self._write(part)
            digests = array("q")
            try:
                size = file.tell()
                file.seek(0)
                digests.frombytes(file.read(size))
            except OSError as error:
                raise _no_space(error) from error
            repeated += len(digests) - len(set(digests))
        return repeated


def _no_space(error: OSError) -> NoSpace:
    return NoSpace(
        f"temporary files cannot be written ({error.strerror or error})",
        where=tempfile.gettempdir() if tempfile.tempdir else "",
        remedy="make room, or set TMPDIR to a folder that has some (8 bytes a line)",
    )
