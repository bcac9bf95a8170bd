"""Every statement of ``cypher/statistics`` on the large graph with the default targets, labelled."""

from __future__ import annotations

from functools import partial
from typing import Any

from analytics.label import label
from analytics.scorer import scorers
from graph.connection import Graph
from graph.statements import names, statement
from loader import default_targets, pipeline
from loader.importer import importers
from loader.plan import Plan
from tests.benchmarks.figures import Figures, median_seconds
from tests.benchmarks.generated import target_names, write_triples
from tests.benchmarks.setting import Setting, fresh


def bench(setting: Setting, figures: Figures) -> None:
    """Median of some runs after a first one that compiles the plan."""
    path = setting.folder / f"{setting.edges}.tsv"
    write_triples(path, setting.edges)
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, Plan(importers.get("triples"), (path,), "generated"))
        labelled = label(graph, scorers.get("vader"))
        figures.add("edges", setting.edges, "")
        figures.add("targets", len(target_names()), "")
        figures.add("statements that name a target", labelled.statements, "")
        for name in names("statistics"):
            seconds = median_seconds(partial(graph.rows, name, **_given(name)), 2 if setting.quick else 5)
            figures.add(name, seconds, "s", "under 1")


def _given(name: str) -> dict[str, Any]:
    """Values for what a statement needs and has no default for."""
    values: dict[str, Any] = {"target": target_names()[0], "source": "generated", "other": "generated"}
    return {one.name: values[one.name] for one in statement(name).parameters if one.required and one.name in values}
