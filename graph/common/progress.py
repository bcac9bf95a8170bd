"""Progress of long work: a bar at a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from harmgraph.graph.common.clean_text import clean
from harmgraph.graph.common.terminal import console

EVERY_S = 30.0
"""Seconds between two lines if there is no terminal; a stage that took at least as long also gets a line at its end."""


class Progress(Protocol):
    """Receives progress: the stage, how much is done and, if known, the total."""

    def __call__(self, stage: str, done: int, total: int | None = None) -> None: ...


def silent(stage: str, done: int, total: int | None = None) -> None:
    """Shows nothing."""


@contextmanager
def bar(enabled: bool = True, every_s: float | None = None) -> Iterator[Progress]:
    """Shows progress on stderr: a bar at a terminal, else a line now and then and at the end of long stages.

    Args:
        enabled: whether to show progress.
        every_s: seconds between two lines, ``EVERY_S`` by default.
    """
    if not enabled:
        yield silent
        return
    if not sys.stderr.isatty():
        with Lines(EVERY_S if every_s is None else every_s) as lines:
            yield lines.show
        return
    from rich.progress import (
        BarColumn,
        TaskID,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import (
        Progress as Bars,
    )

    with Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None = None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(clean(stage), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show


class Lines:
    """Progress as log lines. A thread writes them, so that lines appear even if the work reports nothing for a long time.

    Args:
        every_s: seconds between two lines.
    """

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._stage = ""
        self._done = 0
        self._total: int | None = None
        self._began = 0.0
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()
        with self._lock:
            self._end()

    def show(self, stage: str, done: int, total: int | None = None) -> None:
        """Notes the progress; writes a line only if this ends a long stage."""
        with self._lock:
            if stage != self._stage:
                self._end()
                self._stage, self._began = stage, time.monotonic()
            self._done, self._total = done, total
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_now_and_then, name="harmgraph-progress", daemon=True)
            self._thread.start()

    def _write_now_and_then(self) -> None:
        while not self._over.wait(self._every_s):
            with self._lock:
                _write(f"{self._line()}, {_clock(time.monotonic() - self._began)}")

    def _end(self) -> None:
        """Ends a stage; the caller holds the lock."""
        seconds = time.monotonic() - self._began
        if self._stage and seconds >= self._every_s:
            _write(f"{self._line()}, took {_clock(seconds)}")
        self._stage = ""

    def _line(self) -> str:
        if not self._total:
            return f"{self._stage}: {self._done:,}" if self._done else self._stage
        percent = 100 * self._done / self._total
        return f"{self._stage}: {self._done:,} of {self._total:,} ({percent:.0f} %)"


def _clock(seconds: float) -> str:
    """Minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _write(line: str) -> None:
    """Writes a log line; a closed stderr does not end the work."""
    try:
        print(clean(line), file=sys.stderr, flush=True)
    except (OSError, ValueError):  # a broken pipe or a closed stream
        return


Tell = Callable[[str], None]


def quiet(_: str) -> None:
    """Prints nothing."""


def terminal(line: str) -> None:
    """Writes the line to stderr if that is a terminal."""
    if sys.stderr.isatty():
        print(clean(line), file=sys.stderr, flush=True)
