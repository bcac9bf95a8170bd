"""Handles signals for the length of a block, delays Ctrl-C until the end of a step, ignores it in a worker."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


@contextmanager
def handled(numbers: Iterable[int], handler: Handler) -> Iterator[None]:
    """Calls a function for these signals until the block ends, then restores what they did; in the main thread only."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def ignore_in_worker() -> None:
    """Ignores Ctrl-C in a worker: it reaches every process of the terminal, and the parent decides when its workers end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def awaited() -> Iterator[Callable[[], bool]]:
    """Yields a function that tells whether Ctrl-C was pressed in the block; a second Ctrl-C interrupts at once.

    Does nothing outside the main thread, where signals do not arrive.
    """
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    with handled((signal.SIGINT,), note):
        yield lambda: pressed
