"""Reads JSON of a line; whatever is wrong with it is the line's fault."""

from __future__ import annotations

from typing import Any

from harmgraph.common.json_text import from_json
from harmgraph.loader.formats.importer import BadLine

SHOWN = 60  # characters of what Python says of it


def json_value(text: str | bytes, reason: str) -> Any:
    """The value of a text of JSON, of any type.

    Args:
        reason: what the line has in its place, such as ``no JSON object on one line``.

    Raises:
        BadLine: it is not JSON, or is nested deeper than can be read.
    """
    try:
        return from_json(text)
    except ValueError as error:
        raise BadLine(f"{reason} ({str(error)[:SHOWN]})") from error
