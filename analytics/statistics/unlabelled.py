"""How much of what a statistic counts has no label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harmgraph.analytics.labelling.unlabelled import Unlabelled
from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.graph.connection import Graph


def unlabelled(
    statistic: Statistic, graph: Graph, rows: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
) -> list[Unlabelled]:
    """Counts what has no label in a statistic, for each source that it compares; empty if it takes no measure, or only axes.

    Args:
        rows: rows of the statistic. If they count what has no label, the graph is not queried.
        parameters: the parameters that it was called with.
    """
    measures = statistic.measures_of(statistic.statement.arguments(dict(parameters)))
    if not measures or not statistic.labels_all:
        return []
    names = {column.name for column in statistic.columns}
    source, other = parameters.get("source"), parameters.get("other")
    scope = {name: parameters.get(name) for name in ("category", "target")}
    if "unlabelled" in names and names & {"n", "pairs"} and other is None:
        single = [row for row in rows if not pooled(row)]
        count = sum(int(row["n"] if "n" in names else row["pairs"]) for row in single)
        without = sum(int(row["unlabelled"] or 0) for row in single)
        return [Unlabelled(measures, _words([source, *scope.values()]), source, count, without)]
    parts = []
    also = parameters.get("also") or ()
    for name in dict.fromkeys((source, *also, other) if other is not None else (source,)):
        row = graph.rows("measure/unlabelled", measures=list(measures), source=name, **scope)[0]
        of = _words([name, *scope.values()])
        parts.append(Unlabelled(measures, of, name, row["pairs"], row["unlabelled"]))
    return parts


def pooled(row: Mapping[str, Any]) -> bool:
    """Whether a row adds up other rows."""
    return row.get("category") == "all" or ("target" in row and row["target"] is None)


def _words(parts: Iterable[object]) -> str:
    return ", ".join(str(part) for part in parts if part is not None)
