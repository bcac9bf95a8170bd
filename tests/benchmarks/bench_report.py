"""``harmgraph report`` on the large graph, and the bootstrap of all its intervals."""

from __future__ import annotations

from functools import partial

from analytics.bootstrap import with_intervals
from analytics.label import label
from analytics.report import write
from analytics.scorer import scorers
from analytics.statistics import statistic
from graph.connection import Graph
from loader import default_targets, pipeline
from loader.importer import importers
from loader.plan import Plan
from tests.benchmarks.figures import Figures, median_seconds, timed
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh


def bench(setting: Setting, figures: Figures) -> None:
    """The page with all its figures, of one source and one measure."""
    path = setting.folder / f"{setting.edges}.tsv"
    write_triples(path, setting.edges)
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, Plan(importers.get("triples"), (path,), "generated"))
        label(graph, scorers.get("vader"))
        seconds, _ = timed(partial(write, graph, ["generated"], setting.folder / "report"))
        figures.add(f"report, {setting.edges:,} edges", seconds, "s", "under 60")
        disparity = statistic("disparity")
        frame = graph.frame(disparity.statement, source="generated")
    targets = int(frame.loc[frame["category"] == "all", "targets"].iloc[0])
    seconds = median_seconds(partial(with_intervals, frame, "counts", resamples=2_000, seed=0), 3)
    figures.add(f"bootstrap of all intervals, {targets:,} targets", seconds, "s", "under 2")
