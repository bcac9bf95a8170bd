"""The statements behind the numbers that exceed a threshold, so that an alert shows what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harmgraph.analytics.jobs.threshold import TOLD, Verdict
from harmgraph.analytics.statistics.saved_number import Number
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.graph.connection import Graph

STATEMENTS = 10
"""How many of each number."""


def with_statements(graph: Graph, verdict: Verdict) -> Verdict:
    """The verdict, with statements behind those of its numbers that are told."""
    told = [replace(over, statements=behind(graph, over.change.now)) for over in verdict.over[:TOLD]]
    return replace(verdict, over=(*told, *verdict.over[TOLD:]))


def behind(graph: Graph, number: Number) -> tuple[Mapping[str, Any], ...]:
    """The strongest statements that a number counts; none where its statistic does not say which these are.

    Returns:
        Rows of ``cypher/job/statements``.
    """
    name, _, column = number.metric.partition(".")
    labels = statistic(name).behind(column) if name in statistic_names() else None
    if labels is None:
        return ()
    rows = graph.rows(
        "job/statements",
        target=number.target,
        category=None if number.category == "all" else number.category,
        source=number.source,
        lists=None if number.lists is None else [one.rpartition("@")[0] for one in number.lists],
        measure=number.measure,
        labels=list(labels),
        limit=STATEMENTS,
    )
    return tuple(dict(row) for row in rows)
