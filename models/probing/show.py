"""Prints and saves the result of a probe."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import click

from harmgraph.common.errors import InputError
from harmgraph.common.output import show
from harmgraph.common.plotting.canvas import check_ending
from harmgraph.common.whole_file import write_whole
from harmgraph.models.probing.compared import ModelPairs
from harmgraph.models.probing.groups import ALL, Grouped
from harmgraph.models.probing.run import ProbeResult

REMEDY = "choose another file"
NO_RESIDUAL = "a line through the other objects needs 5 objects, and counts that differ"
NAMED = 20  # groups that are too small, on the terminal


def check_files(figure: Path | None, summary: Path | None) -> None:
    """Checks that the files can be written, before anything is computed.

    Raises:
        InputError: the figure has another format, or a folder does not exist.
    """
    check_ending(figure)
    for path in (figure, summary):
        if path and not path.absolute().parent.is_dir():
            raise InputError("its folder does not exist", where=str(path), remedy="create it first")


def chosen(rows: Sequence[Mapping[str, Any]], top: int) -> list[Mapping[str, Any]]:
    """The ``top`` highest and the ``top`` lowest rows, or all if 0; the highest first."""
    return list(rows) if not top or 2 * top >= len(rows) else [*rows[:top], *rows[-top:]]


def present(
    found: ProbeResult | Grouped | ModelPairs, output: str, *, top: int, sort: str, summary: Path | None
) -> None:
    """Prints what a probe found, and writes its summary if a file is named."""
    if isinstance(found, Grouped):
        show_groups(found, output)
        facts = _of_groups(found)
    elif isinstance(found, ModelPairs):
        show_compared(found, output)
        facts = dict(found.summary) | {"pairs": found.rows}
    else:
        if found.explanation:
            show_explanation(found, output, top)
        else:
            show_result(found, output, top, sort)
        facts = dict(found.summary)
    if summary:
        _write(facts, summary)


def show_result(result: ProbeResult, output: str, top: int, sort: str = "score") -> None:
    """Prints the objects, in a table for each side like the paper's, and the summary under them.

    Args:
        sort: ``score``, or ``residual``; objects without one come last, and are on neither side.

    Raises:
        InputError: no object has a residual to sort by.
    """
    columns, ranked = list(result.rows[0]), list(result.rows)
    known = [row for row in ranked if row.get(sort) is not None]
    if not known:
        raise InputError(f"no object has a residual: {NO_RESIDUAL}", remedy="lower --min-count, or leave out --sort")
    if sort != "score":
        known.sort(key=lambda row: (-row[sort], row["entity"]))
        ranked = known + [row for row in ranked if row.get(sort) is None]
    if output != "table":
        show(chosen(known if top else ranked, top), output, columns=columns)
    else:
        summary = result.summary
        more = "" if sort == "score" else ", more than the counts predict"
        shown = [column for column in columns if column != "entity"]
        for title, rows in (
            (f"towards {summary['a']}, from {summary['b']}{more}", known[:top] if top else ranked),
            (f"towards {summary['b']}, from {summary['a']}{more}", known[: -top - 1 : -1] if top else ()),
        ):
            texts = [{column: _text(column, row[column]) for column in shown} for row in rows]
            if texts:
                show(texts, "table", columns=shown, title=title)
    for line in lines(result):
        click.echo(line, err=output != "table")


def show_explanation(result: ProbeResult, output: str, top: int) -> None:
    """Prints the edges that carry the score of an object, those that carry most, and the summary under them."""
    explanation = result.explanation
    if explanation is None:
        return
    rows: Sequence[Mapping[str, Any]] = explanation.rows[: 2 * top or None]
    columns = [*explanation.rows[0]] if explanation.rows else ["at"]
    (of,) = [row for row in result.rows if row["entity"] == explanation.object]
    if output == "table":
        columns = [column for column in columns if column != "neighbour"]
        rows = [{column: _text(column, row[column]) for column in columns} for row in rows]
    title = f"what the score of {explanation.name}, {of['score']:.3g}, loses without these edges"
    show(rows, output, columns=columns, title=title)
    left = len(explanation.rows) - len(rows)
    if left:
        click.echo(f"{left:,} more: show them with --top 0", err=True)
    for line in lines(result):
        click.echo(line, err=output != "table")


def _text(column: str, value: Any) -> Any:
    """A score or a shift with three significant digits, other numbers with three decimals."""
    if isinstance(value, float):
        return f"{value:.3g}" if column.startswith(("score", "residual", "shift")) else f"{value:.3f}"
    return value


def lines(result: ProbeResult) -> list[str]:
    """The lines under the table."""
    summary = result.summary
    texts = [
        counted(summary),
        _shown(summary, summary)
        or f"method: {summary.get('method', '')}" + (f", step {summary['step']:g}" if "step" in summary else ""),
        correlation(summary),
        *_residual(summary),
        *(f"Spearman of {row['of']}: {_correlation(row)}" for row in summary.get("correlations", ())),
    ]
    if "each" in summary:
        texts += _each(summary)
        stable = sum(row["same_sign"] for row in result.rows)
        texts.append(
            f"{stable:,} of {len(result.rows):,} objects keep their sign in all {len(summary['models'])} models"
        )
    if "control" in summary:
        control = summary["control"]
        random = f"control, {control['draws']:,} {control['drawn']} of {control['of']}: "
        texts.append(
            random + "undefined"
            if isnan(control["p"])
            else f"{random}|Spearman| {control['middle']:.2f} in the middle, {control['most']:.2f} at the 95th percentile; "
            f"p = {control['p']:.3g}"
        )
    if "untrained" in summary:
        copies = summary["untrained"]
        of = f"untrained, {len(copies['correlations']):,} copies of {copies['of']}: "
        texts.append(
            of + "undefined"
            if isnan(copies["share"])
            else f"{of}Spearman {copies['least']:.2f} to {copies['most']:.2f}, {copies['middle']:.2f} in the middle; "
            f"{copies['of']} itself {copies['observed']:.2f}; {copies['share']:.0%} of the copies are as far from 0"
        )
    return texts + _left_out(summary)


def _each(summary: Mapping[str, Any]) -> list[str]:
    """The correlation of each model with the counts, and its own facts."""
    return [
        "; ".join(filter(None, (f"  {row['model']}: {_correlation(row)}", _shown(row, summary))))
        for row in summary["each"]
    ]


def _residual(summary: Mapping[str, Any]) -> list[str]:
    """How many scores are not as the counts predict, and how many objects have no residual."""
    found = summary.get("residuals")
    if found is None:
        return []
    known, without = found["n"], summary["objects"] - found["n"]
    texts = [f"residual: the 95 % intervals of {found['beyond']:,} of {known:,} objects leave out 0"] if known else []
    return texts + ([f"residual: undefined for {without:,} objects: {NO_RESIDUAL}"] if without else [])


def _left_out(summary: Mapping[str, Any]) -> list[str]:
    """What the scores are not of."""
    texts = []
    missing = {kind: count for kind, count in summary["without_vector"].items() if count}
    if summary.get("unclear"):
        texts.append(
            f"{summary['unclear']:,} people are left out: their {summary['relation']} is not known well enough"
        )
    if missing:
        texts.append("without a vector, left out: " + ", ".join(f"{count:,} {kind}" for kind, count in missing.items()))
    return texts


def counted(summary: Mapping[str, Any]) -> str:
    """How many objects and people the scores are of."""
    return (
        f"{summary['objects']:,} objects of {summary['object_relation']}; "
        f"{summary['people']:,} people have {summary['relation']}: "
        f"{summary['people_a']:,} {summary['a']}, {summary['people_b']:,} {summary['b']}"
    )


def correlation(summary: Mapping[str, Any]) -> str:
    """The correlation of the scores with the counts of the graph, with its interval."""
    return "Spearman of the score with log((count_a + 1) / (count_b + 1)): " + _correlation(summary)


def _shown(facts: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """The facts that the probe lists under ``shown``."""
    return "; ".join(
        f"{name.replace('_', ' ')}: {_value(value)}"
        for name, value in facts.items()
        if name in summary.get("shown", ()) and value is not None
    )


def _value(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _correlation(facts: Mapping[str, Any]) -> str:
    if isnan(facts["spearman"]):
        return f"undefined for {facts['spearman_n']} objects"
    return f"{facts['spearman']:.2f} ({facts['spearman_low']:.2f} to {facts['spearman_high']:.2f}, n = {facts['spearman_n']})"


def show_compared(pairs: ModelPairs, output: str) -> None:
    """Prints a row for each pair of models, and under them how far each model repeats the counts."""
    summary = pairs.summary
    title = f"{summary['a']} and {summary['b']}: do the models rank the objects alike?"
    show(pairs.rows, output, title=title, keys=("model", "other"))
    texts = [counted(summary), "Spearman of the score with log((count_a + 1) / (count_b + 1)):", *_each(summary)]
    for line in texts + _left_out(summary):
        click.echo(line, err=output != "table")


def show_groups(groups: Grouped, output: str) -> None:
    """Prints a row for each group, and names those that are too small."""
    rows: Sequence[Mapping[str, Any]] = groups.rows
    columns = list(rows[0])
    if output == "table":
        columns.remove("key")
        rows = [{column: _text(column, row[column]) for column in columns} for row in rows]
    facts = groups.summary
    title = f"{facts['a']} and {facts['b']} by {groups.by}: Spearman of the score with the counts, within each group"
    show(rows, output, columns=columns, title=title, keys=("group",), first=("people", "objects", "spearman"))
    lines = [f"{row['group']} ({row['people']:,} people: {row['why']})" for row in groups.too_small[:NAMED]]
    if lines:
        more = f"; and {len(groups.too_small) - NAMED:,} more" if len(groups.too_small) > NAMED else ""
        click.echo(f"too small, {len(groups.too_small):,} groups: {'; '.join(lines)}{more}", err=output != "table")
    if facts["control_of"] and len(facts["models"]) > 1:
        click.echo(f"the control, p and q are of {facts['control_of']} alone", err=output != "table")
    count, draws = sum(row["key"] != ALL for row in groups.rows), facts["draws"]
    if draws and draws < 20 * count - 1:
        click.echo(
            f"q of a single one of {count:,} groups is {count / (draws + 1):.2g} at the least, as p is 1/{draws + 1:,}: "
            f"--control {20 * count - 1} or more lets it reach 0.05",
            err=True,
        )
    if groups.without:
        click.echo(f"in no group: {groups.without:,} people", err=output != "table")


def _of_groups(groups: Grouped) -> dict[str, Any]:
    """Rows, groups that are too small, and facts."""
    return dict(groups.summary) | {"groups": groups.rows, "too_small": groups.too_small, "in_no_group": groups.without}


def _write(facts: Mapping[str, Any], path: Path) -> None:
    """Writes facts as JSON, atomically."""
    from harmgraph.common.row_forms import without_nan

    text = json.dumps(without_nan(facts), indent=2, ensure_ascii=False, allow_nan=False)
    write_whole(path, (text + "\n").encode(), remedy=REMEDY)
