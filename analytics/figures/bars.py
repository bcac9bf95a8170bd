"""Bars of O+ and O- for the most telling targets of each category, with example statements."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.largest import largest_of, left_out
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.fitted import cut_texts
from harmgraph.common.plotting.style import COLOUR, HATCH, INK, SOFT, WIDTH, bounds, number, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIGNS = (("o_minus", "negative", "−", 0.2), ("o_plus", "positive", "+", -0.2))
ROW_INCHES = 0.5
LONGEST = 72


class Bars(Drawing):
    """See the module."""

    name = "bars"
    title = "How severe it is, with examples"
    paper = "Mehrabi et al. 2021, figure 3"
    reading = (
        "For each category the targets with the surest prejudice, the surest favouritism and the surest of both: those "
        "whose 95 % interval begins highest, so that a target with few statements does not outrank one with hundreds. "
        "Hatched bars are negative statements, plain bars positive ones, whiskers their intervals; n is the number of "
        "statements about the target. On the right are the statements that the scorer rates most negative (−) and most "
        "positive (+): read them before you rely on the bars."
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
        heights = [len(within[category]) + 0.55 for category in categories]
        figure.set_size_inches(WIDTH, 1.0 + sum(heights) * ROW_INCHES)
        panels = figure.subplots(
            len(categories), 2, squeeze=False, sharex="col", height_ratios=heights, width_ratios=(1, 1.25)
        )
        right = max(row[f"{value}_high"] for row in rows for value, *_ in SIGNS)
        for category, (axes, text) in zip(categories, panels, strict=True):
            _bars(axes, within[category])
            axes.set_title(shortened(category, 40))
            _examples(text, within[category], examples)
        panels[0][1].set_title(
            "most negative (−) and most positive (+) statement", fontweight="normal", fontsize=8.5, color=SOFT
        )
        panels[-1][0].set_xlabel("% of the target's statements, with 95 % intervals")
        panels[0][0].set_xlim(0, min(100, 1.05 * right))
        figure.legend(
            handles=_legend(),
            loc="outside upper left",
            ncols=2,
            title=f"{shortened(subject.source, 30)}, {subject.measure}{left_out(len(categories), total)}",
            alignment="left",
            title_fontproperties={"weight": "bold", "size": 10},
        )
        for _, text in panels:
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


def _bars(axes: Axes, rows: Rows) -> None:
    for value, _, _, shift in SIGNS:
        widths = [row[value] for row in rows]
        axes.barh(
            [place - shift for place in range(len(rows))],
            widths,
            height=0.36,
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
    axes.set_yticks(range(len(rows)), [f"{shortened(row['target'], 22)}\nn {row['n']:,}" for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    rows_grid(axes)


def _examples(axes: Axes, rows: Rows, examples: Rows) -> None:
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.set_xlim(0, 1)
    axes.set_axis_off()
    axes.set_axisbelow(True)
    for place, row in enumerate(rows):
        for _, label, sign, shift in SIGNS:
            statements = _of(examples, row, label)
            text = f"{sign} {shortened(statements[0]['statement'], LONGEST)}" if statements else f"{sign} none"
            axes.text(
                0, place - shift, text, fontsize=7.8, va="center", color=INK if statements else SOFT, clip_on=True
            )


def _of(examples: Rows, row: dict[str, Any], label: str) -> Rows:
    return [example for example in examples if example["target"] == row["target"] and example["label"] == label]


def _legend() -> list[Any]:
    from matplotlib.patches import Patch

    return [
        Patch(facecolor="white", edgecolor=COLOUR["o_minus"], hatch=HATCH["o_minus"], label="negative: prejudice, O−"),
        Patch(facecolor=COLOUR["o_plus"], edgecolor=COLOUR["o_plus"], label="positive: favouritism, O+"),
    ]


FIGURE = Bars()
