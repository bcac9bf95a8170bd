"""Groups in combination, against what their parts alone let expect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.analytics.drawing.rate_rows import SHOWN, SIGNS, draw_link, draw_rate, name_rows, rate_panels
from harmgraph.common.plotting.narrow import outside_legend, row_name
from harmgraph.common.plotting.style import COLOUR, NEUTRAL, number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Intersections(Drawing):
    """See the module."""

    name = "intersections"
    title = "Groups in combination"
    paper = "Mehrabi et al. 2021, equations 1 and 2; Crenshaw 1989"
    reading = (
        "Statements that name two targets at once, and groups that combine targets: first prejudice, then "
        "favouritism. The dot is the rate of the combination with its 95 % interval, the diamond the mean of the rates of the "
        "parts alone. The rows with the surest differences come first; where the table's q is above 0.05, chance may be "
        "enough to explain the difference. Under each name is the number of statements."
    )
    takes = ("intersections",)
    scope = Scope.MEASURE
    place = 55

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if _rows(numbers, subject):
            return ""
        return (
            f"No two targets have {numbers.min_support:,} statements or more together and as many each alone; ask for fewer "
            "with --min-support."
        )

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = _rows(numbers, subject)
        for sign, axes in rate_panels(figure, len(rows), "combinations", 1.3):
            _rates(axes, _surest(rows, sign), sign)
        outside_legend(
            figure,
            handles=_legend(),
            ncols=2,
            title=f"{shortened(subject.source, 40)}, by {subject.measure}",
        )

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        rows = _rows(numbers, subject)
        parts = []
        for sign, label in SIGNS:
            most = [
                f"{row['target']} {number(row[sign])}, expected {number(row[f'{sign}_expected'])}"
                for row in _surest(rows, sign)[:5]
            ]
            parts.append(f"{label.split(' ')[0]}: {'; '.join(most)}")
        what = f"Rates by {subject.measure} of groups in combination in {subject.source}, percent, surest differences first"
        return f"{what}. {'. '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = [
            [row["target"], row["n"]]
            + [row[f"{sign}{end}"] for sign, _ in SIGNS for end in ("", "_expected", "_excess", "_q")]
            for row in _rows(numbers, subject)
        ]
        return DrawnTable(
            ("combination", "n", "O− %", "expected", "excess", "q", "O+ %", "expected", "excess", "q"),
            rows,
            f"Combinations with {numbers.min_support:,} statements or more, and as many of each part alone. Expected is the mean "
            "of the parts' rates; q is p corrected for the number of rows (Benjamini and Hochberg 1995).",
        )


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.rows(
        "intersections", source=subject.source, measure=subject.measure, min_support=numbers.min_support
    )


def _surest(rows: Rows, sign: str) -> Rows:
    return sorted(rows, key=lambda row: (row[f"{sign}_p"], row["target"], row["way"]))[:SHOWN]


def _rates(axes: Axes, rows: Rows, sign: str) -> None:
    for place, row in enumerate(rows):
        expected = row[f"{sign}_expected"]
        draw_link(axes, place, [expected, row[sign]])
        draw_rate(axes, place, row, sign, marker="o", colour=COLOUR[sign])
        axes.plot([expected], [place], marker="D", color=NEUTRAL, markersize=4.5, linestyle="none")
    name_rows(axes, [f"{row_name(axes, row['target'], 24)}\n{row['n']:,}" for row in rows])


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=NEUTRAL, marker="o", markersize=5, linewidth=1.3, label="the combination"),
        Line2D([], [], color=NEUTRAL, marker="D", markersize=4.5, linestyle="none", label="mean of its parts"),
    ]


FIGURE = Intersections()
