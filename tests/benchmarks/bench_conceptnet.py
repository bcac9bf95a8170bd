"""A dump like ConceptNet's through the chain that a user runs, from ``load --bulk`` to ``source diff``.

``make bench-large`` runs it at the size of the whole of ConceptNet: 34 million lines, of which 3.4 million are English.
"""

from __future__ import annotations

from functools import partial

import psutil

from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from harmgraph.graph.statements import names
from tests.benchmarks.bench_statistics import given
from tests.benchmarks.conceptnet_like import write_dump
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh
from tests.benchmarks.watched import watched

SOURCE = "conceptnet"
CHANGED = 0.01
MINUTE = 60


def bench(setting: Setting, figures: Figures) -> None:
    """Seconds and the client's peak memory of each command, each in a process of its own, on a store that was empty."""
    first = write_dump(setting.folder / "first.csv.gz", setting.edges)
    second = write_dump(setting.folder / "second.csv.gz", setting.edges, changed=CHANGED)
    fresh()
    chain = 0.0
    peak = 0.0
    loads: list[float] = []
    for what, arguments in (
        ("load --bulk", ("load", "conceptnet", str(first), "--source", SOURCE, "--bulk")),
        ("label vader", ("label", "vader")),
        ("report", ("report", "--out", str(setting.folder / "report"))),
        (f"load again, {CHANGED:.0%} changed", ("load", "conceptnet", str(second), "--source", SOURCE)),
        ("label again", ("label", "vader")),
        ("source diff", ("source", "diff", SOURCE)),
    ):
        done = watched(*arguments)
        chain, peak = chain + done.seconds, max(peak, done.peak)
        if arguments[0] == "load":
            loads.append(done.seconds)
        figures.add(f"{what}", done.seconds, "s", "under 90" if what == "report" else "")
        figures.add(f"{what}: memory of the client", done.peak, "MiB", "under 1,000")
        if what == "label vader":
            chain += _statistics(figures)
    figures.add(f"the chain, {setting.edges:,} lines", chain / MINUTE, "min", "under 25")
    figures.add("second load / first", loads[1] / loads[0], "x", "at most 1")
    figures.add("the largest client", peak, "MiB", "under 1,000")


def _statistics(figures: Figures) -> float:
    """Every statistic, the first time. Returns the seconds of all."""
    total = 0.0
    with Graph.open() as graph:
        for name in names("statistics"):
            seconds, _ = timed(partial(graph.rows, name, **given(name, SOURCE)))
            total += seconds
            figures.add(name, seconds, "s", "under 3")
    pid = server.status().pid
    if pid:
        figures.add("the server after the statistics", psutil.Process(pid).memory_info().rss / 2**20, "MiB")
    return total
