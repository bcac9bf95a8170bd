"""The report as one page that contains pictures, style and numbers, and needs no network."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any
from urllib.parse import quote

from harmgraph.analytics.report.content import Content
from harmgraph.analytics.report.markdown import BEYOND, FEW, PAIRS, beyond, shown_value
from harmgraph.analytics.report.told import surest
from harmgraph.analytics.statistics.chance import is_beyond, shown_chance
from harmgraph.common.plotting.style import bounds, number
from harmgraph.common.version import VERSION

SHOWN = 20
"""Targets in a table before the reader opens the rest."""
MOST_ROWS = 400
"""Most rows of the table under a figure; JSON has all."""
_SIZE = re.compile(rb'<svg[^>]*? width="([\d.]+)pt"', re.DOTALL)
_HEIGHT = re.compile(rb'<svg[^>]*? height="([\d.]+)pt"', re.DOTALL)

IN_SHORT = (
    *("source", "measure", "surest prejudice (O−)", "surest favouritism (O+)", "beyond chance", "never mentioned"),
    *("polarised %", "statements", "targets", "labelled by"),
)
"""Columns of the first table: the finding first, then what it rests on."""


def html(report: Content) -> str:
    """The page as HTML."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(
        number=number, shown=_shown, chance=shown_chance, data=_data, size=_size, numeric=_numeric
    )
    environment.globals.update(bounds=bounds, is_beyond=is_beyond, strip=_strip, surest=surest)
    template = environment.from_string(_resource("report.html"))
    return template.render(
        report=report,
        style=_resource("report.css"),
        version=VERSION,
        targets_shown=SHOWN,
        most_rows=MOST_ROWS,
        pairs_left_out=PAIRS.format(count=report.pairs_left_out),
        beyond=lambda measured: BEYOND.format(**beyond(measured)),
        in_short=IN_SHORT,
        all_narrow=all(picture.narrow for picture in report.pictures() if picture.svg),
        few=lambda count: FEW.format(count=count, support=report.numbers.min_support),
    )


def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _data(svg: bytes) -> str:
    # Shorter than base64: few characters of an SVG need the three characters of an escape.
    return "data:image/svg+xml," + quote(svg.decode("ascii"), safe=" =:/<>,;()'!@*?[]{}^|+")


def _size(svg: bytes) -> dict[str, int]:
    """Width and height in CSS pixels, so that the page does not move while pictures are decoded."""
    matches = _SIZE.search(svg), _HEIGHT.search(svg)
    return {
        name: round(float(match[1]) * 4 / 3) for name, match in zip(("width", "height"), matches, strict=True) if match
    }


def _shown(value: Any, column: str) -> str:
    if value is None:
        return "–"
    return shown_value(column, value) if isinstance(value, int | float) else str(value)


def _numeric(value: Any) -> bool:
    return value is None or isinstance(value, int | float)


def _strip(row: dict[str, Any]) -> dict[str, float]:
    """Ends of the bars and whiskers of a row, in percent of the strip's width; each half shows 0 to 50 percent."""
    ends = {}
    for sign, value in ((-1, "o_minus"), (1, "o_plus")):
        for end in ("", "_low", "_high"):
            ends[value + end] = round(50 + sign * min(row[value + end], 50), 2)
    return ends
