"""Renders a drawing on a canvas of its own in a fixed style, so that the file has the same bytes each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.drawing import Drawing
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.common.errors import InputError
from harmgraph.common.plotting.canvas import drawn
from harmgraph.common.plotting.narrow import NARROW

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class NothingToDraw(InputError):
    """The graph has no data for a figure."""


def render_figure(drawing: Drawing, numbers: Numbers, subject: Subject) -> Figure:
    """Draws onto a new matplotlib figure, ready for ``graph.plotting.canvas.rendered``.

    Raises:
        NothingToDraw: the graph has no data for it.
    """
    lack = drawing.lacks(numbers, subject)
    if lack:
        raise NothingToDraw(lack, where=drawing.name)
    return drawn(lambda figure: drawing.draw(figure, numbers, subject))


def render_narrow(drawing: Drawing, numbers: Numbers, subject: Subject) -> Figure | None:
    """The same drawing for a telephone; None if the drawing sets its own size. Something must be there to draw."""
    figure = drawn(lambda figure: drawing.draw(figure, numbers, subject), narrow=True)
    return figure if figure.get_figwidth() == NARROW else None
