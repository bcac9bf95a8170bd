"""Ctrl-C that waits for the end of a step, so that what is kept is a whole state."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def awaited() -> Iterator[Callable[[], bool]]:
    """Gives a function that tells whether Ctrl-C was pressed in the block; a second one interrupts at once.

    In a thread other than the main one signals do not arrive, and nothing changes.
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
