"""What long work tells of itself, and the bar that shows it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Takes what long work tells: the stage, how much is done and, where known, how much there is."""

    def __call__(self, stage: str, done: int, total: int | None = None) -> None: ...


def silent(stage: str, done: int, total: int | None = None) -> None:
    """Shows nothing."""


@contextmanager
def bar(enabled: bool = True) -> Iterator[Progress]:
    """A progress bar on stderr, silent where stderr is no terminal or ``enabled`` is False."""
    if not enabled or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
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
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None = None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show
