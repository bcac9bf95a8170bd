"""Saves numbers in the graph as ``Run`` and ``Measurement`` nodes, and reads their history."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.statistics.number_id import NumberParts, options_of
from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.common.errors import InputError
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.common.target_lists import sources_of
from harmgraph.common.version import VERSION
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.basis import Basis, basis
from harmgraph.graph.contents.measures import NAMES as MEASURES
from harmgraph.graph.enclosing_run import Enclosing

if TYPE_CHECKING:
    import pandas


AXIS = "axis"
"""The column that says of which measure a row is, in statistics of several."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number to save.

    Attributes:
        metric: its whole name, such as ``disparity.d_r``.
        category: what tells it apart from the other numbers of this name.
        target: that it is of; None if it is of the source.
    """

    metric: str
    category: str
    measure: str | None
    source: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    unlabelled: int | None
    target: str | None = None

    def row(self, run: str, command: str, parameters: Mapping[str, Any], on: Basis) -> dict[str, Any]:
        """As a row of ``cypher/measure/save``."""
        parts = NumberParts(
            metric=self.metric,
            category=self.category,
            target=self.target,
            source=self.source,
            measure=self.measure,
            lists=on.lists,
            scorers=on.scorers if self.measure else (),
            options=options_of(command, parameters, self.metric, of_target=self.target is not None),
        )
        of, name = ("source", self.source) if self.target is None else ("target", self.target)
        named = {"id": f"{run} {self.metric} {self.category} {name}", "number_id": parts.number_id()}
        return {**named, **asdict(self), "of": of, "name": name}


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
    measurements = [
        measurement
        for note in statistic.statement.notes.get("measures", ())
        for measurement in _measurements(statistic, frame, note, parameters)
    ]
    takes = any(parameter.name == LISTS for parameter in statistic.statement.parameters)
    with graph.about(parameters.get(LISTS) or ()):
        on = basis(graph, sources_of(parameters), lists=takes, measures=_measures(parameters))
    return save_run(graph, f"stats {statistic.name}", parameters, measurements, on)


def save_run(
    graph: Graph, command: str, parameters: Mapping[str, Any], measurements: Iterable[Measurement], on: Basis
) -> str:
    """Saves a run with its measurements; in a step of a job it belongs to the job's run.

    Returns:
        The id of the run.
    """
    schema_setup.apply(graph)
    run = uuid.uuid4().hex
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
        rows=[measurement.row(run, command, parameters, on) for measurement in measurements],
        job=step.parameter() if step else None,
    )
    return run


def _measurements(
    statistic: Statistic, frame: pandas.DataFrame, note: str, parameters: Mapping[str, Any]
) -> Iterator[Measurement]:
    kind, *metrics = note.split()
    metrics += [corrected for metric in metrics if (corrected := f"{metric}_corrected") in frame]
    columns = " ".join(statistic.statement.notes.get("scope", ("category",))).split()
    for row in frame.to_dict("records"):
        count = row.get("n", row.get("pairs"))
        for metric in metrics:
            yield Measurement(
                f"{statistic.name}.{metric}",
                "/".join(str(row[column]) for column in columns if column in row) or "all",
                row.get(AXIS) or parameters.get("measure"),
                parameters.get("source"),
                value=_number(row[metric]),
                low=_number(row.get(f"{metric}_low")),
                high=_number(row.get(f"{metric}_high")),
                n=None if count is None else int(count),
                unlabelled=_count(row.get("unlabelled")),
                target=row.get("target") if kind == "target" else None,
            )


def _measures(parameters: Mapping[str, Any]) -> list[str]:
    """The harm measures that the parameters of a statement name."""
    given = [parameters.get(name) for name in MEASURES]
    return [name for one in given if one for name in ([one] if isinstance(one, str) else one)]


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
