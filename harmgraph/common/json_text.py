"""Reads JSON from outside. Python's own reader ends with a ``RecursionError`` where lists or objects are nested too deeply."""

from __future__ import annotations

import json
from typing import Any


def from_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is not JSON, or is nested more deeply than can be read.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def from_json_once(text: str | bytes) -> Any:
    """As ``from_json``, of a text in which no object says a key twice.

    Raises:
        ValueError: as ``from_json``, or a key is there twice.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise ValueError("says a key twice")
        return made

    try:
        return json.loads(text, object_pairs_hook=once)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
