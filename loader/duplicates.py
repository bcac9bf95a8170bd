"""Counts equal records exactly, without keeping them in memory."""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from graph.errors import NoSpace

DIGEST = 16  # bytes
PARTS = 64
RECENT = 100_000


class Duplicates:
    """A window in memory tells at once that a record repeats a recent one; digests on disk give the exact count.

    Memory is bounded by ``RECENT`` digests; the temporary files take 16 bytes a record.
    Every method raises ``NoSpace`` where they cannot be made or cannot grow.
    """

    def __init__(self) -> None:
        self._recent: OrderedDict[bytes, None] = OrderedDict()
        self._files: list[IO[bytes]] = []

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
        """Notes a record; True where one of the last ``RECENT`` distinct ones was equal in all.

        Args:
            identity: what makes two records one; repetitions of it are what ``count`` counts.
            content: what else the record says. One that says something else is not dropped: the last one is written.
        """
        digest = _digest(identity)
        try:
            # Of a repeated one too: the count below is of records, not of distinct ones.
            self._files[digest[0] % PARTS].write(digest)
        except OSError as error:
            raise _no_space(error) from error
        whole = _digest(f"{identity}\x1e{content}") if content else digest
        if whole in self._recent:
            self._recent.move_to_end(whole)
            return True
        self._recent[whole] = None
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return False

    def count(self) -> int:
        """Records that are equal to an earlier one, over all that were noted."""
        repeated = 0
        for file in self._files:
            try:
                file.seek(0)
                content = file.read()
            except OSError as error:
                raise _no_space(error) from error
            digests = {content[start : start + DIGEST] for start in range(0, len(content), DIGEST)}
            repeated += len(content) // DIGEST - len(digests)
        return repeated


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


def _no_space(error: OSError) -> NoSpace:
    return NoSpace(
        f"temporary files cannot be written ({error.strerror or error})",
        where=tempfile.gettempdir() if tempfile.tempdir else "",
        remedy="make room, or set TMPDIR to a folder that has some (16 bytes a line)",
    )
