"""Scores texts on all cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import Any, Self

from harmgraph.graph.common.children import end_with_parent
from harmgraph.graph.scorer import Score, Scorer

CHUNK = 1_000
WORTH_A_POOL = 4_000  # texts in one call below which starting processes costs more than it gives


class Workers:
    """A pool of processes that starts with the first call that is worth it.

    Args:
        processes: one for each core where 0; 1 scores in this process.
    """

    def __init__(self, scorer: Scorer, options: Mapping[str, Any], processes: int = 0) -> None:
        self._scorer = scorer
        self._options = dict(options)
        self._processes = (processes or os.cpu_count() or 1) if scorer.workers else 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def scores(self, texts: Sequence[str]) -> Sequence[Score | None]:
        """One score for each text, in their order."""
        if self._processes == 1 or (self._pool is None and len(texts) < WORTH_A_POOL):
            return self._scorer.scores(texts, self._options)
        if self._pool is None:
            # Not forked: this process may run threads, a progress bar's among them.
            self._pool = ProcessPoolExecutor(
                self._processes, multiprocessing.get_context("forkserver"), initializer=_begin_worker
            )
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        results = self._pool.map(self._scorer.scores, chunks, [self._options] * len(chunks))
        return [score for chunk in results for score in chunk]


def _begin_worker() -> None:
    """Ctrl-C reaches every process of the terminal: the parent ends the pool, and where it cannot, its own end does."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
