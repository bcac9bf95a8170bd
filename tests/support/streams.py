"""A stream in place of stderr that tells when lines have come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import TextIO, cast

WAIT_S = 30  # for what comes after a hundredth of a second


class Log:
    """A stream that is not a terminal and tells when so many lines have come."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._more = threading.Condition()

    def write(self, text: str) -> int:
        with self._more:
            self.lines += [line for line in text.splitlines() if line]
            self._more.notify_all()
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def await_lines(self, count: int) -> None:
        with self._more:
            assert self._more.wait_for(lambda: len(self.lines) >= count, WAIT_S)


@contextmanager
def logged(stream: Log | None = None) -> Iterator[Log]:
    stream = stream or Log()
    with redirect_stderr(cast("TextIO", stream)):
        yield stream
    assert not [thread for thread in threading.enumerate() if thread.name == "harmgraph-progress"]
