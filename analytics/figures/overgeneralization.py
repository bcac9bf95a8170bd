"""Box plots of O+ and O- for the targets of each category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.box_plot import (
    ROW_INCHES,
    box_columns,
    box_rows,
    boxes_left_out,
    boxes_of,
    draw_boxes,
    drawn_boxes,
    name_outliers,
    outlier_texts,
)
from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.narrow import panels
from harmgraph.common.plotting.style import SIGN, number, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALUES = (("o_minus", "O− %"), ("o_plus", "O+ %"))


class Overgeneralization(Drawing):
    """See the module."""

    name = "overgeneralization"
    title = "Overgeneralization by category"
    paper = "Mehrabi et al. 2021, figures 1 and 5"
    reading = (
        "Each box covers the middle half of a category's targets: the line is the median, the diamond the mean. "
        "Whiskers reach the last target within 1.5 box lengths; targets beyond them are circles, and the furthest are "
        "named. Hatched boxes show prejudice, plain ones favouritism. A wide box means that the targets of a category "
        "are judged very differently. All targets count, even those with too few statements to be named; the table has "
        "the n of each named outlier."
    )
    takes = ("categories", "overgeneralization")
    scope = Scope.SOURCE
    place = 30

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if not any(_boxes(numbers, subject, measure) for measure in subject.measures):
            return "No labelled statement of this source names a target, so there is nothing to compare."
        return ""

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        every = {measure: _boxes(numbers, subject, measure) for measure in subject.measures}
        shown = {measure: drawn_boxes(rows) for measure, rows in every.items()}
        categories = max(len(boxes_of(boxes, "o_plus")) for boxes in shown.values())
        count, rows = len(subject.measures), max(categories, 2) * ROW_INCHES
        drawn = panels(figure, count, 2, height=count * (0.85 + rows), inches=[rows] * 2 * count, sharey="row")
        for measure, row in zip(subject.measures, drawn, strict=True):
            boxes, targets = shown[measure], numbers.targets(subject.source, measure)
            for (value, _), axes in zip(VALUES, row, strict=True):
                draw_boxes(axes, boxes, targets, value)
                axes.set_title(
                    f"{shortened(subject.source, 30)}, {measure}: {'prejudice' if value == 'o_minus' else 'favouritism'}"
                    f"{boxes_left_out(every[measure])}"
                )
                axes.set_xlabel(SIGN[value])
                axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
                axes.set_xlim(left=min(-0.02 * axes.get_xlim()[1], 0))
        fit_titles(figure)
        for measure, row in zip(subject.measures, drawn, strict=True):
            boxes, targets = shown[measure], numbers.targets(subject.source, measure)
            for (value, _), axes in zip(VALUES, row, strict=True):
                name_outliers(axes, boxes, targets, value, numbers.min_support)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        descriptions = []
        for measure in subject.measures:
            boxes, targets = _boxes(numbers, subject, measure), numbers.targets(subject.source, measure)
            for value, heading in VALUES:
                parts = [
                    f"{row['category']} median {number(row['median'])}, largest {number(row['maximum'])}"
                    + (
                        f", beyond the whiskers {outlier_texts(row, targets, value, numbers.min_support)[0]}"
                        if row["outliers"]
                        else ""
                    )
                    for row in boxes_of(boxes, value)
                ]
                descriptions.append(f"{measure} {heading}: {'; '.join(parts)}.")
        return f"Box plots for {subject.source}. " + " ".join(descriptions)

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = []
        for measure in subject.measures:
            boxes, targets = _boxes(numbers, subject, measure), numbers.targets(subject.source, measure)
            rows += box_rows(boxes, targets, VALUES, [measure], numbers.min_support)
        return DrawnTable(box_columns("measure", "largest"), rows)


def _boxes(numbers: Numbers, subject: Subject, measure: str) -> Rows:
    return numbers.rows("categories", source=subject.source, measure=measure)


FIGURE = Overgeneralization()
