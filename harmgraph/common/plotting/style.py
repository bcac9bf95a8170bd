"""The style of all figures. Every difference shown by colour is also shown by a hatch, a marker or a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.clean_text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Blue and orange are distinguishable with every common form of colour vision and in grey: their lightness differs by a third.
PLUS, MINUS, BOTH, NEUTRAL = "#1b5e9e", "#e0701a", "#7b3f98", "#6b7680"
INK, SOFT, LINE, PAPER = "#1d2329", "#56616c", "#c9d1d8", "#ffffff"
HATCH = {"o_plus": "", "o_minus": "////", "n": ""}
COLOUR = {"o_plus": PLUS, "o_minus": MINUS, "n": NEUTRAL}
SIGN = {
    "o_minus": "O− (prejudice), % of a target's statements",
    "o_plus": "O+ (favouritism), % of a target's statements",
}
_COLOURS = (PLUS, MINUS, BOTH, NEUTRAL, "#117733", "#88631a")
_MARKERS = "osD^vP"
SERIES = tuple(
    (_COLOURS[order % 6], _MARKERS[(order + order // 6) % 6]) for order in range(len(_COLOURS) * len(_MARKERS))
)
"""Colour and marker of the first, second, … series: no two of 36 have both in common."""

STYLE: Mapping[str, Any] = {
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 7,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.9,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "harmgraph",
    "text.color": INK,
    "text.parse_math": False,  # a name may contain dollar signs
    "xtick.color": SOFT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.color": SOFT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 9,
}

LEGEND: Mapping[str, Any] = {"alignment": "left", "title_fontproperties": {"weight": "bold", "size": 10}}

WIDTH = 9.6
"""Width of a figure in inches: the text width of the page at 100 dots per inch."""


def shortened(text: Any, longest: int = 60) -> str:
    """Text from a source for a figure: one line, no control characters, cut where it is too long."""
    line = one_line(str(text))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def number(value: float | None) -> str:
    """The number with a sensible number of digits: ``1,324,925``, ``22.9``, ``0.74``."""
    if value is None:
        return "–"
    digits = 0 if abs(value) >= 1_000 or value == int(value) else 1 if abs(value) >= 1 else 2
    return f"{value:z,.{digits}f}".replace("-", "−")


def bounds(low: float | None, high: float | None) -> str:
    """An interval, such as ``4.1 to 5.6``; empty if there is none."""
    return "" if low is None or high is None else f"{number(low)} to {number(high)}"


def series_legend(names: Sequence[str], size: float) -> list[Any]:
    """Legend handles for series that use ``SERIES``.

    Args:
        size: size of the markers, in points.
    """
    from matplotlib.lines import Line2D

    looks = [SERIES[order % len(SERIES)] for order in range(len(names))]
    return [
        Line2D([], [], color=colour, marker=marker, markersize=size, label=shortened(name, 40))
        for name, (colour, marker) in zip(names, looks, strict=True)
    ]


def rows_grid(axes: Axes) -> None:
    """Adds a light vertical grid to axes whose rows are items."""
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def log_scale(axes: Axes, *, short: bool = False) -> None:
    """A logarithmic horizontal scale whose labels are plain numbers. Over less than a decade and a half it also labels 2 and 5.

    Matplotlib's own labels of such a scale are formulas, which are shown as they are written here.

    Args:
        short: whether labels are short; see ``tick``.
    """
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: tick(value, short=short))
    axes.xaxis.set_minor_formatter(lambda value, _: _minor(axes, value, short))


def _minor(axes: Axes, value: float, short: bool) -> str:
    low, high = axes.get_xlim()
    first = round(value / 10 ** math.floor(math.log10(value)))
    return tick(value, short=short) if math.log10(high / low) < 1.5 and first in (2, 5) else ""


def tick(value: float, *, short: bool = False) -> str:
    """The label of a value on an axis: ``20,000``, ``1.5 M``; if short, ``20 k``."""
    if short and 1e4 <= abs(value) < 1e6:
        return f"{value / 1e3:g} k"
    return f"{value:,g}" if abs(value) < 1e6 else f"{value / 1e6:g} M"
