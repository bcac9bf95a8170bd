"""Work that goes on in a thread while its owner prepares the next piece."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

WAITING = 1  # pieces under way or waiting beside the one that is handed over; more would only take memory


class Background:
    """One thread: pieces run one at a time, in the order in which they came.

    What a piece raises is raised by a later ``run`` or by ``wait``. Leaving the block waits for the piece under way and
    drops those behind it.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._pieces: deque[Future[object]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, piece: Callable[[], object]) -> None:
        """Hands over a piece; waits while ``WAITING`` are unfinished."""
        while len(self._pieces) >= WAITING:
            self._pieces.popleft().result()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="harmgraph")
        self._pieces.append(self._pool.submit(piece))

    def wait(self) -> None:
        """Until all that was handed over is done."""
        while self._pieces:
            self._pieces.popleft().result()

    def close(self) -> None:
        """Ends the thread."""
        self._pieces.clear()
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
