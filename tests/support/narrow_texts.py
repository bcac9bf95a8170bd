"""What is wrong with the texts of a narrow figure: too small, outside the canvas, or over one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from harmgraph.common.plotting.canvas import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

SMALLEST = 7.5
"""Points; 11 pixels on a screen of 390."""
TOUCH = 0.7
"""Points by which the boxes of two texts may overlap: they have air above and below the letters."""


def problems(figure: Figure, *, ink: bool = False) -> list[str]:
    """One line for each text that is too small, outside the canvas, or over another text of its axes.

    Args:
        ink: whether texts are as large as their letters, and not as the lines in which these stand.
    """
    with style(narrow=True):
        figure.draw_without_rendering()
    found = [f"small: {text.get_text()}" for text in _shown(figure) if text.get_fontsize() < SMALLEST]
    for text in _shown(figure):
        box = text.get_window_extent()
        if box.x0 < -1 or box.y0 < -1 or box.x1 > figure.bbox.x1 + 1 or box.y1 > figure.bbox.y1 + 1:
            found.append(f"outside: {text.get_text()} {box.extents}")
    unit = TOUCH * figure.dpi / 72
    for axes in figure.axes:
        boxes = [(text.get_text(), _ink(text) if ink else text.get_window_extent()) for text in _shown(axes)]
        for (said, box), (other, against) in combinations(boxes, 2):
            across = min(box.x1, against.x1) - max(box.x0, against.x0)
            down = min(box.y1, against.y1) - max(box.y0, against.y0)
            if across > unit and down > unit:
                found.append(f"over one another: {said!r} and {other!r}")
    return found


def _shown(of: Figure | Axes) -> Iterator[Text]:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    hidden = {id(label) for axes in ([*of.axes] if isinstance(of, Figure) else [of]) for label in _unseen(axes)}
    for text in of.findobj(Text):
        assert isinstance(text, Text)
        box = text.get_window_extent()
        if text.get_visible() and text.get_text().strip() and box.width and id(text) not in hidden:
            yield text


def _unseen(axes: Axes) -> Iterator[Text]:
    """The labels of ticks beyond the ends of an axis, and all of axes that are switched off: nobody draws them."""
    pairs: list[tuple[Axis, tuple[float, float]]] = [(axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())]
    for axis, ends in pairs:
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not axes.axison or not min(ends) <= tick.get_loc() <= max(ends):
                yield tick.label1
                yield tick.label2


def _ink(text: Text) -> Bbox:
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    if (text.get_ha(), text.get_va()) != ("left", "baseline"):
        return text.get_window_extent()
    said = text.get_text().replace("$", "S")  # two dollars would be read as mathematics
    outline = TextPath((0, 0), said, size=text.get_fontsize(), prop=text.get_fontproperties())
    figure = text.get_figure(root=True)
    assert figure is not None
    place = text.get_transform().transform(text.get_position())
    return outline.get_extents(Affine2D().scale(figure.dpi / 72).translate(*place))
