"""How often and how long a write is tried again after an error that may pass, such as a broken connection."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import urlsplit

from harmgraph.common.errors import DatabaseFailed
from harmgraph.common.progress import Tell
from harmgraph.graph.address import Address
from harmgraph.graph.driver.refusal import is_gone, read_only, refusal
from harmgraph.graph.server import failures

EMBEDDED_S, ELSEWHERE_S = 30.0, 120.0
"""Seconds of trying: the embedded server is near, the way to another may be broken for a while."""
FIRST_S, MOST_S = 1.0, 8.0
LEADER = 5  # attempts, some 15 s, after which a cluster that takes no writes is not choosing its leader, but read-only
NO_WRITER = "Failed to obtain connection towards 'WRITE'"

T = TypeVar("T")


def patience(address: Address) -> float:
    """How long to try again on a server, in seconds."""
    return EMBEDDED_S if address.embedded else ELSEWHERE_S


class Attempts:
    """Runs pieces of work again until they succeed, until an error is final, or until the time is over.

    The driver could do this too; but its pauses cannot be interrupted, and it does not run again what broke while it was
    committed, since not everything is safe to run twice.

    Args:
        tell: called with a line for the user when a connection broke.
    """

    def __init__(self, address: Address, tell: Tell) -> None:
        self._address = address
        self._tell = tell
        self._over = threading.Event()
        self._told = float("-inf")

    @contextmanager
    def none(self) -> Iterator[None]:
        """Until the block ends nothing is tried again: a command that was interrupted ends at once."""
        self._over.set()
        try:
            yield
        finally:
            self._over.clear()

    def run(self, piece: Callable[[int], T]) -> T:
        """The result of the piece.

        Args:
            piece: safe to run twice; called with the number of earlier attempts.

        Raises:
            DriverError, Neo4jError: the driver's error of the last attempt.
            DatabaseFailed: the database is read-only.
        """
        from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError

        earlier, end, pause = 0, float("inf"), FIRST_S
        while True:
            try:
                return piece(earlier)
            except (DriverError, Neo4jError) as error:
                now = time.monotonic()
                end = min(end, now + patience(self._address))
                self._check_writable(error, earlier)
                if (
                    not (error.is_retryable() or isinstance(error, IncompleteCommit))
                    or now >= end
                    or self._over.is_set()
                ):
                    raise
                if is_gone(error):
                    if self._address.embedded and failures.was_stopped():
                        raise
                    self._tell_of_break(now)
            earlier += 1
            self._over.wait(pause * random.uniform(0.8, 1.2))
            pause = min(2 * pause, MOST_S)

    def _check_writable(self, error: Exception, earlier: int) -> None:
        """The driver takes these errors for some that pass; without a cluster that chooses its leader they do not."""
        routed = urlsplit(self._address.uri).scheme.startswith("neo4j")
        refused = read_only(str(getattr(error, "code", "") or ""), str(getattr(error, "message", "") or ""))
        absent = NO_WRITER in str(error)
        if (refused and not routed) or ((refused or absent) and earlier + 1 >= LEADER):
            meaning = refusal(error, self._address)
            if isinstance(meaning, DatabaseFailed):
                raise meaning from error

    def _tell_of_break(self, now: float) -> None:
        if not self._address.embedded and now - self._told > ELSEWHERE_S:
            self._told = now
            self._tell(f"{self._address.uri}: the connection broke; trying again for {ELSEWHERE_S:.0f} seconds ...")
