"""Looking after processes that a test started, and those that these started."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

PATIENCE = 120.0  # seconds; a bound for a broken run, not a claim


def is_gone(process: psutil.Process) -> bool:
    """Whether it has ended, also where nobody has asked how."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(*processes: psutil.Process) -> None:
    end = time.monotonic() + PATIENCE
    for process in processes:
        while not is_gone(process):
            assert time.monotonic() < end, f"{process} goes on"
            time.sleep(0.01)


def wait_for(happened: Callable[[], object], meanwhile: subprocess.Popen[str] | None = None) -> None:
    """Waits until it is true, while the process runs, where one is named."""
    end = time.monotonic() + PATIENCE
    while not happened():
        if meanwhile is not None and meanwhile.poll() is not None:
            raise AssertionError(f"it ended too soon: {meanwhile.communicate()[1]}")
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def children_of(pid: int) -> list[psutil.Process]:
    """What it started, and what that started, as far as it still runs."""
    with suppress(psutil.NoSuchProcess):
        return [child for child in psutil.Process(pid).children(recursive=True) if not is_gone(child)]
    return []


def named(processes: Iterable[psutil.Process], word: str) -> list[psutil.Process]:
    """Those with the word in their command line."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if any(word in part for part in process.cmdline()):
                found.append(process)
    return found
