"""Scores texts in parallel on all cores."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import Any, Self

from harmgraph.common.children import end_with_parent
from harmgraph.common.scorer import Score, Scorer
from harmgraph.common.signals import ignore_in_worker

CHUNK = 1_000
WORTH_A_POOL = 4_000  # with fewer texts in a call, starting processes costs more than it saves


class Workers:
    """A pool of processes that is started by the first call with enough texts.

    Args:
        processes: number of processes; 0 for one per core, 1 to score in this process.

    Attributes:
        texts_at_once: how many texts a call should have.
    """

    def __init__(self, scorer: Scorer, options: Mapping[str, Any], processes: int = 0) -> None:
        self._scorer = scorer
        self._session = scorer.session(options)
        self._options = dict(options)
        self.texts_at_once = scorer.texts_at_once
        self._processes = (processes or os.cpu_count() or 1) if scorer.workers else 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._session.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._pool:
                self._pool.shutdown(cancel_futures=True)
        finally:
            self._session.__exit__(kind, error, trace)

    @property
    def said(self) -> tuple[str, ...]:
        """See ``ScorerSession``."""
        return tuple(self._session.said)

    def foresee(self, texts: Iterable[str]) -> None:
        """See ``ScorerSession``."""
        self._session.foresee(texts)

    def scores(self, texts: Sequence[str]) -> Sequence[Score | None]:
        """One score for each text, in order."""
        if self._processes == 1 or (self._pool is None and len(texts) < WORTH_A_POOL):
            return self._session.scores(texts)
        if self._pool is None:
            # Not forked, since this process may run threads, such as that of a progress bar.
            self._pool = ProcessPoolExecutor(
                self._processes, multiprocessing.get_context("forkserver"), initializer=_begin_worker
            )
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        results = self._pool.map(self._scorer.scores, chunks, [self._options] * len(chunks))
        return [score for chunk in results for score in chunk]


def _begin_worker() -> None:
    """The worker ends with the pool or with its parent, and not by Ctrl-C."""
    end_with_parent()
    ignore_in_worker()
