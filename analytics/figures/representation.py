"""Box plots of the number of statements about each target, by category."""

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
from harmgraph.common.plotting.narrow import is_narrow, panels
from harmgraph.common.plotting.style import log_scale, number, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALUES = (("n", "statements"),)


class Representation(Drawing):
    """See the module."""

    name = "representation"
    title = "Representation: how much is said of each target"
    paper = "Mehrabi et al. 2021, figures 4 and 11"
    reading = (
        "Number of statements about a target, on a scale where each step is ten times the one before. Box, line and "
        "diamond are the middle half, the median and the mean of the category's targets; circles are targets beyond the "
        "whiskers, and the furthest with enough statements are named. Targets without any statement are not included. "
        "A pair is a statement and a target that it is about."
    )
    takes = ("categories", "overgeneralization")
    scope = Scope.REPORT
    place = 10

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        return "" if _with_targets(numbers, subject) else "No statement of these sources names a target."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        sources = _with_targets(numbers, subject)
        every = {source: _boxes(numbers, source, subject.measure) for source in sources}
        boxes = {source: drawn_boxes(rows) for source, rows in every.items()}
        heights = [max(len(boxes_of(boxes[source], "n")), 1) for source in sources]
        drawn = panels(
            figure,
            len(sources),
            1,
            height=sum(0.62 + rows * ROW_INCHES for rows in heights) + 0.3,
            inches=[rows * ROW_INCHES for rows in heights],
            sharex=True,
            height_ratios=heights,
        )[:, 0]
        for source, axes in zip(sources, drawn, strict=True):
            targets = numbers.targets(source, subject.measure)
            draw_boxes(axes, boxes[source], targets, "n")
            pairs = sum(row["n"] for row in targets)
            said = f"{len(targets):,} targets, {pairs:,} pairs{boxes_left_out(every[source])}"
            axes.set_title(f"{shortened(source, 40)}: {said}")
        most = max(row["n"] for source in sources for row in numbers.targets(source, subject.measure))
        for axes in drawn:
            log_scale(axes, short=is_narrow(axes))
            axes.set_xlim(0.75, most * 2.2)
        for axes in drawn if is_narrow(figure) else drawn[-1:]:
            axes.set_xlabel("statements about a target")
        fit_titles(figure)
        for source, axes in zip(sources, drawn, strict=True):
            name_outliers(axes, boxes[source], numbers.targets(source, subject.measure), "n", numbers.min_support)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        parts = []
        for source in _with_targets(numbers, subject):
            targets = numbers.targets(source, subject.measure)
            rows = [
                f"{row['category']} median {number(row['median'])}, most {number(row['maximum'])}"
                + (
                    f", beyond the whiskers {outlier_texts(row, targets, 'n', numbers.min_support)[0]}"
                    if row["outliers"]
                    else ""
                )
                for row in boxes_of(_boxes(numbers, source, subject.measure), "n")
            ]
            parts.append(f"{source}: {'; '.join(rows)}.")
        return "Box plots of the number of statements about each target. " + " ".join(parts)

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = []
        for source in _with_targets(numbers, subject):
            boxes, targets = _boxes(numbers, source, subject.measure), numbers.targets(source, subject.measure)
            rows += box_rows(boxes, targets, VALUES, [source], numbers.min_support)
        return DrawnTable(box_columns("source", "most"), rows)


def _boxes(numbers: Numbers, source: str, measure: str) -> Rows:
    """The boxes by one measure; the numbers of statements are the same for all, and this one is needed anyway."""
    return numbers.rows("categories", source=source, measure=measure)


def _with_targets(numbers: Numbers, subject: Subject) -> list[str]:
    return [source for source in subject.sources if numbers.targets(source, subject.measure)]


FIGURE = Representation()
