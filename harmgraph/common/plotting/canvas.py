"""Creates figures and writes them to files; the same figure always gives the same bytes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.clean_text import clean
from harmgraph.common.errors import InputError
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.narrow import SIZES, is_narrow, make_narrow
from harmgraph.common.plotting.style import STYLE
from harmgraph.common.whole_file import is_stream, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
REMEDY = "choose another file with --figure"
PIXELS_PER_INCH = 200
DOTS = 288
"""Dots per inch at which texts are measured: at 100, hinting makes them up to a twentieth narrower than they are in an SVG."""


def file_kind(path: Path, *, remedy: str = "") -> str:
    """The kind of figure that a file name asks for by its ending, one of ``FORMATS``.

    A device, a FIFO or an open file, such as ``/dev/stdout``, needs no ending: it gets an SVG.

    Raises:
        InputError: it is not the ending of a format that can be written.
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS and is_stream(path):
        return FORMATS[0]
    if kind not in FORMATS:
        endings = ", ".join(f".{form}" for form in FORMATS)
        raise InputError(f"ends in none of {endings}", where=str(path), remedy=remedy)
    return kind


def check_ending(path: Path | None, *, remedy: str = REMEDY) -> None:
    """Checks the name of a figure's file, if there is one, before anything is computed.

    Raises:
        InputError: it is not the ending of a format that can be written.
    """
    if path:
        file_kind(path, remedy=remedy)


def drawn(draw: Callable[[Figure], None], *, narrow: bool = False) -> Figure:
    """A new figure in the project's style, whose titles fit into it.

    Args:
        draw: draws onto it and sets its size.
        narrow: whether for a telephone; see ``narrow.panels``.
    """
    figure = blank()
    if narrow:
        make_narrow(figure)
    with style(narrow):
        draw(figure)
        fit_titles(figure)
    return figure


def save(path: Path, figure: Figure, *, title: str, alt: str, remedy: str = REMEDY) -> None:
    """Writes a figure whole or not at all, in the format of the file's name.

    Raises:
        InputError: it is not the ending of a format that can be written.
        NoSpace: the file cannot be written.
    """
    write_whole(path, rendered(figure, file_kind(path, remedy=remedy), title=title, alt=alt), remedy=remedy)


def blank() -> Figure:
    """An empty figure with its own canvas, independent of pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained", dpi=DOTS)
    FigureCanvasAgg(figure)
    return figure


@contextmanager
def style(narrow: bool = False) -> Iterator[None]:
    """Applies the project's style inside the block, whatever the user's matplotlibrc says; restores the old style afterwards.

    Args:
        narrow: whether for a narrow canvas.
    """
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # Characters that the font lacks are drawn as boxes; the tables show them correctly.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        chosen: Any = matplotlib.rcParams
        chosen.update(STYLE)
        if narrow:
            chosen.update(SIZES)
        yield


def rendered(figure: Figure, kind: str, *, title: str = "", alt: str = "") -> bytes:
    """The bytes of an SVG, PNG or PDF file, with title and alternative text, without a date.

    Args:
        kind: one of ``FORMATS``.
    """
    title, alt = clean(title), clean(alt)
    metadata: dict[str, dict[str, str | None]] = {
        "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
        "png": {"Software": None, "Title": title, "Description": alt},
        "pdf": {"CreationDate": None, "Title": title, "Subject": alt},
    }
    file = io.BytesIO()
    with style(is_narrow(figure)):
        figure.savefig(file, format=kind, dpi=PIXELS_PER_INCH, metadata=metadata[kind])
    content = file.getvalue()
    if kind != "svg":
        return content
    # Every text stands in it as a comment beside its outlines.
    return _described(clean(content.decode()).encode(), title, alt)


def _described(svg: bytes, title: str, alt: str) -> bytes:
    """The SVG with a title and a description for screen readers."""
    start = svg.index(b">", svg.index(b"<svg")) + 1
    description = "".join(
        f"\n <{tag}>{escape(text)}</{tag}>" for tag, text in (("title", title), ("desc", alt)) if text
    )
    opening = svg[:start].replace(b"<svg ", b'<svg role="img" ', 1)
    return opening + description.encode() + svg[start:]
