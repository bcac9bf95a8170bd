"""Disparity between targets, overall and within each category, with bootstrap intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope, labelled
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.narrow import is_narrow, outside_legend, panels, row_name
from harmgraph.common.plotting.style import (
    INK,
    LEGEND,
    SERIES,
    bounds,
    log_scale,
    number,
    rows_grid,
    series_legend,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_INCHES = 0.19
SHARES = (("d_o_minus", "of prejudice, D_O−"), ("d_o_plus", "of favouritism, D_O+"))


class Disparity(Drawing):
    """See the module."""

    name = "disparity"
    title = "Disparity between targets"
    paper = "Mehrabi et al. 2021, equations 3 and 4, table 4"
    reading = (
        "How differently targets are represented (D_R, the variance of their numbers of statements) and judged "
        "(D_O− and D_O+, the variance of O− and O+ in percent); 0 means that all targets are alike. Bars are 95 % "
        "bootstrap intervals over targets; a category with fewer than three targets has none. Scales are logarithmic; "
        "an interval that reaches down to 0 begins at the left edge. The disparity of a category compares the targets "
        "of that category."
    )
    takes = ("disparity",)
    scope = Scope.REPORT
    place = 20
    table_open = True

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        return "" if _rows(numbers, subject) else "No statement of these sources names a target."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = _rows(numbers, subject)
        categories = list(dict.fromkeys(row["category"] for row in rows))
        sources = list(dict.fromkeys(row["source"] for row in rows))
        measures = list(dict.fromkeys(row["measure"] for row in rows))
        first = [row for row in rows if row["measure"] == measures[0]]
        every = [row for source in sources for row in rows if row["source"] == source]
        of_source = {(row["source"], row["category"]): row for row in every}
        representation, *others = _axes(figure, 1 + len(SHARES) * len(measures), len(categories), len(sources))
        _panel(representation, list(of_source.values()) or first, categories, sources, "d_r")
        representation.set_title("of representation, D_R")
        shown = [(measure, *share) for measure in measures for share in SHARES]
        for (measure, value, title), axes in zip(shown, others, strict=True):
            _panel(axes, [row for row in rows if row["measure"] == measure], categories, sources, value)
            axes.set_title(f"{measure}: {title}")
        look: dict[str, Any] = {"handles": series_legend(sources, 5.5), "title": "Disparity"}
        if is_narrow(figure):
            outside_legend(figure, ncols=2, **look)
        else:
            figure.axes[1].legend(loc="upper left", **look, **LEGEND)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        parts = [
            f"{row['source']} {row['measure']}: D_R {number(row['d_r'])}, D_O− {number(row['d_o_minus'])}, "
            f"D_O+ {number(row['d_o_plus'])}"
            for row in _rows(numbers, subject)
            if row["category"] == "all"
        ]
        return f"Dots with intervals. Over all targets: {'; '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        names = ("d_r", "d_o_minus", "d_o_plus")
        rows = [
            [
                row["source"],
                row["measure"],
                row["category"],
                row["targets"],
                row["pairs"],
                row["polarised_percent"],
            ]
            + [cell for name in names for cell in (row[name], bounds(row.get(f"{name}_low"), row.get(f"{name}_high")))]
            for row in _rows(numbers, subject)
        ]
        columns = ("source", "measure", "targets of", "targets", "pairs", "polarised %")
        return DrawnTable(
            (*columns, "D_R", "95 %", "D_O−", "95 %", "D_O+", "95 %"),
            rows,
            "Population variances over the targets that occur; percentile bootstrap over targets, "
            f"{numbers.resamples:,} resamples.",
        )


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    return [
        {"source": source, "measure": measure} | row
        for source in subject.sources
        for measure in labelled(numbers, source, subject.measures)
        for row in numbers.rows("disparity", source=source, measure=measure)
    ]


def _axes(figure: Figure, count: int, categories: int, sources: int) -> list[Axes]:
    """The panels: the first has the legend beside it, or above it on a narrow canvas."""
    rows = categories * (0.12 + sources * ROW_INCHES)
    if is_narrow(figure):
        return list(panels(figure, count, 1, height=0, inches=[rows] * count)[:, 0])
    down = 1 + count // 2
    first, beside, *others = panels(figure, down, 2, height=0.35 + (0.7 + rows) * down, inches=[], sharey=True).ravel()
    beside.set_axis_off()
    return [first, *others]


def _panel(axes: Axes, rows: Rows, categories: list[str], sources: list[str], value: str) -> None:
    step = 1 / (len(sources) + 0.7)
    known = {(row["source"], row["category"]): row for row in rows}
    ends = [end for row in rows for end in (row[value], row.get(f"{value}_low"), row.get(f"{value}_high")) if end]
    log_scale(axes, short=is_narrow(axes))
    floor = min(ends, default=1.0)
    low, high = floor / 2.2, max(ends, default=1.0)
    # On a narrow canvas a third is for the numbers at the ends.
    axes.set_xlim(low, high * (max((high / low) ** 0.5, 9) if is_narrow(axes) else 9))
    for place, category in enumerate(categories):
        for order, source in enumerate(sources):
            row = known.get((source, category))
            if row is not None:
                at = place + (order - (len(sources) - 1) / 2) * step
                _dot(axes, row, value, at, SERIES[order % len(SERIES)], floor)
    axes.set_yticks(range(len(categories)), [row_name(axes, name, 24) for name in categories])
    axes.set_ylim(len(categories) - 0.45, -0.55)
    axes.axhline(0.5, color=INK, linewidth=0.6)
    rows_grid(axes)


def _dot(axes: Axes, row: dict[str, Any], value: str, at: float, look: tuple[str, str], floor: float) -> None:
    colour, marker = look
    low, high, point = row.get(f"{value}_low"), row.get(f"{value}_high"), row[value]
    if low is not None and high is not None:
        axes.plot([max(low, floor / 2.2), high], [at, at], color=colour, linewidth=1.6, solid_capstyle="butt")
    if point:
        axes.plot(
            [point], [at], marker=marker, color=colour, markersize=5.5, markeredgecolor="white", markeredgewidth=0.6
        )
    axes.annotate(
        number(point),
        (max(high or 0, point or 0, floor / 2.2), at),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
    )


FIGURE = Disparity()
