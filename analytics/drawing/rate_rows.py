"""Rates of targets in rows: two panels, prejudice and favouritism, and in each row the rates that are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.narrow import is_narrow, panels
from harmgraph.common.plotting.style import LINE, rows_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = 14
ROW_INCHES, NARROW_ROW_INCHES = 0.36, 0.42
SIGNS = (("o_minus", "O− (prejudice), %"), ("o_plus", "O+ (favouritism), %"))
NAMES = {"o_minus": "prejudice", "o_plus": "favouritism"}


def rate_panels(figure: Figure, total: int, of: str, above: float) -> Iterator[tuple[str, Axes]]:
    """The panels with the names of their rates; each is labelled once it is drawn.

    Args:
        total: how many rows there are; ``SHOWN`` at most are drawn.
        of: what the rows are, such as ``targets``.
        above: inches beside the rows.
    """
    shown = min(SHOWN, total)
    height, narrow = above + max(shown, 3) * ROW_INCHES, max(shown, 3) * NARROW_ROW_INCHES
    for (sign, label), axes in zip(SIGNS, panels(figure, 1, 2, height=height, inches=[narrow] * 2)[0], strict=True):
        yield sign, axes
        axes.set_xlabel(label)
        axes.set_title(f"{NAMES[sign]}: {shown} of {total:,} {of}")


def draw_link(axes: Axes, place: int, rates: Sequence[float]) -> None:
    """A thin line between the rates of a row."""
    axes.plot(rates, [place] * len(rates), color="#b4bdc5", linewidth=0.8, zorder=1)


def draw_rate(axes: Axes, at: float, row: Mapping[str, Any], sign: str, *, marker: str, colour: str) -> None:
    """A rate with its interval, at this height."""
    axes.errorbar(
        row[sign],
        at,
        xerr=[[max(row[sign] - row[f"{sign}_low"], 0)], [max(row[f"{sign}_high"] - row[sign], 0)]],
        fmt=marker,
        color=colour,
        markersize=5,
        elinewidth=1.3,
        capsize=0,
    )


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Writes the names of the rows, the first on top, and separates them."""
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", labelsize=7.5 if is_narrow(axes) else 7.8)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(left=-0.015 * axes.get_xlim()[1])
    rows_grid(axes)
    for place in range(len(names) - 1):
        axes.axhline(place + 0.5, color=LINE, linewidth=0.6)
