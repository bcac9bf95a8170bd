"""Every statement of ``cypher/statistics`` on the large labelled graph; some also where all triples meet a target."""

from __future__ import annotations

from functools import partial
from typing import Any

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph.contents import kept_rows, target_counts
from harmgraph.graph.statements import names, statement
from tests.benchmarks.figures import Figures, median_seconds, timed
from tests.benchmarks.generated import target_names
from tests.benchmarks.labelled_source import NAME, labelled_source
from tests.benchmarks.setting import Setting

COUNTING = ("disparity", "categories", "compare")


def bench(setting: Setting, figures: Figures) -> None:
    """Median of some runs after a first one that compiles the plan."""
    runs = 2 if setting.quick else 5
    with labelled_source(setting) as (graph, labelled):
        figures.add("edges", setting.edges, "")
        figures.add("targets", len(target_names()), "")
        figures.add("statements that name a target", labelled.statements, "")
        for name in names("statistics"):
            seconds = median_seconds(partial(graph.rows, name, **given(name, NAME)), runs)
            figures.add(name, seconds, "s", "under 1")
        kept = [name for name in names("statistics") if kept_rows.NOTE in statement(name).notes]
        for name in kept:
            kept_rows.KEPT.forget()
            rows = partial(statistic(name.removeprefix("statistics/")).rows, graph, **given(name, NAME))
            figures.add(f"{name}, first after a change", timed(rows)[0], "s")
            figures.add(f"{name}, kept", median_seconds(rows, runs), "s", "under 1")
        whole = {
            name: partial(statistic(name.removeprefix("statistics/")).rows, graph, **given(name, NAME)) for name in kept
        }
        for rows in whole.values():
            rows()
        labelling = timed(partial(label, graph, scorers.get("vader"), source=NAME, measure="afterwards"))[0]
        figures.add("label", labelling, "s")
        for name, rows in whole.items():
            figures.add(f"{name}, after label", timed(rows)[0], "s", "under 1")
    with labelled_source(setting, about_targets=True) as (graph, labelled):
        figures.add("all meet a target: statements", labelled.statements, "")
        for name in COUNTING:
            asked = given(f"statistics/{name}", NAME)
            target_counts.KEPT.forget()
            compute = partial(statistic(name).compute, graph, **asked)
            figures.add(f"{name}, first after a change", timed(compute)[0], "s")
            figures.add(f"{name}, counts kept", median_seconds(compute, runs), "s", "under 0.5")
            figures.add(
                f"{name}, as in Neo4j Browser",
                median_seconds(partial(graph.rows, f"statistics/{name}", **asked), runs),
                "s",
            )


def given(name: str, source: str) -> dict[str, Any]:
    """Values for what a statement needs and has no default for."""
    values: dict[str, Any] = {"target": target_names()[0], "source": source, "other": source, "word": "person"}
    needed = [parameter.name for parameter in statement(name).parameters if parameter.required]
    return {parameter: values[parameter] for parameter in needed if parameter in values}
