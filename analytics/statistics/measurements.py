"""Saves numbers in the graph as ``Run`` and ``Measurement`` nodes, and reads their history."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.common.errors import InputError
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.common.target_lists import sources_of
from harmgraph.common.version import VERSION
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.basis import Basis, basis
from harmgraph.graph.enclosing_run import Enclosing

if TYPE_CHECKING:
    import pandas


def save_measurements(
    graph: Graph, statistic: Statistic, frame: pandas.DataFrame, parameters: Mapping[str, Any]
) -> str:
    """Saves the numbers of a statistic.

    The header of the statement says which: ``// measures: target o_plus o_minus`` saves two numbers of each row for the row's
    target. A corrected rate is saved twice, as ``o_plus`` and ``o_plus_corrected``; the numbers of a row that adds up targets
    are saved for the source. ``// scope: label other_label`` names the columns that distinguish rows; ``category`` by default.
    In a step of a job the run belongs to the job's run. With them it keeps the target lists and sources that they stand on.

    Returns:
        The id of the run.

    Raises:
        InputError: the header names no number.
    """
    if not statistic.saves:
        raise InputError(f"{statistic.name} has no numbers to save", remedy="write a line 'measures' into its header")
    run = uuid.uuid4().hex
    measurements = [
        measurement
        for note in statistic.statement.notes.get("measures", ())
        for measurement in _measurements(run, statistic, frame, note, parameters)
    ]
    takes = any(parameter.name == LISTS for parameter in statistic.statement.parameters)
    with graph.about(parameters.get(LISTS) or ()):
        on = basis(graph, sources_of(parameters), lists=takes)
    return save_run(graph, run, f"stats {statistic.name}", parameters, measurements, on)


def save_run(
    graph: Graph,
    run: str,
    command: str,
    parameters: Mapping[str, Any],
    measurements: Sequence[Mapping[str, Any]],
    on: Basis,
) -> str:
    """Saves a run with its measurements, rows of ``cypher/measure/save``; in a step of a job it belongs to the job's run.

    Returns:
        The id of the run.
    """
    schema_setup.apply(graph)
    step = Enclosing.from_environment()
    graph.write(
        "measure/save",
        run={
            "id": run,
            "command": command,
            "parameters": json.dumps(dict(parameters), sort_keys=True),
            "versions": json.dumps(versions(graph), sort_keys=True),
            **on.facts(),
        },
        rows=list(measurements),
        job=step.parameter() if step else None,
    )
    return run


def _measurements(
    run: str, statistic: Statistic, frame: pandas.DataFrame, note: str, parameters: Mapping[str, Any]
) -> list[dict[str, Any]]:
    kind, *metrics = note.split()
    metrics += [corrected for metric in metrics if (corrected := f"{metric}_corrected") in frame]
    columns = " ".join(statistic.statement.notes.get("scope", ("category",))).split()
    measurements = []
    for row in frame.to_dict("records"):
        of = "source" if kind == "target" and row.get("target") is None else kind
        name = row.get("target") if of == "target" else parameters.get("source")
        count = row.get("n", row.get("pairs"))
        for metric in metrics:
            full = f"{statistic.name}.{metric}"
            scope = "/".join(str(row[column]) for column in columns if column in row) or "all"
            measurements.append(
                {
                    "id": f"{run} {full} {scope} {name}",
                    "metric": full,
                    "category": scope,
                    "measure": parameters.get("measure"),
                    "source": parameters.get("source"),
                    "value": _number(row[metric]),
                    "low": _number(row.get(f"{metric}_low")),
                    "high": _number(row.get(f"{metric}_high")),
                    "n": None if count is None else int(count),
                    "unlabelled": _count(row.get("unlabelled")),
                    "of": of,
                    "name": name,
                }
            )
    return measurements


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _count(value: Any) -> int | None:
    return None if value is None or math.isnan(value) else int(value)


def versions(graph: Graph) -> dict[str, str]:
    """The versions that a number depends on: those of harmgraph, Neo4j and VADER."""
    return {
        "harmgraph": VERSION,
        "neo4j": str(graph.rows("schema/version")[0]["version"]),
    }


def history(
    graph: Graph,
    metric: str | None = None,
    *,
    category: str | None = None,
    target: str | None = None,
    source: str | None = None,
    measures: Sequence[str] = (),
) -> pandas.DataFrame:
    """A saved number over time: one row for each saved run, the oldest first; of the given measures, or of all."""
    return graph.frame(
        "measure/history",
        metric=metric,
        category=category,
        target=target,
        source=source,
        measures=list(measures) or None,
    )
