"""The neutral statistics of Mehrabi et al. 2021, table 7, on the released COMeT generations.

What is asserted was computed outside this project, by a plain loop over the file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.label import label
from analytics.scorer import scorers
from analytics.statistics import statistic
from graph.connection import Graph
from loader.default_targets import ensure
from loader.importer import importers
from loader.pipeline import load
from loader.plan import Plan


@pytest.mark.parametrize(("keep_duplicates", "mean", "variance"), [(True, 62.59, 33.9), (False, 62.51, 33.3)])
def test_comet(graph: Graph, data: Path, keep_duplicates: bool, mean: float, variance: float) -> None:
    ensure(graph)
    file = data / "comet" / "comet_generations.txt"
    report = load(graph, Plan(importers.get("comet"), (file,), "comet", keep_duplicates=keep_duplicates))
    assert (report.read, report.rejected) == (112_200, 0)
    label(graph, scorers.get("vader"))
    row = statistic("neutral")(graph, source="comet").iloc[0]
    assert row["targets"] == 329
    assert row["neutral_mean"] == pytest.approx(mean, abs=0.01)  # paper: 62.6
    assert row["neutral_variance"] == pytest.approx(variance, abs=0.05)  # paper: 33.4
