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
