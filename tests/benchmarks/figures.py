"""Figures of a run: printed at once, kept for the JSON file."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number.

    Attributes:
        unit: such as ``edges/s``; ``x`` for a ratio of two figures of the same run.
        wanted: what the project wants of it, as text; empty where nothing.
    """

    benchmark: str
    name: str
    value: float
    unit: str
    wanted: str = ""


class Figures:
    """Collects figures and prints each."""

    def __init__(self) -> None:
        self.all: list[Figure] = []
        self._benchmark = ""

    @contextmanager
    def of(self, benchmark: str) -> Iterator[None]:
        """What is added in the block belongs to this benchmark."""
        self._benchmark = benchmark
        print(f"\n{benchmark}", flush=True)
        yield

    def add(self, name: str, value: float, unit: str, wanted: str = "") -> None:
        """Prints and keeps a figure."""
        self.all.append(Figure(self._benchmark, name, value, unit, wanted))
        shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.3g}"
        print(f"  {name:<58} {shown:>10} {unit:<9}{f'wanted: {wanted}' if wanted else ''}", flush=True)

    def write(self, path: Path) -> None:
        """Writes all figures with the machine and the time as JSON."""
        import os

        machine = {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()}
        content = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "machine": machine,
            "figures": [asdict(figure) for figure in self.all],
        }
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds that the work took, and what it returned."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """Median of the seconds over some repeats, after one that is not counted."""
    work()
    return median(timed(work)[0] for _ in range(repeats))
