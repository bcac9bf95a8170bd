"""The narrow canvas, for telephones: panels below one another, names above or broken, and no text under 7.5 points.

A drawing asks ``panels`` for its axes and ``outside_legend`` for its legend. On the usual canvas these do what matplotlib does.
A drawing that sets its own size does not become narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.style import LEGEND, WIDTH, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

NARROW = 3.39
"""Width in inches. It is 244 points: where they fill the 358 pixels of a telephone's text column, 7.5 points are 11 pixels."""
EDGE = 0.04
"""Space to the edge of the canvas, in inches."""
LETTERS = 15
"""Most letters of a line in the name of a row, so that the data have two thirds of the width."""
LINE = 9.6
"""Height of a line of the smallest text, in points."""
LINES = 3
"""Most lines of a title."""
SIZES = {
    "axes.labelsize": 7.5,
    "axes.titlepad": 5,
    "axes.titlesize": 8.5,
    "font.size": 7.5,
    "legend.fontsize": 7.5,
    "xaxis.labellocation": "right",  # a label may be longer than its axis: there is room on the left
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
}
"""What differs from the style of the usual canvas."""
_MARK = "narrow"


def make_narrow(figure: Figure) -> None:
    """Marks a new figure as narrow. ``panels`` gives it its width."""
    figure.set_label(_MARK)


def is_narrow(of: Figure | Axes) -> bool:
    """Whether a figure, or that of a panel, is narrow."""
    root = of.get_figure(root=True)
    return root is not None and root.get_label() == _MARK


def panels(figure: Figure, down: int, across: int, *, height: float, inches: Sequence[float], **usual: Any) -> Any:
    """The panels of a figure, whose size it sets. On a narrow canvas all are in one column.

    Args:
        height: of the whole usual figure, in inches.
        inches: on a narrow canvas, the height of each panel, row by row, without what stands around it.
        usual: what ``Figure.subplots`` takes on the usual canvas.

    Returns:
        An array of axes of the shape (down, across).
    """
    if not is_narrow(figure):
        figure.set_size_inches(WIDTH, height)
        return figure.subplots(down, across, squeeze=False, **usual)
    figure.set_size_inches(NARROW, sum(inches) + len(inches))  # ``fit_titles`` corrects this
    return figure.subplots(down * across, 1, squeeze=False, height_ratios=inches).reshape(down, across)


def outside_legend(figure: Figure, *, ncols: int, title: str | None = None, **look: Any) -> None:
    """A legend above the panels. On a narrow canvas it has fewer columns, if they do not fit.

    Args:
        look: handles, and what else ``Figure.legend`` takes.
    """

    def made(columns: int) -> Legend:
        return figure.legend(loc="outside upper left", ncols=columns, title=title, **{**LEGEND, **look})

    if not is_narrow(figure):
        made(ncols)
        return
    look["title_fontproperties"] = {"weight": "bold", "size": SIZES["axes.titlesize"]}
    look |= {"handlelength": 1.6, "columnspacing": 1.0, "borderaxespad": 0.3, "borderpad": 0.2}
    room = figure.bbox.width - 2 * EDGE * figure.dpi
    for columns in range(ncols, 0, -1):
        legend = made(columns)
        break_text(legend.get_title(), room, LINES)
        over = legend.get_window_extent().width - room
        if over <= 0:
            return
        if columns > 1:
            legend.remove()
    widest = max(each.get_window_extent().width for each in legend.get_texts())
    for text in legend.get_texts():
        break_text(text, widest - over, 2)


def row_name(of: Figure | Axes, name: Any, longest: int, letters: int = LETTERS) -> str:
    """The name of a row, shortened; on a narrow canvas broken into lines of so many letters.

    Where words would need a line more than letters do, the lines are longer: rows have room for ``longest`` letters alone.
    """
    said = shortened(name, longest)
    if not is_narrow(of):
        return said
    most = -(-len(said) // letters)
    while len(lines := wrap(said, letters)) > most:
        letters += 1
    return "\n".join(lines)


def name_above(axes: Axes, places: Sequence[float], names: Sequence[str]) -> None:
    """Writes the names of rows above them, from the left end of the axes, instead of beside them.

    Args:
        places: where the lower edge of a name is, in data units.
    """
    axes.set_yticks([])
    for place, name in zip(places, names, strict=True):
        write_line(axes, place, name, va="bottom")


def write_line(axes: Axes, at: float, said: str, lines: int = 1, **look: Any) -> None:
    """Writes a text from the left end of the axes, as wide as the canvas at most. It takes no room in the layout.

    Args:
        at: the height, in data units.
        lines: most lines.
        look: text properties.
    """
    text = axes.text(
        0, at, said, transform=axes.get_yaxis_transform(), fontsize=SIZES["font.size"], bbox=behind(), **look
    )
    text.set_in_layout(False)
    figure = axes.get_figure(root=True)
    assert figure is not None
    break_text(text, figure.bbox.width - 3 * EDGE * figure.dpi, lines)


def behind() -> dict[str, Any]:
    """A white background, so that no line runs through a text."""
    return {"facecolor": "white", "edgecolor": "none", "pad": 0.4}


def break_text(text: Text, room: float, lines: int) -> None:
    """Breaks a text into lines that fit; what is left after the last line is cut.

    Args:
        room: in pixels.
        lines: most lines.
    """
    said = text.get_text()
    width = text.get_window_extent().width
    letters = len(said)
    while width > room and letters > 2:
        longest = max(map(len, text.get_text().split("\n")))
        letters = min(letters - 1, int(longest * room / width))
        broken = wrap(said, max(letters, 2))
        if len(broken) > lines:
            broken = [*broken[: lines - 1], f"{broken[lines - 1][: letters - 1].rstrip()}…"]
        text.set_text("\n".join(broken))
        width = text.get_window_extent().width
