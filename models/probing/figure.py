"""The figure of a probe's scores as a file, for ``harmgraph probe --figure``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.style import HATCH, INK, LEGEND, MINUS, PLUS, SOFT, WIDTH, rows_grid, shortened
from harmgraph.models.probing.run import ProbeResult
from harmgraph.models.probing.show import REMEDY, chosen, correlation, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_INCHES = 0.24
ENDING = 32  # letters of a relation's name
Row = Mapping[str, Any]


def write_figure(path: Path, result: ProbeResult, top: int) -> None:
    """Draws the ``top`` highest and lowest scores, all if 0, or the explanation; writes the file atomically.

    Raises:
        NoSpace: the file cannot be written.
    """
    draw, describe = (draw_explanation, _explained) if result.explanation else (draw_scores, description)
    figure = drawn(lambda figure: draw(figure, result, top))
    save(path, figure, title=_title(result), alt=describe(result, top), remedy=REMEDY)


def draw_scores(figure: Figure, result: ProbeResult, top: int) -> None:
    """Draws the scores as horizontal bars with their intervals, the highest on top, with the counts of both sides."""
    rows, summary = chosen(result.rows, top), result.summary
    figure.set_size_inches(WIDTH, 1.7 + ROW_INCHES * len(rows))
    axes = figure.subplots()
    _bars(axes, rows)
    counts = [f"{row['count_a']:,} / {row['count_b']:,}" for row in rows]
    _counts(axes, counts, f"people: {shortened(summary['a'], 16)} / {shortened(summary['b'], 16)}")
    if len(rows) < len(result.rows):
        axes.axhline(top - 0.5, color=INK, linewidth=0.6, linestyle="--")  # between the highest and the lowest
    axes.set_xlabel(_scale(result))
    figure.supxlabel("\n".join(_caption(result, rows)), x=0.01, ha="left", fontsize=8, color=SOFT)
    figure.legend(
        handles=_legend(summary), loc="outside upper left", ncols=2, title=shortened(_title(result), 90), **LEGEND
    )


def draw_explanation(figure: Figure, result: ProbeResult, top: int) -> None:
    """Draws what the score of an object loses without some edges, the largest on top, with how many people have them."""
    rows, summary = _carrying(result, top), result.summary
    figure.set_size_inches(WIDTH, 1.9 + ROW_INCHES * len(rows))
    axes = figure.subplots()
    _bars(axes, rows, longest=64)
    _counts(axes, [f"{row['people']:,}" for row in rows], "people")
    axes.set_xlabel("loss of the score without these edges, with 95 % intervals over people")
    caption = [_score_of(result), "^: the edges lead to the person, the value or the object", counted(summary)]
    figure.supxlabel("\n".join(shortened(text, 150) for text in caption), x=0.01, ha="left", fontsize=8, color=SOFT)
    title = shortened(f"{_title(result)}: what carries the score", 90)
    figure.legend(handles=_legend(summary), loc="outside upper left", ncols=2, title=title, **LEGEND)


def _explained(result: ProbeResult, top: int) -> str:
    """The figure of an explanation in words."""
    parts = [
        f"{row['name']} {row['score']:.3g} ({row['score_low']:.3g} to {row['score_high']:.3g}), people {row['people']:,}"
        for row in _carrying(result, top)
    ]
    return f"Bars of what the score loses without some edges. {_score_of(result)}. {'; '.join(parts)}."


def _carrying(result: ProbeResult, top: int) -> list[Row]:
    """The rows of the explanation that are drawn, each named."""
    rows = result.explanation.rows if result.explanation else ()
    return [
        row | {"name": f"{row['at']}: {_ending(row['relation'])}" + (f", {row['name']}" if row["name"] else "")}
        for row in rows[: 2 * top or None]
    ]


def _ending(relation: str) -> str:
    """The end of a relation's name, which tells those of Freebase apart."""
    return relation if len(relation) <= ENDING else f"{'^' * relation.startswith('^')}…{relation[-ENDING:]}"


def _score_of(result: ProbeResult) -> str:
    """The object that is explained, and its score."""
    found = result.explanation
    (of,) = [row for row in result.rows if found and row["entity"] == found.object]
    people = found.people if found else 0
    interval = f" ({of['score_low']:.3g} to {of['score_high']:.3g})"
    return f"{of['name']}: {of['score']:.3g}{interval} over {people:,} people"


def description(result: ProbeResult, top: int) -> str:
    """The figure in words."""
    rows, summary = chosen(result.rows, top), result.summary
    parts = [
        f"{shortened(row['name'])} {row['score']:.3g}"
        + (f" ({row['score_low']:.3g} to {row['score_high']:.3g})" if _has_interval(rows) else "")
        + f", people {row['count_a']:,} / {row['count_b']:,}"
        for row in rows
    ]
    caption = "; ".join(_caption(result, rows))
    return f"Bars of scores, above 0 towards {summary['a']}, below 0 towards {summary['b']}. {'; '.join(parts)}. {caption}."


def _title(result: ProbeResult) -> str:
    return f"{result.summary['probe']}: {', '.join(result.summary['models'])}"


def _scale(result: ProbeResult) -> str:
    summary = result.summary
    scale = f"score: {shortened(summary['b'], 30)} (below 0) to {shortened(summary['a'], 30)} (above 0)"
    if not _has_interval(result.rows):
        return scale
    models = len(summary["models"])
    return f"{scale}, with 95 % intervals" + (f" over {models} models" if models > 1 else "")


def _caption(result: ProbeResult, rows: Sequence[Row]) -> list[str]:
    texts = [counted(result.summary), correlation(result.summary)]
    if len(rows) < len(result.rows):
        half = len(rows) // 2
        texts.insert(1, f"shown are the {half} highest and the {half} lowest scores of {len(result.rows):,}")
    return [shortened(text, 150) for text in texts]


def _has_interval(rows: Sequence[Row]) -> bool:
    return "score_low" in rows[0]


def _bars(axes: Axes, rows: Sequence[Row], longest: int = 40) -> None:
    scores = [row["score"] for row in rows]
    bars = axes.barh(range(len(rows)), scores, height=0.7, linewidth=0.9)
    for bar, score in zip(bars, scores, strict=True):
        bar.set_edgecolor(PLUS if score > 0 else MINUS)
        bar.set_facecolor(PLUS if score > 0 else "white")
        bar.set_hatch("" if score > 0 else HATCH["o_minus"])
    if _has_interval(rows):
        spans = [[row["score"] - row["score_low"] for row in rows], [row["score_high"] - row["score"] for row in rows]]
        axes.errorbar(scores, range(len(rows)), xerr=spans, fmt="none", ecolor=INK, elinewidth=0.9, capsize=2.5)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [shortened(row["name"], longest) for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    rows_grid(axes)


def _counts(axes: Axes, counts: Sequence[str], of: str) -> None:
    """Writes how many people each bar is of, right of the bars."""
    across = axes.get_yaxis_transform()
    for place, text in enumerate(counts):
        axes.text(1.015, place, text, transform=across, va="center", fontsize=8, color=SOFT)
    axes.text(1.015, -0.75, of, transform=across, va="bottom", fontsize=8, color=SOFT)


def _legend(summary: Row) -> list[Any]:
    from matplotlib.patches import Patch

    a, b = shortened(summary["a"], 30), shortened(summary["b"], 30)
    return [
        Patch(facecolor=PLUS, edgecolor=PLUS, label=f"towards {a}, from {b}"),
        Patch(facecolor="white", edgecolor=MINUS, hatch=HATCH["o_minus"], label=f"towards {b}, from {a}"),
    ]
