"""Watches the process list."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

PROC = Path("/proc")


def command_lines() -> Iterator[str]:
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # gone meanwhile, or somebody else's


class Watch(threading.Thread):
    """Notes every command line that shows up until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: set[str] = set()
        self._stop_asked = threading.Event()

    def run(self) -> None:
        while not self._stop_asked.wait(0.05):
            self.seen.update(command_lines())

    def stop(self) -> set[str]:
        self._stop_asked.set()
        self.join()
        return self.seen

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
