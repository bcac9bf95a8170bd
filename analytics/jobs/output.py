"""Prints a run of a job: what changed, the result of each threshold, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.clean_text import one_line
from harmgraph.common.json_schema import stamp
from harmgraph.common.output import show, show_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harmgraph.analytics.jobs.compare import ComparedNumbers, ComparedRun, Side
    from harmgraph.analytics.jobs.run import Finished
    from harmgraph.analytics.statistics.saved_number import Change, Number

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
    "scorers",
    "options",
    "unlabelled",
    "number_id",
    "other_lists",
    "other_sources",
)


COMPARED = (
    "number_id",
    "metric",
    "target",
    "category",
    "source",
    "measure",
    "before",
    "after",
    "difference",
    "difference_low",
    "difference_high",
    "before_low",
    "before_high",
    "before_n",
    "after_low",
    "after_high",
    "after_n",
    "only",
)
_ENDS = ("difference_low", "difference_high", "before_low", "before_high", "after_low", "after_high")


def show_finished(finished: Finished, output: str, top: int) -> None:
    """Prints a run.

    Args:
        output: ``table``, ``json`` (one object with everything), or another form, of its numbers.
        top: most rows of the table of changes; 0 for all.
    """
    from harmgraph.analytics.jobs.numbers import largest_first

    rows = [change.row() for change in largest_first(finished.changes)]
    if output == "json":
        show_one({**_summary(finished), "changes": rows}, output)
    elif output != "table":
        show(rows, output, columns=COLUMNS)
    else:
        _tables(finished, top)


def _summary(finished: Finished) -> dict[str, Any]:
    return {
        **stamp(),
        "job": finished.job,
        "run": finished.run,
        "state": finished.state,
        "exit_code": finished.exit_code,
        "failed_step": finished.failed_step or None,
        "message": finished.message or None,
        "seconds": finished.seconds,
        "on_exceeded": finished.alert or None,
        "noted": list(finished.noted),
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


def show_numbers(run: ComparedRun, output: str) -> None:
    """Prints the numbers of a run; as a table without what all have alike."""
    from harmgraph.analytics.jobs.compare import number_rows

    rows = number_rows(run.numbers)
    if output != "table":
        show(rows, output)
        return
    columns = ["number_id", "metric", *_several(run.numbers), "of", "value", "low", "high", "n"]
    shown = [{**row, "of": row["target"] or row["category"]} for row in rows]
    show([{name: row[name] for name in columns} for row in shown], output, title=f"run {run.called}", keys=columns[:1])


def show_comparison(
    compared: ComparedNumbers, before: str, after: str, output: str, *, changed: bool, top: int
) -> None:
    """Prints two runs side by side.

    Args:
        before, after: what the user calls them.
        changed: only what differs.
        top: most rows of a table; 0 for all.
    """
    from harmgraph.analytics.jobs.compare import pair_row, single_row

    pairs = [pair for pair in compared.pairs if not changed or not pair.is_equal]
    alone: tuple[tuple[Side, str, Sequence[Number]], ...] = (
        ("before", before, compared.gone),
        ("after", after, compared.new),
    )
    if output == "table":
        from harmgraph.analytics.jobs.numbers import largest_first

        several = _several([*(pair.now for pair in compared.pairs), *compared.gone, *compared.new])
        keys = ("metric", "of", *several)
        both = [_compared_row(pair_row(pair)) for pair in largest_first(pairs)]
        if both or not (compared.gone or compared.new):
            columns = (*keys, "before", "after", "difference", "n", *_ENDS)
            first = ("before", "after", "difference", "n")
            title = f"{before} and {after}"
            show(both[: top or None], output, columns=columns, title=title, keys=keys, first=first)
        for side, called, numbers in alone:
            rows = [{**_compared_row(row := single_row(number, side)), "value": row[side]} for number in numbers]
            if rows:
                show(rows[: top or None], output, columns=(*keys, "value", "n"), title=f"only in {called}", keys=keys)
        left = sum(max(len(rows) - top, 0) for rows in (pairs, compared.gone, compared.new)) if top else 0
        if left:
            click.echo(f"{left:,} more rows: --top 0, or --output csv", err=True)
    else:
        rows = [pair_row(pair) for pair in pairs]
        rows += [single_row(number, side) for side, _, numbers in alone for number in numbers]
        show(rows, output, columns=COMPARED)
    equal = sum(pair.is_equal for pair in compared.pairs)
    click.echo(
        f"{len(compared.pairs):,} numbers in both runs, {equal:,} of them equal; only in {before}: {len(compared.gone):,}, "
        f"only in {after}: {len(compared.new):,}",
        err=True,
    )
    for line in compared.differs:
        click.echo(one_line(line), err=True)  # it may be of a file from elsewhere
    if compared.without_scorers:
        click.echo("the runs do not both say who labelled, so numbers are paired without their scorers", err=True)


def _several(numbers: Sequence[Number]) -> list[str]:
    """Which of source and measure are not alike in all numbers."""
    values = {name: {getattr(number, name) for number in numbers} for name in ("source", "measure")}
    values["measure"].discard(None)
    return [name for name, distinct in values.items() if len(distinct) > 1]


def _compared_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table: named by target or category, with one count where both runs have the same."""
    return {**row, "of": row["target"] or row["category"], "n": _counts(row)}


def _counts(row: dict[str, Any]) -> Any:
    """The count of a number; of both runs where they differ."""
    counts = list(dict.fromkeys(row[f"{side}_n"] for side in ("before", "after") if row[f"{side}_n"] is not None))
    return counts[0] if len(counts) == 1 else " -> ".join(f"{count:,}" for count in counts) or None


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
