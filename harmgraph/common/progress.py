"""Progress of long work: a bar at a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import TaskID

from harmgraph.common.clean_text import clean
from harmgraph.common.terminal import console

EVERY_S = 30.0
"""Seconds between two lines if there is no terminal; a stage that took at least as long also gets a line at its end."""


class Progress(Protocol):
    """Receives progress: the stage, how much is done and, if known, the total."""

    def __call__(self, stage: str, done: int, total: int | None = None) -> None: ...


def progress(stage: str, done: int, total: int | None = None) -> None:
    """Says how far a stage is, to ``bar`` or ``receiver`` around this work; to nobody where there is none.

    A thread does not inherit it, unless it runs in a copy of the context (``contextvars``).
    """
    _receives.get()(stage, done, total)


def silent(stage: str, done: int, total: int | None = None) -> None:
    """Shows nothing."""


@contextmanager
def receiver(receives: Progress) -> Iterator[None]:
    """Gives what the work inside says with ``progress`` to a function."""
    token = _receives.set(receives)
    try:
        yield
    finally:
        _receives.reset(token)


@contextmanager
def bar(enabled: bool = True, every_s: float | None = None) -> Iterator[None]:
    """Shows on stderr what the work inside says with ``progress``: a bar at a terminal, else a line now and then.

    A long stage also gets a line at its end. Within the block of another one, such as that of a command that has to start the
    server, its stages are shown there.

    Args:
        enabled: whether to show progress.
        every_s: seconds between two lines, ``EVERY_S`` by default.
    """
    outer = _shown.get()
    if not enabled:
        was = _hidden.set(True)
        try:
            with receiver(silent):
                yield
        finally:
            _hidden.reset(was)
    elif outer:
        with outer.part(), receiver(outer.show):
            yield
    else:
        with BarProgress() if sys.stderr.isatty() else LineProgress(EVERY_S if every_s is None else every_s) as shown:
            token = _shown.set(shown)
            try:
                with receiver(shown.show):
                    yield
            finally:
                _shown.reset(token)


def say(line: str) -> None:
    """Writes a line beside the progress that is shown; nothing where none is."""
    shown = _shown.get()
    if shown:
        shown.say(line)


def notice(line: str) -> None:
    """Writes a line that the user must see: as ``say``, and to stderr too within a ``bar`` that is not enabled."""
    if _shown.get():
        say(line)
    elif _hidden.get():
        _write(line, sys.stderr)


class BarProgress:
    """Progress as bars at a terminal, one for each stage."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._tasks: dict[str, TaskID] = {}
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(show_speed=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console(stderr=True),  # this stream, also while work inside redirects another's prints
            transient=True,
        )

    def __enter__(self) -> BarProgress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def show(self, stage: str, done: int, total: int | None = None) -> None:
        """Shows how far a stage is."""
        if stage not in self._tasks:
            for waited in [name for name, task in self._tasks.items() if self._is_wait(task)]:
                self._bars.remove_task(self._tasks.pop(waited))  # something else is told, so it is over
            self._tasks[stage] = self._bars.add_task(clean(stage), total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)

    def _is_wait(self, task: TaskID) -> bool:
        """Whether a stage counts nothing."""
        return any(each.id == task and not each.total and not each.completed for each in self._bars.tasks)

    def say(self, line: str) -> None:
        """Writes a line above the bars."""
        self._bars.console.print(clean(line), markup=False, highlight=False, soft_wrap=True)

    @contextmanager
    def part(self) -> Iterator[None]:
        """For work inside the work: its stages go when it ends."""
        before = set(self._tasks)
        try:
            yield
        finally:
            for stage in self._tasks.keys() - before:
                self._bars.remove_task(self._tasks.pop(stage))


class LineProgress:
    """Progress as log lines. A thread writes them, so that lines appear even if the work reports nothing for a long time.

    Args:
        every_s: seconds between two lines.
    """

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._stream = sys.stderr  # also while work inside redirects another's prints
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._stage = ""
        self._done = self._first = 0
        self._total: int | None = None
        self._began = 0.0
        self._thread: threading.Thread | None = None

    def __enter__(self) -> LineProgress:
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
                self._stage, self._first, self._began = stage, done, time.monotonic()
            self._done, self._total = done, total
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_now_and_then, name="harmgraph-progress", daemon=True)
            self._thread.start()

    def say(self, line: str) -> None:
        """Writes a line between the others."""
        with self._lock:
            _write(line, self._stream)

    @contextmanager
    def part(self) -> Iterator[None]:
        """For work inside the work: at its end the stage from before goes on."""
        with self._lock:
            before = self._stage, self._done, self._first, self._total, self._began
        try:
            yield
        finally:
            with self._lock:
                if self._stage != before[0]:
                    self._end()
                self._stage, self._done, self._first, self._total, self._began = before

    def _write_now_and_then(self) -> None:
        while not self._over.wait(self._every_s):
            with self._lock:
                if self._stage:
                    seconds = time.monotonic() - self._began
                    _write(f"{self._line()}, {clock(seconds)}{self._left(seconds)}", self._stream)

    def _end(self) -> None:
        """Ends a stage; the caller holds the lock."""
        seconds = time.monotonic() - self._began
        if self._stage and seconds >= self._every_s:
            _write(f"{self._line()}, took {clock(seconds)}", self._stream)
        self._stage = ""

    def _line(self) -> str:
        if not self._total:
            return f"{self._stage}: {self._done:,}" if self._done else self._stage
        percent = 100 * self._done / self._total
        return f"{self._stage}: {self._done:,} of {self._total:,} ({percent:.0f} %)"

    def _left(self, seconds: float) -> str:
        """How long the stage will take at the pace since it began here; empty where nothing tells."""
        done = self._done - self._first
        if not self._total or done <= 0 or self._done >= self._total:
            return ""
        return f", some {clock(seconds / done * (self._total - self._done))} left"


_shown: ContextVar[BarProgress | LineProgress | None] = ContextVar("shown", default=None)
"""What shows progress now."""
_hidden: ContextVar[bool] = ContextVar("hidden", default=False)
"""Whether a command was told to show no progress."""
_receives: ContextVar[Progress] = ContextVar("receives", default=silent)
"""What ``progress`` gives its words to."""


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _write(line: str, stream: TextIO) -> None:
    """Writes a log line; a closed stderr does not end the work."""
    try:
        print(clean(line), file=stream, flush=True)
    except (OSError, ValueError):  # a broken pipe or a closed stream
        return


Tell = Callable[[str], None]


def quiet(_: str) -> None:
    """Prints nothing."""


def terminal(line: str) -> None:
    """Writes the line to stderr if that is a terminal."""
    if sys.stderr.isatty():
        print(clean(line), file=sys.stderr, flush=True)
