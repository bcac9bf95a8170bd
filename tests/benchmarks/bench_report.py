"""``harmgraph report`` on the large graph, and the bootstrap of all its intervals."""

from __future__ import annotations

from functools import partial

from harmgraph.analytics.report.report import write_report
from harmgraph.analytics.statistics.bootstrap import with_intervals
from harmgraph.analytics.statistics.statistic import statistic
from tests.benchmarks.figures import Figures, median_seconds, timed
from tests.benchmarks.labelled_source import NAME, labelled_source
from tests.benchmarks.setting import Setting


def bench(setting: Setting, figures: Figures) -> None:
    """The page with all its figures, of one source and one measure."""
    with labelled_source(setting) as (graph, _):
        seconds, _ = timed(partial(write_report, graph, [NAME], setting.folder / "report"))
        figures.add(f"report, {setting.edges:,} edges", seconds, "s", "under 60")
        disparity = statistic("disparity")
        frame = graph.frame(disparity.statement, source=NAME)
    targets = int(frame.loc[frame["category"] == "all", "targets"].iloc[0])
    assert disparity.bootstrap
    seconds = median_seconds(partial(with_intervals, frame, disparity.bootstrap, resamples=2_000, seed=0), 3)
    figures.add(f"bootstrap of all intervals, {targets:,} targets", seconds, "s", "under 2")
