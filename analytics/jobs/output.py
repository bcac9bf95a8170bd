"""Prints a run of a job: what changed, the result of each threshold, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.output import show, show_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harmgraph.analytics.jobs.numbers import Change
    from harmgraph.analytics.jobs.run import Finished

COLUMNS = (
    "metric",
    "target",
    "category",
    "source",
    "measure",
    "before",
    "now",
    "change",
    "change_percent",
    "now_low",
    "now_high",
    "n",
    "step",
    "lists",
    "sources",
    "other_lists",
    "other_sources",
)


def show_finished(finished: Finished, output: str, top: int) -> None:
    """Prints a run.

    Args:
        output: ``table``, ``json`` (one object with everything) or ``csv`` (its numbers).
        top: most rows of the table of changes; 0 for all.
    """
    from harmgraph.analytics.jobs.numbers import largest_first

    rows = [change.row() for change in largest_first(finished.changes)]
    if output == "json":
        show_one({**_summary(finished), "changes": rows}, output)
    elif output == "csv":
        show(rows, output, columns=COLUMNS)
    else:
        _tables(finished, top)


def _summary(finished: Finished) -> dict[str, Any]:
    return {
        "job": finished.job,
        "run": finished.run,
        "state": finished.state,
        "exit_code": finished.exit_code,
        "failed_step": finished.failed_step or None,
        "message": finished.message or None,
        "seconds": finished.seconds,
        "on_exceeded": finished.alert or None,
        "lists": sorted({name for change in finished.changes for name in change.now.lists or ()}),
        "sources": sorted({name for change in finished.changes for name in change.now.sources or ()}),
        "thresholds": [verdict.facts() for verdict in finished.verdicts],
    }


def _tables(finished: Finished, top: int) -> None:
    from harmgraph.analytics.jobs.numbers import worth_a_row

    chosen = worth_a_row(finished.changes)
    shown = chosen[:top] if top else chosen
    if finished.changes:
        several = [
            name
            for name in ("source", "measure")
            if len({getattr(change.now, name) for change in chosen if getattr(change.now, name) or name == "source"})
            > 1
        ]
        compares = any(change.before for change in finished.changes)
        show(
            [_row(change, several, compares=compares) for change in shown],
            "table",
            title=f"{finished.job}: "
            + ("what changed since the last run" if compares else "measured for the first time"),
            keys=("metric", "of", *several),
            first=("before", "now", "change") if compares else ("now",),
        )
        if len(shown) < len(chosen):
            click.echo(f"{len(chosen) - len(shown):,} more rows: --top 0, or --output csv", err=True)
        if len(chosen) < len(finished.changes):
            click.echo(f"{len(finished.changes) - len(chosen):,} numbers of targets did not change", err=True)
    if finished.verdicts:
        rows = [
            {"threshold": verdict.threshold.text, "numbers": verdict.numbers, "outcome": verdict.outcome}
            for verdict in finished.verdicts
        ]
        show(rows, "table", title="thresholds")
    for line in differences(finished.changes):
        click.echo(line)
    click.echo(f"{finished.job}: {finished.state} in {finished.seconds:,.1f} s, run {finished.run}")


def differences(changes: Sequence[Change]) -> list[str]:
    """How the target lists and sources differ from those of the run before, a line for each that does."""
    lists = dict.fromkeys(change.other_lists for change in changes if change.other_lists)
    sources = dict.fromkeys(change.other_sources for change in changes if change.other_sources)
    return [
        *(
            f"target lists differ from those of the run before: {what}; a change of a number is not drift"
            for what in lists
        ),
        *(f"sources differ from those of the run before: {what}" for what in sources),
    ]


def _row(change: Change, several: list[str], *, compares: bool) -> dict[str, Any]:
    """A row that fits a terminal: it has source and measure only where there are several.

    Args:
        compares: whether there is an earlier run to compare with.
    """
    now = change.now
    return {
        "metric": now.metric,
        "of": now.target or now.category,
        **{name: getattr(now, name) or ("all" if name == "source" else "") for name in several},
        **({"before": change.before.value if change.before else None} if compares else {}),
        "now": now.value,
        **({"change": change.amount, "%": change.percent} if compares else {}),
        "n": now.n,
    }
