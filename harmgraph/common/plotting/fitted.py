"""Breaks and cuts texts that would leave their place: measured in the font, since twenty letters may be narrow or wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.narrow import EDGE, NARROW, break_text, is_narrow
from harmgraph.common.plotting.narrow import LINES as NARROW_LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import LayoutEngine
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

AIR = 0.06
"""Space to the edge of the figure or to what stands on the right, in inches; it also covers what hinting adds at other sizes."""
LINES = 2
"""Most lines of a title."""


def fit_titles(figure: Figure) -> None:
    """Breaks the title of each panel before the next panel on its right, or before the edge, and makes the layout final.

    What still is too long is cut. A drawing that places something by pixels calls it first. With a layout engine left, a file
    would be drawn twice.
    """
    engine = figure.get_layout_engine()
    if engine is None:  # it is final
        return
    if not is_narrow(figure):
        _fit_wide(figure, engine)
    elif figure.get_figwidth() == NARROW:
        _fit_narrow(figure, engine)
    else:  # the drawing sets its own size
        return
    figure.set_layout_engine(None)


def _fit_wide(figure: Figure, engine: LayoutEngine) -> None:
    """Breaks the titles of the usual canvas."""
    engine.execute(figure)
    begins = [_begin(axes) for axes in figure.axes]  # a title that is broken moves none of them: it stands on the left
    titles = [(axes, title) for axes in figure.axes if (title := _title(axes))]
    before = [title.get_text() for _, title in titles]
    for axes, title in titles:
        left = title.get_window_extent().x0
        _break(title, _room(axes, figure, begins) - left)
    if before != [title.get_text() for _, title in titles]:
        engine.execute(figure)


def _fit_narrow(figure: Figure, engine: LayoutEngine) -> None:
    """Lets titles begin at the edge, breaks them and labels, and gives the panels their heights."""
    edge = EDGE * figure.dpi
    for axes in figure.axes:
        for text in (_title(axes), axes.xaxis.label):
            if text:
                break_text(text, figure.bbox.width - 2 * edge, NARROW_LINES)
    engine.execute(figure)
    _begin_titles(
        figure, edge
    )  # the layout keeps the middle of a title on the canvas: beside long names it would lie beyond
    grid = figure.axes[0].get_gridspec()
    assert grid is not None
    ratios: Any = grid.get_height_ratios()
    has = sum(axes.get_position(original=True).height for axes in figure.axes) * figure.get_figheight()
    figure.set_figheight(figure.get_figheight() + sum(ratios) - has)
    engine.execute(figure)
    _begin_titles(figure, edge)
    for axes in figure.axes:  # a label ends where its axis does, and half of the last number may stand beyond
        label = axes.xaxis.label
        over = edge - label.get_window_extent().x0
        if label.get_text() and over > 0:
            label.set_x(label.get_position()[0] + over / axes.get_window_extent().width)


def _begin_titles(figure: Figure, left: float) -> None:
    """Lets titles begin so many pixels from the left edge of the canvas."""
    for axes in figure.axes:
        box = axes.get_window_extent()
        if title := _title(axes):
            title.set_x((left - box.x0) / box.width)


def cut_texts(axes: Axes) -> None:
    """Cuts the texts inside a panel that would leave the figure on the right. The layout must be final (``fit_titles``)."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    right = figure.bbox.x1 - AIR * figure.dpi
    for text in axes.texts:
        text.set_text(_cut(text, text.get_text(), right - text.get_window_extent().x0))


def _title(axes: Axes) -> Text | None:
    """The title on the left of the panel, where the project's style puts it."""
    from matplotlib.text import Text

    said = axes.get_title(loc="left")
    texts = (child for child in axes.get_children() if isinstance(child, Text))
    return next((text for text in texts if text.get_text() == said), None) if said else None


def _begin(axes: Axes) -> tuple[Bbox, float]:
    """The panel's box, and where it begins on the left with its labels and title, in pixels."""
    box, tight = axes.get_window_extent(), axes.get_tightbbox(for_layout_only=True)
    return box, (box.x0 if tight is None else min(box.x0, tight.x0))


def _room(axes: Axes, figure: Figure, begins: Sequence[tuple[Bbox, float]]) -> float:
    """How far to the right the title of a panel may reach, in pixels.

    Args:
        begins: see ``_begin``, of all panels.
    """
    own = axes.get_window_extent()
    beside = [left for box, left in begins if box.x0 >= own.x1 - 1 and box.y0 < own.y1 and own.y0 < box.y1]
    return float(min([figure.bbox.x1, *beside])) - AIR * figure.dpi


def _break(title: Text, room: float) -> None:
    lines: list[str] = []
    for word in title.get_text().split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if not lines or (_width(title, longer) > room and len(lines) < LINES):
            lines.append(word)
        else:
            lines[-1] = longer
    title.set_text("\n".join(_cut(title, line, room) for line in lines))


def _cut(text: Text, line: str, room: float) -> str:
    """The line, or as much of its start as fits into so many pixels, with an ellipsis."""
    if _width(text, line) <= room:
        return line
    low, high = 0, len(line) - 1  # the longest start that fits lies between
    while low < high:
        middle = (low + high + 1) // 2
        if _width(text, f"{line[:middle].rstrip()}…") <= room:
            low = middle
        else:
            high = middle - 1
    return f"{line[:low].rstrip()}…"


def _width(text: Text, part: str) -> float:
    """How wide a part of a text would be, in pixels."""
    whole = text.get_text()
    text.set_text(part)
    width = float(text.get_window_extent().width)
    text.set_text(whole)
    return width
