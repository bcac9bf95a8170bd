"""Counts equal records exactly, without keeping them in memory."""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from types import TracebackType
from typing import IO, Self

DIGEST = 16  # bytes
PARTS = 64
RECENT = 100_000


class Duplicates:
    """A window in memory tells at once that a record repeats a recent one; digests on disk give the exact count.

    Memory is bounded by ``RECENT`` digests; the temporary files take 16 bytes a record.
    """

    def __init__(self) -> None:
        self._recent: OrderedDict[bytes, None] = OrderedDict()
        self._files: list[IO[bytes]] = []

    def __enter__(self) -> Self:
        self._files = [tempfile.TemporaryFile(prefix="harmgraph-") for _ in range(PARTS)]  # noqa: SIM115 - closed in __exit__
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:
            file.close()

    def seen(self, identity: str) -> bool:
        """Notes a record; True where one of the last ``RECENT`` distinct ones was equal."""
        digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()
        if digest in self._recent:
            self._recent.move_to_end(digest)
            # Written too: the count below is of records, not of distinct ones.
            self._files[digest[0] % PARTS].write(digest)
            return True
        self._recent[digest] = None
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        self._files[digest[0] % PARTS].write(digest)
        return False

    def count(self) -> int:
        """Records that are equal to an earlier one, over all that were noted."""
        repeated = 0
        for file in self._files:
            file.seek(0)
            content = file.read()
            digests = {content[start : start + DIGEST] for start in range(0, len(content), DIGEST)}
            repeated += len(content) // DIGEST - len(digests)
        return repeated
