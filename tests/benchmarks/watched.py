"""A command in a process of its own, whose memory is watched: its processes of Python, without the server and its importer."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

EVERY = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Watched:
    """What a command took.

    Attributes:
        peak: MiB, the sum of the peaks of its processes; pages that two share are counted twice.
    """

    seconds: float
    peak: float


def watched(*arguments: str) -> Watched:
    """Runs ``harmgraph`` with these arguments.

    Raises:
        CalledProcessError: it failed; its last lines are printed.
    """
    command = [sys.executable, "-m", "harmgraph", *arguments]
    peaks: dict[int, int] = {}
    started = time.perf_counter()
    with subprocess.Popen(command, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        tree = psutil.Process(process.pid)
        while process.poll() is None:
            with suppress(psutil.Error, OSError, ValueError, IndexError):
                for member in (tree, *tree.children(recursive=True)):
                    status = Path(f"/proc/{member.pid}/status").read_text(encoding="utf-8")
                    if status.startswith("Name:\tpython"):
                        peaks[member.pid] = int(status.split("VmHWM:")[1].split()[0])
            time.sleep(EVERY)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Watched(seconds, sum(peaks.values()) / 1024)
