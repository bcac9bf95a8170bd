"""A drawing made into a file: its own canvas, fixed style, the same bytes each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.drawing import Drawing
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.graph.common.errors import InputError
from harmgraph.graph.plotting.canvas import blank, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class NothingToDraw(InputError):
    """The graph lacks what a figure shows."""


def render_figure(drawing: Drawing, numbers: Numbers, subject: Subject) -> Figure:
    """The figure, ready for ``rendered``.

    Raises:
        NothingToDraw: the graph lacks what it shows.
    """
    lack = drawing.lacks(numbers, subject)
    if lack:
        raise NothingToDraw(lack, where=drawing.name)
    figure = blank()
    with style():
        drawing.draw(figure, numbers, subject)
    return figure
