"""The JSON Schema of a statistic's rows, from its header."""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.analytics.statistics.tested_rates import POOLED
from harmgraph.common.json_schema import Schema, document, or_null, record, several, typed

CORRECTED = ("_corrected", "_corrected_low", "_corrected_high")
SAMPLE = {"constrained": "bool|null", "judged": "int"}
"""What corrected rows have besides; ``judged`` only by the statistic of a sample."""


def statistic_schema(statistic: Statistic) -> Schema:
    """The schema of what ``harmgraph stats NAME --output json`` prints; a line of ``jsonl`` is one of its items."""
    rows = several(row_schema(statistic, corrected=bool(statistic.corrects)), statistic.statement.description)
    return document(f"stats {statistic.name}", statistic.statement.title, rows)


def row_schema(statistic: Statistic, *, corrected: bool = False) -> Schema:
    """The schema of a row.

    Args:
        corrected: whether it may be one of ``--corrected``, which has rows of all targets together.
    """
    columns = _columns(statistic)
    pooled = {
        f"{test.name}{end}": typed("float|null", "with --pooled")
        for test in statistic.tests
        if test.among_rows
        for end in POOLED
    }
    plain = record({**columns, **pooled}, optional=pooled)
    if not corrected:
        return plain
    rates = {
        f"{name}{end}": typed("float|null", "with --corrected") for name in statistic.corrects for end in CORRECTED
    }
    more = {name: typed(kind, "with --corrected") for name, kind in SAMPLE.items()}
    nulls = {name: or_null(schema) for name, schema in columns.items() if not _is_null(schema)}
    return {"anyOf": [plain, record({**columns, **nulls, **rates, **more}, optional=["judged"])]}


def _is_null(schema: Schema) -> bool:
    return "null" in schema.get("type", ())


def _columns(statistic: Statistic) -> Mapping[str, Schema]:
    """The columns in their order, with the intervals of the bootstrap."""
    bootstrap = statistic.bootstrap
    estimated = {estimate.column for estimate in bootstrap.estimates} if bootstrap else set()
    columns: dict[str, Schema] = {}
    for column in statistic.columns:
        columns[column.name] = typed(column.type, column.meaning)
        if column.name in estimated:
            for end, word in (("low", "lower"), ("high", "upper")):
                meaning = f"{word} end of the 95 % bootstrap interval; null of fewer than three targets"
                columns[f"{column.name}_{end}"] = typed("float|null", meaning)
    return columns
