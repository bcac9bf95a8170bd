"""How many tokens a run may use. Estimates are replaced by what the server counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

CHARACTERS = 4
"""Of English in a token, in the mean: an estimate for every model."""

LOOK_S = 0.1
"""Seconds between two looks at whether the run was stopped."""


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
        self._reserved = self._under_way = 0
        self._settled = threading.Condition()

    def reserve(self, tokens: int, stopped: Callable[[], bool] = lambda: False) -> bool:
        """Sets an estimate aside; returns False if there is no room for it, or the run was stopped.

        Where the server counts more than was estimated, later estimates are taken for so much more. While others are under way,
        it waits: they may use less than was set aside for them.
        """
        with self._settled:
            while not self._fits(tokens):
                if not self._under_way or stopped():
                    return False
                self._settled.wait(LOOK_S)
            self._reserved += tokens
            self._under_way += 1
            return True

    def settle(self, reserved: int, used: int) -> None:
        """Gives an estimate back and counts what was used.

        Args:
            used: 0 of a question without an answer. That tells nothing of how good estimates are.
        """
        with self._settled:
            self._reserved -= reserved
            self._under_way -= 1
            self._expected += reserved if used else 0
            self.used += used
            self._settled.notify_all()

    def _fits(self, tokens: int) -> bool:
        ratio = max(1.0, self.used / self._expected) if self._expected else 1.0
        return not self.most or self.used + (self._reserved + tokens) * ratio <= self.most
