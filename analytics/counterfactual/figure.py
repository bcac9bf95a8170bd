"""Distances with their intervals and floors as a figure, for ``harmgraph stats counterfactual --figure``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.style import LEGEND, MINUS, PLUS, WIDTH, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    Row = Mapping[str, Any]

ROW_INCHES = 0.26
LONGEST = 52  # letters of a row's name
TITLES = {"i_f": "I.F.", "g_f": "G.F.", "w1": "W1", "pooled": "templates thrown together"}


def write_figure(path: Path, rows: Sequence[Row], names: Sequence[str], keys: Sequence[str], title: str) -> None:
    """Draws the rows and writes the file atomically.

    Args:
        names: the numbers to draw of each row, which have ``_low``, ``_high`` and ``_floor`` beside them.
        keys: the columns that name a row.

    Raises:
        NoSpace: the file cannot be written.
    """
    points = _points(rows, names, keys)
    figure = drawn(lambda figure: _draw(figure, points, title))
    save(path, figure, title=title, alt=description(points, title))


def description(points: Sequence[tuple[str, Row]], title: str) -> str:
    """The figure in words."""
    parts = [
        f"{name}: {point['value']:.4f} ({point['low']:.4f} to {point['high']:.4f}), floor {point['floor']:.4f}"
        for name, point in points
    ]
    return f"{title}: distances with 95 % intervals and the floor that chance gives. {'; '.join(parts)}."


def _points(rows: Sequence[Row], names: Sequence[str], keys: Sequence[str]) -> list[tuple[str, Row]]:
    points: list[tuple[str, Row]] = []
    for row in rows:
        for name in names:
            said = ", ".join(str(row[key]) for key in keys)
            if len(names) > 1:
                said = f"{said}: {TITLES[name]}"
            point = {"value": row[name], **{end: row[f"{name}_{end}"] for end in ("low", "high", "floor")}}
            if row[name] is not None:  # no template has all values
                points.append((said, point))
    return points


def _draw(figure: Figure, points: Sequence[tuple[str, Row]], title: str) -> None:
    from matplotlib.lines import Line2D

    figure.set_size_inches(WIDTH, 1.4 + ROW_INCHES * len(points))
    axes = figure.subplots()
    for place, (_, point) in enumerate(points):
        axes.plot([point["low"], point["high"]], [place, place], color=PLUS, linewidth=1.6, solid_capstyle="butt")
        axes.plot([point["value"]], [place], marker="o", color=PLUS, markersize=5)
        axes.plot([point["floor"]], [place], marker="|", color=MINUS, markersize=11, markeredgewidth=2)
    axes.set_yticks(range(len(points)), [shortened(name, LONGEST) for name, _ in points])
    axes.set_ylim(len(points) - 0.5, -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel("distance of score distributions (Wasserstein-1), 0 to 1")
    rows_grid(axes)
    handles: list[Any] = [
        Line2D([], [], color=PLUS, marker="o", markersize=5, label="distance, with its 95 % interval"),
        Line2D(
            [], [], color=MINUS, marker="|", linestyle="", markersize=11, markeredgewidth=2, label="what chance gives"
        ),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, title=shortened(title, 90), **LEGEND)
