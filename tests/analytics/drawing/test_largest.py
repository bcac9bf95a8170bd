"""A figure shows so many categories as a page has room for, and says how many there are."""

from __future__ import annotations

from harmgraph.analytics.drawing.box_plot import boxes_left_out, drawn_boxes
from harmgraph.analytics.drawing.largest import CATEGORIES, largest, left_out


def test_the_largest_are_shown_and_the_others_counted() -> None:
    few = [f"c{number:02}" for number in range(CATEGORIES)]
    assert largest(few) == few
    assert largest(["small", *few * 2]) == few
    assert left_out(12, 12) == ""
    assert left_out(12, 1_040) == "; the 12 largest of 1,040 categories"


def test_boxes() -> None:
    boxes = [{"category": f"c{number}", "value": "n", "targets": number} for number in range(15)]
    assert [row["targets"] for row in drawn_boxes(boxes)] == list(range(3, 15))
    assert boxes_left_out(boxes) == "; the 12 largest of 15 categories"
    assert boxes_left_out(boxes[:12]) == ""
