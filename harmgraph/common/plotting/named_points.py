"""Places names beside points so that they do not cover each other, a mark or the frame.

Each name in turn, the most important first, gets the nearest free place around its point; a name without a free place is left
out. This is fast, gives the same picture every time, and every name is readable (Christensen, Marks and Shieber 1995 compare
such greedy placement with slower methods).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.style import SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Box = tuple[float, float, float, float]  # left, bottom, right, top in pixels
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
ABOVE = ((0, 1), (0, -1), (0.6, 1), (-0.6, 1), (0.6, -1), (-0.6, -1))
DISTANCES = (3.0, 8.0, 14.0, 21.0, 29.0)
"""Distances from the edge of the mark to the name, in points (1/72 inch)."""
AIR = 1.0
"""Space between two names, in points."""


def name_points(
    axes: Axes,
    named: Sequence[tuple[float, float, str]],
    marks: Iterable[tuple[float, float]] = (),
    *,
    ways: Sequence[tuple[float, float]] = AROUND,
    keep_off: Iterable[Box] = (),
    mark_size: float = 5.0,
    **look: Any,
) -> list[Text]:
    """Writes names beside their points, with a line to names that are further away.

    The figure's layout must be final (``fitted.fit_titles``).

    Args:
        named: x and y in data units and the name, the most important first.
        marks: x and y of all marks drawn, including those of the named points.
        ways: directions from a point to its name, the best first.
        keep_off: further areas to leave free, in pixels.
        mark_size: width of a mark, in points.
        look: text properties.

    Returns:
        The names that were placed, in order.
    """
    if not named:
        return []
    unit = axes.get_figure(root=True).dpi / 72  # type: ignore[union-attr]
    half = mark_size / 2 * unit
    at = axes.transData.transform([(x, y) for x, y in marks] or [(named[0][0], named[0][1])])
    taken: list[Box] = [(x - half, y - half, x + half, y + half) for x, y in at] + list(keep_off)
    frame = axes.get_window_extent()
    shown: list[Text] = []
    for x, y, name in named:
        text = axes.text(x, y, name, ha="center", va="center", **({"fontsize": 7.5} | look))
        extent = text.get_window_extent()
        point = axes.transData.transform((x, y))
        room = (frame.x0, frame.y0, frame.x1, frame.y1)
        place = _free(point, extent.width, extent.height, half, unit, ways, taken, room)
        if place is None:
            text.remove()
            continue
        box, distance = place
        middle = axes.transData.inverted().transform(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        text.set_position((middle[0], middle[1]))
        air = AIR * unit
        taken.append((box[0] - air, box[1] - air, box[2] + air, box[3] + air))
        shown.append(text)
        if distance > DISTANCES[1]:
            _connect(axes, point, box)
    return shown


def _free(
    point: Any,
    width: float,
    height: float,
    half: float,
    unit: float,
    ways: Sequence[tuple[float, float]],
    taken: list[Box],
    room: Box,
) -> tuple[Box, float] | None:
    for distance in DISTANCES:
        off = half + distance * unit
        for across, up in ways:
            x = point[0] + across * (off + width / 2)
            y = point[1] + up * (off + height / 2) * (0.8 if across and up else 1)
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            inside = room[0] <= box[0] and box[2] <= room[2] and room[1] <= box[1] and box[3] <= room[3]
            if inside and not any(_overlap(box, other) for other in taken):
                return box, distance
    return None


def _overlap(box: Box, taken: Box) -> bool:
    return box[0] < taken[2] and taken[0] < box[2] and box[1] < taken[3] and taken[1] < box[3]


def _connect(axes: Axes, point: Any, box: Box) -> None:
    end = min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])
    (x, y), (end_x, end_y) = axes.transData.inverted().transform([point, end])
    axes.plot([x, end_x], [y, end_y], color=SOFT, linewidth=0.5, zorder=2, scalex=False, scaley=False)
