"""``harmgraph --help`` against the start of an empty interpreter, alternately."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from statistics import median

from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting


def bench(setting: Setting, figures: Figures) -> None:
    """Medians of alternating starts, each in a process of its own."""
    contestants = {
        "empty interpreter": [sys.executable, "-c", "pass"],
        "harmgraph --help": [sys.executable, "-m", "harmgraph", "--help"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(5 if setting.quick else 15):
        for name, command in contestants.items():
            seconds[name].append(timed(partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL))[0])
    for name, runs in seconds.items():
        figures.add(name, median(runs) * 1000, "ms")
    empty, started = (median(runs) for runs in seconds.values())
    figures.add("harmgraph --help / empty interpreter", started / empty, "x", "at most 12")
