"""The same targets in two sources, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.analytics.drawing.rate_rows import SHOWN, SIGNS, draw_link, draw_rate, name_rows, rate_panels
from harmgraph.common.plotting.narrow import outside_legend, row_name
from harmgraph.common.plotting.style import SERIES, number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Comparison(Drawing):
    """See the module."""

    name = "comparison"
    title = "The same targets in two sources"
    paper = "Mehrabi et al. 2021, section 3.2, ConceptNet vs GenericsKB"
    reading = (
        "The targets whose rates differ most between the two sources, first prejudice, then favouritism. "
        "Bars are 95 % intervals, each for one rate alone. Where the table's q is above 0.05, chance may be enough "
        "to explain the difference. Under each name are the numbers of statements in the first and in the second source."
    )
    takes = ("compare", "overgeneralization")
    scope = Scope.PAIR
    place = 70

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if _rows(numbers, subject):
            return ""
        return f"No target has {numbers.min_support:,} statements or more in both sources; ask for fewer with --min-support."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = _rows(numbers, subject)
        known = [
            {row["target"]: row for row in numbers.targets(source, subject.measure)} for source in subject.sources[:2]
        ]
        for value, axes in rate_panels(figure, len(rows), "targets", 1.15):
            _pairs(axes, _most(rows, value), known, value)
        outside_legend(
            figure,
            handles=_legend(subject.sources[:2]),
            ncols=2,
            title=f"by {subject.measure}",
        )

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        first, second = subject.sources[:2]
        rows = _rows(numbers, subject)
        parts = []
        for value, label in SIGNS:
            most = [
                f"{row['target']} {number(row[value])} and {number(row[f'other_{value}'])}"
                for row in _most(rows, value)[:5]
            ]
            parts.append(f"{label.split(' ')[0]}: {'; '.join(most)}")
        return f"Rates by {subject.measure} in {first} and {second}, percent, largest differences first. {'. '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        first, second = subject.sources[:2]
        rows = [
            [row["target"], row["category"], row["n"], row["other_n"]]
            + [
                row[name]
                for value, _ in SIGNS
                for name in (value, f"other_{value}", f"{value}_change", f"{value}_change_q")
            ]
            for row in _rows(numbers, subject)
        ]
        return DrawnTable(
            ("target", "category", "n 1", "n 2", "O− 1 %", "O− 2 %", "change", "q", "O+ 1 %", "O+ 2 %", "change", "q"),
            rows,
            f"1 is {first}, 2 is {second}; targets with {numbers.min_support:,} statements or more in both. q is p "
            "corrected for the number of targets (Benjamini and Hochberg 1995).",
        )


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    first, second = subject.sources[:2]
    return numbers.rows("compare", source=first, other=second, measure=subject.measure, min_support=numbers.min_support)


def _most(rows: Rows, value: str) -> Rows:
    return sorted(rows, key=lambda row: (-abs(row[f"{value}_change"]), row["target"]))[:SHOWN]


def _pairs(axes: Axes, rows: Rows, known: list[dict[str, dict[str, Any]]], value: str) -> None:
    for place, row in enumerate(rows):
        ends = [targets[row["target"]] for targets in known]
        draw_link(axes, place, [target[value] for target in ends])
        for target, (colour, marker), at in zip(ends, SERIES, (place - 0.14, place + 0.14), strict=False):
            draw_rate(axes, at, target, value, marker=marker, colour=colour)
    name_rows(axes, [f"{row_name(axes, row['target'], 20)}\n{row['n']:,} | {row['other_n']:,}" for row in rows])


def _legend(sources: tuple[str, ...]) -> list[Any]:
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.3, label=shortened(source, 40))
        for source, (colour, marker) in zip(sources, SERIES, strict=False)
    ]


FIGURE = Comparison()
