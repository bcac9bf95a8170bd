"""Every statement of ``cypher/statistics`` on the large graph with the default targets, labelled."""

from __future__ import annotations

from functools import partial
from typing import Any

from harmgraph.graph.statements import names, statement
from tests.benchmarks.figures import Figures, median_seconds
from tests.benchmarks.generated import target_names
from tests.benchmarks.labelled_source import NAME, labelled_source
from tests.benchmarks.setting import Setting


def bench(setting: Setting, figures: Figures) -> None:
    """Median of some runs after a first one that compiles the plan."""
    with labelled_source(setting) as (graph, labelled):
        figures.add("edges", setting.edges, "")
        figures.add("targets", len(target_names()), "")
        figures.add("statements that name a target", labelled.statements, "")
        for name in names("statistics"):
            seconds = median_seconds(partial(graph.rows, name, **given(name, NAME)), 2 if setting.quick else 5)
            figures.add(name, seconds, "s", "under 1")


def given(name: str, source: str) -> dict[str, Any]:
    """Values for what a statement needs and has no default for."""
    values: dict[str, Any] = {"target": target_names()[0], "source": source, "other": source}
    return {one.name: values[one.name] for one in statement(name).parameters if one.required and one.name in values}
