"""Work that goes on in a thread while its owner prepares the next piece."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class Background:
    """One thread and one piece at a time: more that wait would only take memory.

    What a piece raises is raised by the next ``run`` or by ``wait``.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._piece: Future[object] | None = None

    def run(self, piece: Callable[[], object]) -> None:
        """Hands over a piece, once the one before is done."""
        self.wait()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="harmgraph")
        self._piece = self._pool.submit(piece)

    def wait(self) -> None:
        """Until what was handed over is done."""
        piece, self._piece = self._piece, None
        if piece:
            piece.result()

    def close(self) -> None:
        """Ends the thread, when the piece under way is done."""
        self._piece = None
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
