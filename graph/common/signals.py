"""Delays Ctrl-C until the end of a step, so that the saved state is complete."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
