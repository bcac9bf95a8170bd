"""The ids of the nodes that a load has seen, by key, using little memory."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

RECENT = 50_000
OLDER = 4_000_000  # 20 bytes each


class KnownNodes:
    """Keeps recent nodes in a dictionary, and older ones as two digests of their key (96 bits together) and their id.

    It may forget a node but does not confuse two nodes, unless their digests are equal: once in 10**16 loads of four million
    nodes.
    """

    def __init__(self) -> None:
        import numpy as np  # imported here, since commands that write nothing import this module too

        self._recent: dict[str, int] = {}
        self._hashes = np.empty(0, np.int64)  # ascending
        self._checks = np.empty(0, np.uint32)
        self._ids = np.empty(0, np.int64)

    def find(self, keys: Collection[str]) -> dict[str, int]:
        """The ids of the known nodes among the keys."""
        import numpy as np

        recent = self._recent
        nodes = {key: recent[key] for key in keys if key in recent}
        if len(self._hashes) and len(nodes) < len(keys):
            left = [key for key in keys if key not in nodes]
            hashes, checks = _digests(left)
            places = np.searchsorted(self._hashes, hashes)
            places[places == len(self._hashes)] = 0
            known = (self._hashes[places] == hashes) & (self._checks[places] == checks)
            ids = self._ids[places].tolist()
            for number in np.flatnonzero(known).tolist():
                nodes[left[number]] = ids[number]
        return nodes

    def add(self, ids: Mapping[str, int]) -> None:
        """Adds nodes that ``find`` did not know."""
        import numpy as np

        self._recent.update(ids)
        if len(self._recent) < RECENT:
            return
        if len(self._hashes) + len(self._recent) > OLDER:
            self._hashes, self._checks, self._ids = self._hashes[:0], self._checks[:0], self._ids[:0]
        hashes, checks = _digests(self._recent)
        numbers = np.fromiter(self._recent.values(), np.int64)
        order = np.argsort(hashes, kind="stable")
        # Put in one array after the other: to sort all anew would take twice the memory of all.
        places = np.searchsorted(self._hashes, hashes[order], side="right")
        self._hashes = np.insert(self._hashes, places, hashes[order])
        self._checks = np.insert(self._checks, places, checks[order])
        self._ids = np.insert(self._ids, places, numbers[order])
        self._recent = {}


def _digests(keys: Collection[str]) -> tuple[Array, Array]:
    import numpy as np

    hashes = np.fromiter(map(hash, keys), np.int64, len(keys))
    checks = np.fromiter((zlib.crc32(key.encode("utf-8", "surrogatepass")) for key in keys), np.uint32, len(keys))
    return hashes, checks
