"""A step of a pipeline on a thread of its own, so that reading, scoring and writing go on at the same time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from types import TracebackType
from typing import Self


class Stage:
    """Runs calls one after the other, while the caller goes on.

    Args:
        waiting: how many calls may wait beside the one that runs; ``put`` waits for room.
        finishes: whether calls that wait still run when the block ends with an error of its own.

    Attributes:
        seconds: how long the calls have taken together.
        waited: how long ``put`` has waited for room.
    """

    def __init__(self, waiting: int = 1, *, finishes: bool = False) -> None:
        self.seconds = self.waited = 0.0
        self._waiting = waiting
        self._finishes = finishes
        self._thread = ThreadPoolExecutor(1)
        self._calls: deque[Future[None]] = deque()
        self._failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Waits for the call that runs; after an error of the block those that wait are dropped, or run too."""
        self._thread.shutdown(cancel_futures=not self._finishes)

    def put(self, call: Callable[[], None]) -> None:
        """Has a call run after the earlier ones.

        Raises:
            what an earlier call raised; after an error no further call runs.
        """
        began = time.monotonic()
        while self._calls and (self._calls[0].done() or len(self._calls) > self._waiting):
            self._calls.popleft().result()
        self.waited += time.monotonic() - began
        self._calls.append(self._thread.submit(copy_context().run, self._run, call))

    def finish(self) -> None:
        """Waits until all calls have run.

        Raises:
            what a call raised.
        """
        while self._calls:
            self._calls.popleft().result()

    def _run(self, call: Callable[[], None]) -> None:
        if self._failed:
            return
        began = time.monotonic()
        try:
            call()
        except BaseException:
            self._failed = True
            raise
        finally:
            self.seconds += time.monotonic() - began
