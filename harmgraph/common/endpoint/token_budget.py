"""How many tokens a run may use. Estimates are replaced by what the server counts."""

from __future__ import annotations

import threading
from collections.abc import Iterable

CHARACTERS = 4
"""Of English in a token, in the mean: an estimate for every model."""


def estimated(texts: Iterable[str]) -> int:
    """About how many tokens texts have."""
    return -(-sum(map(len, texts)) // CHARACTERS)


class TokenBudget:
    """Counts tokens for several threads.

    Args:
        most: 0 for any number.

    Attributes:
        used: tokens, by the server's count where it gave one.
    """

    def __init__(self, most: int = 0) -> None:
        self.most = most
        self.used = 0
        self._expected = 0
        self._reserved = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> bool:
        """Sets an estimate aside; returns False if there is no room for it.

        Where the server counts more than was estimated, later estimates are taken for so much more.
        """
        with self._lock:
            ratio = max(1.0, self.used / self._expected) if self._expected else 1.0
            if self.most and self.used + (self._reserved + tokens) * ratio > self.most:
                return False
            self._reserved += tokens
            return True

    def settle(self, reserved: int, used: int) -> None:
        """Gives an estimate back and counts what was used."""
        with self._lock:
            self._reserved -= reserved
            self._expected += reserved
            self.used += used
