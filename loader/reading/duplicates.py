"""Counts equal records without keeping them in memory."""

from __future__ import annotations

import tempfile
from array import array
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from harmgraph.graph.common.errors import NoSpace

PARTS = 64
WAITING = 1_024  # buffered hashes per part
RECENT = 50_000


class Duplicates:
    """Recognises repetitions of recent records, which it keeps in memory, and counts all repetitions with hashes on disk.

    Memory is limited to twice ``RECENT`` records; the temporary files take 8 bytes per record. The count is one too high if
    two different records have the same 64-bit hash: in a load of n records the probability is n * n / 2**65, which is one in
    ten thousand for 60 million. Every method raises ``NoSpace`` if the files cannot be created or cannot grow.
    """

    def __init__(self) -> None:
        self._recent: dict[str, str] = {}  # content of a record by its identity
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
            # The buffered data are not needed any more, and on a full disk flushing them fails again.
            with suppress(OSError):
                file.close()

    def seen(self, identity: str, content: str = "") -> bool:
        """Adds a record; returns whether a recent record had the same identity, and the last of these the same content.

        False negatives are possible for records that are not recent, false positives are not.

        Args:
            identity: identifies a record; ``count`` counts its repetitions.
            content: everything else. A record with new content is not a repetition, because the last one must be written.
        """
        digest = hash(identity)
        waiting = self._waiting[digest % PARTS]
        # Also for a repetition, because count() needs all records.
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
        """How many of all the records have the identity of an earlier one."""
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
