"""Commands that give one number, with the server running: processor time beside that of an empty interpreter, alternately."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from dataclasses import replace
from statistics import median

from harmgraph.graph.connection import Graph
from harmgraph.graph.driver.alone import TABLES
from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import target_names
from tests.benchmarks.labelled_source import labelled_source
from tests.benchmarks.setting import Setting

ALONE = f"import sys; sys.modules |= dict.fromkeys({TABLES!r}); import neo4j"


def bench(setting: Setting, figures: Figures) -> None:
    """Medians of alternating starts, each in a process of its own; a first one of each is not counted."""
    harmgraph = [sys.executable, "-m", "harmgraph"]
    contestants = {
        "empty interpreter": [sys.executable, "-c", "pass"],
        "the driver": [sys.executable, "-c", "import neo4j"],
        "the driver without pandas": [sys.executable, "-c", ALONE],
        "--help": [*harmgraph, "--help"],
        "source list": [*harmgraph, "source", "list"],
        "stats examples": [*harmgraph, "stats", "examples", target_names()[0]],
        "stats relations": [*harmgraph, "stats", "relations"],
        "stats overgeneralization": [*harmgraph, "stats", "overgeneralization"],
        "report": [*harmgraph, "report", "--out", str(setting.folder / "report")],
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    with labelled_source(replace(setting, edges=setting.few)) as (graph, _):
        _warm(graph)
        for _ in range(1 + (5 if setting.quick else 9)):
            for name, command in contestants.items():
                seconds[name].append(_processor_seconds(command))
    for name, runs in seconds.items():
        figures.add(f"{name}, processor time", median(runs[1:]) * 1000, "ms")
    empty, started = (median(seconds[name][1:]) for name in ("empty interpreter", "--help"))
    figures.add("harmgraph --help / empty interpreter", started / empty, "x", "at most 12")


def _warm(graph: Graph) -> None:
    """The server's first answers take longer."""
    for _ in range(20):
        graph.rows("source/list")


def _processor_seconds(command: list[str]) -> float:
    """User and system time of a command. Its modules are compiled once and read then, as those of an installed package are."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
