"""Counts equal records without keeping them in memory."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Self

from harmgraph.common.spill import PARTS, REMEDY, Spill

WAITING = 1_024  # hashes of a part that are kept in memory
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
        self._digests: Spill[array[int]] = Spill(partial(array, "q"), remedy=f"{REMEDY} (8 bytes a line)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._digests.close()

    def seen(self, identity: str, content: str = "") -> bool:
        """Adds a record; returns whether a recent record had the same identity, and the last of these the same content.

        False negatives are possible for records that are not recent, false positives are not.

        Args:
            identity: identifies a record; ``count`` counts its repetitions.
            content: everything else. A record with new content is not a repetition, because the last one must be written.
        """
        digest = hash(identity)
        waiting = self._digests.waiting[digest % PARTS]
        # Also for a repetition, because count() needs all records.
        waiting.append(digest)
        if len(waiting) >= WAITING:
            self._digests.write(digest % PARTS)
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

    def digests(self) -> list[array[int]]:
        """The hashes of all records by part, for ``add``."""
        return [sum(self._digests.pieces(part), array("q")) for part in range(PARTS)]

    def add(self, digests: Sequence[bytes]) -> None:
        """Adds records that another process has seen.

        Args:
            digests: the bytes of its ``digests``. Hashes are equal in processes that were forked from the same one.
        """
        for part, more in enumerate(digests):
            waiting = self._digests.waiting[part]
            waiting.frombytes(more)
            if len(waiting) >= WAITING:
                self._digests.write(part)

    def count(self) -> int:
        """How many of all the records have the identity of an earlier one."""
        repeated = 0
        for part in range(PARTS):
            distinct: set[int] = set()
            for digests in self._digests.pieces(part):
                distinct.update(digests)
                repeated += len(digests)
            repeated -= len(distinct)
        return repeated
