"""Bars of O+ and O- for the most telling targets of each category, with example statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.largest import largest_of, left_out
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.fitted import cut_texts, fit_titles
from harmgraph.common.plotting.narrow import (
    LINE,
    is_narrow,
    name_above,
    outside_legend,
    panels,
    write_line,
)
from harmgraph.common.plotting.style import COLOUR, HATCH, INK, SOFT, bounds, number, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIGNS = (("o_minus", "negative", "−", 0.2), ("o_plus", "positive", "+", -0.2))
ROW_INCHES = 0.5
LONGEST = 72
LETTERS, BAR, AIR = 47, 9.0, 4.0
"""On a narrow canvas: letters of a line; height of a bar and the space around both, in points."""


class Bars(Drawing):
    """See the module."""

    name = "bars"
    title = "How severe it is, with examples"
    paper = "Mehrabi et al. 2021, figure 3"
    reading = (
        "For each category the targets with the surest prejudice, the surest favouritism and the surest of both: those "
        "whose 95 % interval begins highest, so that a target with few statements does not outrank one with hundreds. "
        "Hatched bars are negative statements, plain bars positive ones, whiskers their intervals; n is the number of "
        "statements about the target. Beside or below the bars are the statements that the scorer rates most negative "
        "(−) and most positive (+): read them before you rely on the bars."
    )
    takes = ("overgeneralization", "report/examples")
    scope = Scope.MEASURE
    place = 50

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if numbers.telling(subject.source, subject.measure):
            return ""
        return (
            f"No target with {numbers.min_support:,} statements or more has a positive or negative one; "
            "ask for fewer with --min-support."
        )

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = numbers.telling(subject.source, subject.measure)
        examples = numbers.examples(subject.source, subject.measure)
        total = len({row["category"] for row in rows})
        supported = Counter(row["category"] for row in numbers.supported(subject.source, subject.measure))
        categories = largest_of({row["category"]: supported[row["category"]] for row in rows})
        rows = [row for row in rows if row["category"] in categories]
        within = {category: [row for row in rows if row["category"] == category] for category in categories}
        narrow = is_narrow(figure)
        drawn = (_narrow if narrow else _wide)(figure, list(within.values()), examples)
        right = max(row[f"{value}_high"] for row in rows for value, *_ in SIGNS)
        for category, axes in zip(categories, drawn, strict=True):
            axes.set_title(shortened(category, 40))
            axes.set_xlim(0, min(100, 1.05 * right))
        for axes in drawn if narrow else drawn[-1:]:
            axes.set_xlabel("% of the target's statements, with 95 % intervals")
        outside_legend(
            figure,
            handles=_legend(),
            ncols=2,
            title=f"{shortened(subject.source, 30)}, {subject.measure}{left_out(len(categories), total)}",
        )
        if not narrow:
            fit_titles(figure)
            for text in figure.axes[1::2]:
                cut_texts(text)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        parts = [
            f"{row['category']} {row['target']} (n {row['n']:,}): negative {number(row['o_minus'])} %, "
            f"positive {number(row['o_plus'])} %"
            for row in numbers.telling(subject.source, subject.measure)
        ]
        return f"Bars of negative and positive statements in {subject.source} by {subject.measure}. {'; '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        examples = numbers.examples(subject.source, subject.measure)
        rows = [
            [row["target"], row["category"], row["n"]]
            + [cell for value, *_ in SIGNS for cell in (row[value], bounds(row[f"{value}_low"], row[f"{value}_high"]))]
            + [" / ".join(example["statement"] for example in _of(examples, row, label)) for _, label, *_ in SIGNS]
            for row in numbers.telling(subject.source, subject.measure)
        ]
        columns = (
            "target",
            "category",
            "n",
            "O− %",
            "95 %",
            "O+ %",
            "95 %",
            "negative statements",
            "positive statements",
        )
        return DrawnTable(columns, rows)


def _wide(figure: Figure, groups: Sequence[Rows], examples: Rows) -> list[Axes]:
    """The bars of each category with their statements beside them."""
    heights = [len(rows) + 0.55 for rows in groups]
    drawn = panels(
        figure,
        len(groups),
        2,
        height=1.0 + sum(heights) * ROW_INCHES,
        inches=[],
        sharex="col",
        height_ratios=heights,
        width_ratios=(1, 1.25),
    )
    for rows, (axes, text) in zip(groups, drawn, strict=True):
        _bars(axes, rows, range(len(rows)))
        axes.set_yticks(range(len(rows)), [f"{shortened(row['target'], 22)}\nn {row['n']:,}" for row in rows])
        axes.set_ylim(len(rows) - 0.45, -0.55)
        _examples(text, rows, examples)
    drawn[0][1].set_title(
        "most negative (−) and most positive (+) statement", fontweight="normal", fontsize=8.5, color=SOFT
    )
    return [axes for axes, _ in drawn]


def _narrow(figure: Figure, groups: Sequence[Rows], examples: Rows) -> list[Axes]:
    """Below one another: the name of a target, its bars and its statements. The axes' vertical unit is a point."""
    every = [
        [[_broken(*_example(examples, row, label, sign)) for _, label, sign, _ in SIGNS] for row in rows]
        for rows in groups
    ]
    heights = [
        [LINE + 2 * BAR + 2 * AIR + LINE * sum(said.count("\n") + 1 for said, _ in pair) for pair in of_group]
        for of_group in every
    ]
    drawn = panels(figure, len(groups), 1, height=0, inches=[sum(each) / 72 for each in heights])[:, 0]
    for rows, texts, points, axes in zip(groups, every, heights, drawn, strict=True):
        tops = [sum(points[:place]) for place in range(len(rows))]
        _bars(axes, rows, [top + LINE + BAR + AIR / 2 for top in tops], 2 * BAR / 0.76)
        axes.set_ylim(sum(points), 0)
        names = [f"{shortened(row['target'], 40)}, n {row['n']:,}" for row in rows]
        name_above(axes, [top + LINE - 1 for top in tops], names)
        for top, pair in zip(tops, texts, strict=True):
            at = top + LINE + 2 * BAR + AIR
            for said, colour in pair:
                write_line(axes, at, said, said.count("\n") + 1, va="top", color=colour)
                at += LINE * (said.count("\n") + 1)
    return list(drawn)


def _broken(said: str, colour: str) -> tuple[str, str]:
    return "\n".join(wrap(said, LETTERS)), colour


def _bars(axes: Axes, rows: Rows, places: Sequence[float], row_height: float = 1) -> None:
    """Two bars of each row.

    Args:
        places: the middles of the rows' bars.
        row_height: of a row, in data units.
    """
    for value, _, _, shift in SIGNS:
        axes.barh(
            [place - shift * row_height for place in places],
            [row[value] for row in rows],
            height=0.36 * row_height,
            color=COLOUR[value] if not HATCH[value] else "white",
            edgecolor=COLOUR[value],
            hatch=HATCH[value],
            linewidth=0.9,
            xerr=[
                [max(row[value] - row[f"{value}_low"], 0) for row in rows],
                [max(row[f"{value}_high"] - row[value], 0) for row in rows],
            ],
            error_kw={"ecolor": INK, "elinewidth": 0.9, "capsize": 2.5},
        )
    rows_grid(axes)


def _examples(axes: Axes, rows: Rows, examples: Rows) -> None:
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.set_xlim(0, 1)
    axes.set_axis_off()
    axes.set_axisbelow(True)
    for place, row in enumerate(rows):
        for _, label, sign, shift in SIGNS:
            said, colour = _example(examples, row, label, sign)
            axes.text(0, place - shift, said, fontsize=7.8, va="center", color=colour, clip_on=True)


def _example(examples: Rows, row: dict[str, Any], label: str, sign: str) -> tuple[str, str]:
    """The most polarised statement of a target and its colour."""
    statements = _of(examples, row, label)
    if not statements:
        return f"{sign} none", SOFT
    return f"{sign} {shortened(statements[0]['statement'], LONGEST)}", INK


def _of(examples: Rows, row: dict[str, Any], label: str) -> Rows:
    return [example for example in examples if example["target"] == row["target"] and example["label"] == label]


def _legend() -> list[Any]:
    from matplotlib.patches import Patch

    return [
        Patch(facecolor="white", edgecolor=COLOUR["o_minus"], hatch=HATCH["o_minus"], label="negative: prejudice, O−"),
        Patch(facecolor=COLOUR["o_plus"], edgecolor=COLOUR["o_plus"], label="positive: favouritism, O+"),
    ]


FIGURE = Bars()
