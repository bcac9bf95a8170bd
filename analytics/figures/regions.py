"""Scatter plots of targets by O- and O+, with the regions that the thresholds form."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.largest import largest, left_out
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.named_points import name_points
from harmgraph.common.plotting.narrow import behind, is_narrow, outside_legend, panels
from harmgraph.common.plotting.style import BOTH, INK, MINUS, NEUTRAL, PLUS, SOFT, number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {
    "prejudice": (MINUS, "v"),
    "both": (BOTH, "D"),
    "favouritism": (PLUS, "^"),
    "neutral": (NEUTRAL, "o"),
}
NAMED = 22
"""Most targets of a category that are named; those furthest beyond a threshold come first."""
NARROW_INCHES = 2.6
"""Height of a panel on a narrow canvas."""


class Regions(Drawing):
    """See the module."""

    name = "regions"
    title = "Regions of overgeneralization"
    paper = "Mehrabi et al. 2021, figures 2, 8 and 9"
    reading = (
        "Each mark is a target: the further right, the more of its statements are negative; the higher, the more "
        "are positive. Dashed lines are the thresholds, the means over the targets shown in all categories. A target "
        "to the right of the vertical line has prejudice (▼), one above the horizontal line favouritism (▲), one beyond "
        "both lines has both (◆), one within both is neutral (○). Grey crosses are the 95 % intervals of the named "
        "targets: if an interval crosses a line, the region is uncertain."
    )
    takes = ("regions", "overgeneralization")
    scope = Scope.MEASURE
    place = 40

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if not _rows(numbers, subject):
            return f"No target has {numbers.min_support:,} statements or more; ask for fewer with --min-support."
        return ""

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = _rows(numbers, subject)
        categories = largest(row["category"] for row in rows)
        across = 1 if is_narrow(figure) else min(len(categories), 2)
        down = -(-len(categories) // across)
        height = 0.5 + down * (4.3 if across > 1 else 5.2)
        drawn = panels(figure, down, across, height=height, inches=[NARROW_INCHES] * down).ravel()
        for axes in drawn[len(categories) :]:
            axes.set_axis_off()
        for category, axes in zip(categories, drawn, strict=False):
            _panel(axes, category, [row for row in rows if row["category"] == category])
        title = f"{shortened(subject.source, 30)}, {subject.measure}"
        title += left_out(len(categories), len({row["category"] for row in rows}))
        outside_legend(figure, handles=_legend(rows), ncols=4, handletextpad=0.2, title=title)
        fit_titles(figure)
        intervals = {row["target"]: row for row in numbers.targets(subject.source, subject.measure)}
        for category, axes in zip(categories, drawn, strict=False):
            _names(axes, [row for row in rows if row["category"] == category], intervals)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        rows = _rows(numbers, subject)
        parts = []
        for region in MARKS:
            names = [row["target"] for row in sorted(rows, key=_beyond, reverse=True) if row["region"] == region]
            if names and region != "neutral":
                parts.append(f"{region}: {len(names)} targets, furthest {', '.join(names[:5])}")
            elif names:
                parts.append(f"{region}: {len(names)} targets")
        return (
            f"Scatter of {len(rows)} targets of {subject.source} by {subject.measure}, thresholds O− "
            f"{number(rows[0]['prejudice_from'])} % and O+ {number(rows[0]['favouritism_from'])} %. {'; '.join(parts)}."
        )

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = _rows(numbers, subject)
        table = []
        for category in sorted({row["category"] for row in rows}):
            within = [row for row in rows if row["category"] == category]
            counts = Counter(row["region"] for row in within)
            table.append([category, len(within), *(counts[region] for region in MARKS)])
        note = (
            f"Targets with {numbers.min_support:,} statements or more. Thresholds: O− {number(rows[0]['prejudice_from'])} %, "
            f"O+ {number(rows[0]['favouritism_from'])} %."
        )
        return DrawnTable(("category", "targets", *MARKS), table, note)


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.rows("regions", source=subject.source, measure=subject.measure, min_support=numbers.min_support)


def _panel(axes: Axes, category: str, rows: Rows) -> None:
    right = 1.12 * max([row["o_minus"] for row in rows] + [1.6 * rows[0]["prejudice_from"], 0.5])
    top = 1.12 * max([row["o_plus"] for row in rows] + [1.6 * rows[0]["favouritism_from"], 0.5])
    axes.set_xlim(-0.045 * right, right)
    axes.set_ylim(-0.045 * top, top)
    axes.axvline(rows[0]["prejudice_from"], color=INK, linewidth=0.9, linestyle=(0, (5, 3)), zorder=1)
    axes.axhline(rows[0]["favouritism_from"], color=INK, linewidth=0.9, linestyle=(0, (5, 3)), zorder=1)
    for region, (colour, marker) in MARKS.items():
        within = [row for row in rows if row["region"] == region]
        face = "none" if region == "neutral" else colour
        axes.scatter(
            [row["o_minus"] for row in within],
            [row["o_plus"] for row in within],
            marker=marker,
            s=26,
            facecolors=face,
            edgecolors=colour if region == "neutral" else "white",
            linewidths=0.9 if region == "neutral" else 0.5,
            zorder=3,
            clip_on=False,
        )
    axes.set_title(f"{shortened(category, 30)} ({len(rows):,} targets, {sum(row['n'] for row in rows):,} statements)")
    axes.set_xlabel("O− (prejudice), %")
    axes.set_ylabel("O+ (favouritism), %")
    for text, x, y, horizontal, vertical in (
        ("favouritism", 0.01, 0.99, "left", "top"),
        ("both", 0.99, 0.99, "right", "top"),
        ("prejudice", 0.99, 0.01, "right", "bottom"),
    ):
        axes.text(
            x, y, text, transform=axes.transAxes, ha=horizontal, va=vertical, fontsize=8, color=SOFT, style="italic"
        )


def _beyond(row: dict[str, Any]) -> float:
    """The larger ratio of a target's rates to their thresholds; 1 or less within both."""
    return max(
        row["o_minus"] / row["prejudice_from"] if row["prejudice_from"] else 0.0,
        row["o_plus"] / row["favouritism_from"] if row["favouritism_from"] else 0.0,
    )


def _names(axes: Axes, rows: Rows, intervals: dict[str, dict[str, Any]]) -> None:
    ranked = sorted(
        (row for row in rows if row["region"] != "neutral"), key=lambda row: (-_beyond(row), row["target"])
    )[:NAMED]
    points = [(row["o_minus"], row["o_plus"]) for row in rows]
    named = [(row["o_minus"], row["o_plus"], shortened(row["target"], 24)) for row in ranked]
    corners = [text.get_window_extent() for text in axes.texts]
    lines = _lines(axes, rows[0])
    texts = name_points(
        axes, named, points, keep_off=[*(box.extents for box in corners), *lines], mark_size=6, bbox=behind()
    )
    placed = {text.get_text() for text in texts}
    shown = [row for row in ranked if shortened(row["target"], 24) in placed]
    limits = axes.get_xlim(), axes.get_ylim()
    axes.errorbar(
        [row["o_minus"] for row in shown],
        [row["o_plus"] for row in shown],
        xerr=_errors(shown, intervals, "o_minus"),
        yerr=_errors(shown, intervals, "o_plus"),
        fmt="none",
        ecolor="#b4bdc5",
        elinewidth=0.5,
        zorder=0,
    )
    axes.set_xlim(*limits[0])
    axes.set_ylim(*limits[1])


def _lines(axes: Axes, row: dict[str, Any]) -> list[tuple[float, float, float, float]]:
    """The boxes of pixels that the threshold lines cover."""
    frame = axes.get_window_extent()
    x, y = axes.transData.transform((row["prejudice_from"], row["favouritism_from"]))
    return [(x - 0.5, frame.y0, x + 0.5, frame.y1), (frame.x0, y - 0.5, frame.x1, y + 0.5)]


def _errors(rows: Rows, intervals: dict[str, dict[str, Any]], value: str) -> list[list[float]]:
    ends = [intervals[row["target"]] for row in rows]
    return [
        [max(interval[value] - interval[f"{value}_low"], 0) for interval in ends],
        [max(interval[f"{value}_high"] - interval[value], 0) for interval in ends],
    ]


def _legend(rows: Rows) -> list[Any]:
    from matplotlib.lines import Line2D

    counts = Counter(row["region"] for row in rows)
    return [
        Line2D(
            [],
            [],
            linestyle="none",
            marker=marker,
            markersize=6,
            markerfacecolor="none" if region == "neutral" else colour,
            markeredgecolor=colour,
            label=f"{region} ({counts[region]:,})",
        )
        for region, (colour, marker) in MARKS.items()
    ]


FIGURE = Regions()
