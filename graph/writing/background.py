"""Runs work in a background thread while the caller prepares the next piece."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context


class Background:
    """One thread that runs one piece of work at a time; a queue would only take memory.

    An exception in a piece is raised by the next ``run`` or ``wait``.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._piece: Future[object] | None = None

    def run(self, piece: Callable[[], object]) -> None:
        """Waits for the previous piece, then starts this one in the thread."""
        self.wait()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="harmgraph")
        self._piece = self._pool.submit(copy_context().run, piece)

    def wait(self) -> None:
        """Waits until the current piece is done."""
        piece, self._piece = self._piece, None
        if piece:
            piece.result()

    def close(self) -> None:
        """Ends the thread as soon as the current piece is done."""
        self._piece = None
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
