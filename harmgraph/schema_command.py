"""``harmgraph schema``: the JSON Schema of what a command prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from harmgraph.common.command_line import verbose_option

if TYPE_CHECKING:
    from harmgraph.common.json_schema import Schema

WHOLE = ("report", "job", "event")
NAMED = ("stats", "query")


@click.command("schema")
@click.argument("what", type=click.Choice((*WHOLE, *NAMED)))
@click.argument("name", required=False)
@verbose_option
def schema(what: str, name: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of what a command prints with --output json.

    \b
    harmgraph schema report        the report with --format json
    harmgraph schema job           'job run --output json'
    harmgraph schema event         what on_exceeded of a job hands on
    harmgraph schema stats NAME    'stats NAME'; a line of jsonl is an item
    harmgraph schema query NAME    'query NAME', of a statement of cypher/

    docs/outputs.md says what a new version may change.
    """
    from harmgraph.common.row_forms import json_of

    if (what in NAMED) != bool(name):
        raise click.UsageError(f"write: harmgraph schema {what} NAME" if what in NAMED else f"{what} takes no name")
    click.echo(json_of(schema_of(what, name or ""), indent=2))


def schema_of(what: str, name: str = "") -> Schema:
    """The schema of an output.

    Args:
        what: ``report``, ``job``, ``event``, ``stats`` or ``query``.
        name: of the statistic, or of the statement.

    Raises:
        UnknownMember: there is no statistic of that name, or it computes its columns without a header.
        NotFound: there is no statement of that name.
        InputError: its rows have no columns that are known before it runs.
    """
    if what == "stats":
        return _of_statistic(name.replace("-", "_"))
    if what == "query":
        return _of_statement(name)
    return _whole()[what]()


def _whole() -> Mapping[str, Callable[[], Schema]]:
    from harmgraph.analytics.jobs.job_schema import event_schema, run_schema
    from harmgraph.analytics.report.report_schema import report_schema

    return {"report": report_schema, "job": run_schema, "event": event_schema}


def _of_statistic(name: str) -> Schema:
    from harmgraph.analytics.statistics.computed_statistic import computed
    from harmgraph.analytics.statistics.statistic import statistic
    from harmgraph.analytics.statistics.statistic_schema import statistic_schema
    from harmgraph.common.json_schema import document, several
    from harmgraph.graph.statement_schema import row_schema
    from harmgraph.graph.statements import statement

    if name == "history":
        return document("stats history", "A saved number over time", several(row_schema(statement("measure/history"))))
    if name in computed.names():
        known = computed.get(name)
        title = known.command.get_short_help_str(100)
        return document(f"stats {name}", title, several(known.row_schema()))
    return statistic_schema(statistic(name))


def _of_statement(name: str) -> Schema:
    from harmgraph.common.errors import InputError
    from harmgraph.graph.statement_schema import rows_schema
    from harmgraph.graph.statements import statement

    known = statement(name)
    if not known.columns:
        raise InputError("the statement returns no rows", where=name)
    return rows_schema(known)
