"""Saved numbers of a source over time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.narrow import is_narrow, outside_legend, panels
from harmgraph.common.plotting.style import SERIES, bounds, number, series_legend, tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 3
PANELS = 12
"""Most charts in the figure; the table has all numbers."""
NARROW_INCHES = 1.0
"""Height of a chart on a narrow canvas."""


class History(Drawing):
    """See the module."""

    name = "history"
    title = "Saved numbers over time"
    paper = "no figure of the paper; runs kept with 'harmgraph stats ... --save'"
    reading = (
        "One small chart for each number that was saved for a whole source, over all its targets. Each mark is a saved "
        "value, with its 95 % interval if it has one. Scales differ between charts and need not begin at 0."
    )
    takes = ("measure/history",)
    scope = Scope.REPORT
    place = 90

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if _rows(numbers, subject):
            return ""
        return (
            "No numbers of these sources were saved yet: 'harmgraph stats disparity --source NAME --save' saves some."
        )

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        charts = _charts(_rows(numbers, subject))
        names = list(charts)[:PANELS]
        across = 1 if is_narrow(figure) else ACROSS
        down = -(-len(names) // across)
        drawn = panels(figure, down, across, height=0.75 + down * 1.9, inches=[NARROW_INCHES] * down).ravel()
        for axes in drawn[len(names) :]:
            axes.set_axis_off()
        times = [datetime.fromisoformat(row["at"]) for name in names for row in charts[name]]
        first, last = min(times), max(times)
        air = (last - first) * 0.12 or timedelta(hours=12)
        for name, axes in zip(names, drawn, strict=False):
            _chart(axes, charts[name], list(subject.sources))
            axes.set_xlim(first - air, last + air * 2)
            axes.set_title(name, fontsize=8.5)
        outside_legend(figure, handles=series_legend(subject.sources, 4.5), ncols=3, title="Saved numbers")

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        parts = []
        for name, rows in list(_charts(_rows(numbers, subject)).items())[:PANELS]:
            for source in dict.fromkeys(row["source"] for row in rows):
                of_source = [row for row in rows if row["source"] == source]
                parts.append(
                    f"{name} of {source}: {number(of_source[0]['value'])} on {of_source[0]['at'][:10]}"
                    + (
                        f", {number(of_source[-1]['value'])} on {of_source[-1]['at'][:10]} ({len(of_source)} runs)"
                        if len(of_source) > 1
                        else ""
                    )
                )
        return f"Small line charts. {'; '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = [
            [
                row["at"].replace("T", " "),
                row["source"],
                row["metric"],
                row["measure"],
                row["value"],
                bounds(row["value_low"], row["value_high"]),
                row["n"],
            ]
            for row in _rows(numbers, subject)
        ]
        return DrawnTable(("saved (UTC)", "source", "number", "measure", "value", "95 %", "n"), rows)


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    """Saved numbers of whole sources; ``harmgraph stats history`` has those of single targets, which are many."""
    return [
        row
        for row in numbers.query("measure/history", category="all")
        if row["source"] in subject.sources
        and (row["measure"] is None or row["measure"] in subject.measures)
        and row["target"] is None
        and row["value"] is not None
    ]


def _charts(rows: Rows) -> dict[str, Rows]:
    """One chart for each metric and measure, in the order of their names."""
    charts: dict[str, Rows] = {}
    for row in sorted(rows, key=lambda row: (row["metric"], row["measure"] or "", row["at"])):
        name = f"{row['metric']}\n{row['measure']}" if row["measure"] else row["metric"]
        charts.setdefault(name, []).append(row)
    return charts


def _chart(axes: Axes, rows: Rows, sources: list[str]) -> None:
    from matplotlib import dates as matplotlib_dates

    for source in sources:
        of_source = [row for row in rows if row["source"] == source]
        if not of_source:
            continue
        colour, marker = SERIES[sources.index(source) % len(SERIES)]
        times: list[Any] = [datetime.fromisoformat(row["at"]) for row in of_source]
        values = [row["value"] for row in of_source]
        axes.plot(times, values, color=colour, marker=marker, markersize=4.5, linewidth=1.2)
        with_ends = [
            (at, row)
            for at, row in zip(times, of_source, strict=True)
            if row["value_low"] is not None and row["value_high"] is not None
        ]
        for at, row in with_ends:
            axes.plot([at, at], [row["value_low"], row["value_high"]], color=colour, linewidth=0.9, zorder=1)
        axes.annotate(
            number(values[-1]),
            (times[-1], values[-1]),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
        )
    dates: Any = matplotlib_dates  # matplotlib gives these no types
    locator = dates.AutoDateLocator(minticks=2, maxticks=4)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, show_offset=True))
    axes.xaxis.get_offset_text().set_fontsize(7.5 if is_narrow(axes) else 7)
    axes.yaxis.set_major_formatter(lambda y, _: tick(y))
    axes.grid(axis="y")
    axes.tick_params(labelsize=7.5)


FIGURE = History()
