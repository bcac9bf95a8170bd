"""How the result of a probe is printed, kept and drawn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import click

from harmgraph.graph.common.errors import InputError, NoSpace
from harmgraph.graph.common.output import show
from harmgraph.graph.common.whole_file import beside
from harmgraph.models.probing.run import Result

FIGURES = (".png", ".svg", ".pdf")
BLUE, ORANGE = "#0072B2", "#D55E00"
"""Of Okabe and Ito 2008: told apart with every colour vision."""


def check_files(figure: Path | None, summary: Path | None) -> None:
    """Looks whether the files can be written, before anything is computed.

    Raises:
        InputError: another form, or a folder that is not there.
    """
    if figure and figure.suffix.lower() not in FIGURES:
        raise InputError(
            f"cannot draw a {figure.suffix or 'file without an ending'}",
            where=str(figure),
            remedy="write .png, .svg or .pdf",
        )
    for path in (figure, summary):
        if path and not path.absolute().parent.is_dir():
            raise InputError("its folder is not there", where=str(path), remedy="make it first")


def chosen(rows: Sequence[Mapping[str, Any]], top: int) -> list[Mapping[str, Any]]:
    """The ``top`` highest and the ``top`` lowest rows, all where 0; the highest first."""
    return list(rows) if not top or 2 * top >= len(rows) else [*rows[:top], *rows[-top:]]


def show_result(found: Result, output: str, top: int) -> None:
    """Prints the objects, in a table for either side as the paper has them, and under them what they rest on."""
    columns = list(found.rows[0])
    if output != "table":
        show(chosen(found.rows, top), output, columns=columns)
    else:
        said = found.summary
        shown = [column for column in columns if column != "entity"]
        for title, rows in (
            (f"towards {said['a']}, from {said['b']}", found.rows[: top or None]),
            (f"towards {said['b']}, from {said['a']}", found.rows[: -top - 1 : -1] if top else ()),
        ):
            texts = [{column: _text(column, row[column]) for column in shown} for row in rows]
            if texts:
                show(texts, "table", columns=shown, title=title)
    for line in lines(found):
        click.echo(line, err=output != "table")


def _text(column: str, value: Any) -> Any:
    """A score with the digits that tell it from its neighbours."""
    if isinstance(value, float):
        return f"{value:.3g}" if column.startswith("score") else f"{value:.3f}"
    return value


def lines(found: Result) -> list[str]:
    """The lines under the table."""
    said = found.summary
    made = [
        f"{said['objects']:,} objects of {said['object_relation']}; {said['people']:,} people have {said['relation']}: "
        f"{said['people_a']:,} {said['a']}, {said['people_b']:,} {said['b']}",
        _shown(said, said)
        or f"method: {said.get('method', '')}" + (f", step {said['step']:g}" if "step" in said else ""),
        "Spearman of the score with log((count_a + 1) / (count_b + 1)): " + _correlation(said),
    ]
    if "each" in said:
        made += [
            "; ".join(filter(None, (f"  {one['model']}: {_correlation(one)}", _shown(one, said))))
            for one in said["each"]
        ]
        kept = sum(row["same_sign"] for row in found.rows)
        made.append(f"{kept:,} of {len(found.rows):,} objects keep their sign in all {len(said['models'])} models")
    if "control" in said:
        one = said["control"]
        random = f"control, {one['draws']:,} {one['drawn']} of {one['of']}: "
        made.append(
            random + "not to be had"
            if isnan(one["p"])
            else f"{random}|Spearman| {one['middle']:.2f} in the middle, {one['most']:.2f} at the 95th percentile; "
            f"p = {one['p']:.3g}"
        )
    missing = {kind: count for kind, count in said["without_vector"].items() if count}
    if missing:
        made.append("without a vector, left out: " + ", ".join(f"{count:,} {kind}" for kind, count in missing.items()))
    return made


def _shown(facts: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """Those of the facts that the probe wants to be shown."""
    return "; ".join(
        f"{name.replace('_', ' ')}: {_value(value)}" for name, value in facts.items() if name in said.get("shown", ())
    )


def _value(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _correlation(said: Mapping[str, Any]) -> str:
    if isnan(said["spearman"]):
        return f"not to be had from {said['spearman_n']} objects"
    return (
        f"{said['spearman']:.2f} ({said['spearman_low']:.2f} to {said['spearman_high']:.2f}, n = {said['spearman_n']})"
    )


def write_summary(found: Result, path: Path) -> None:
    """Writes the summary as JSON, whole or not at all."""
    from harmgraph.graph.common.output import plain

    text = json.dumps(plain(dict(found.summary)), indent=2, ensure_ascii=False, allow_nan=False)
    _replace(path, lambda part: part.write_text(text + "\n", encoding="utf-8"))


def _replace(path: Path, write: Any) -> None:
    try:
        with beside(path) as part:
            write(part)
    except OSError as error:
        raise NoSpace(f"cannot be written ({error.strerror})", where=str(path), remedy="choose another file") from error


def draw(found: Result, path: Path, top: int) -> None:
    """Scores as horizontal bars, the counts of both sides beside them; the file appears whole or not at all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = list(reversed(chosen(found.rows, top)))
    said = found.summary
    figure = Figure(figsize=(8, 1.4 + 0.24 * len(rows)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    places = range(len(rows))
    axes.barh(places, [row["score"] for row in rows], color=[BLUE if row["score"] > 0 else ORANGE for row in rows])
    if "score_low" in rows[0]:
        spans = [[row["score"] - row["score_low"] for row in rows], [row["score_high"] - row["score"] for row in rows]]
        axes.errorbar([row["score"] for row in rows], places, xerr=spans, fmt="none", ecolor="black", elinewidth=0.8)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(places, [_plain_text(row["name"]) for row in rows], fontsize=8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    counts = axes.secondary_yaxis("right")
    counts.set_yticks(places, [f"{row['count_a']:,} / {row['count_b']:,}" for row in rows], fontsize=8)
    counts.tick_params(length=0)
    counts.set_ylabel(_plain_text(f"people: {said['a']} / {said['b']}"))
    axes.set_xlabel(_plain_text(f"score: {said['b']} (below 0) to {said['a']} (above 0)"))
    axes.set_title(_plain_text(f"{said['probe']}: {', '.join(said['models'])}"), fontsize=10)
    kind = path.suffix.lower().removeprefix(".")
    _replace(path, lambda part: figure.savefig(part, format=kind, dpi=150))


def _plain_text(text: str) -> str:
    """Names as they are: a dollar sign would begin a formula."""
    return text.replace("$", r"\$")
