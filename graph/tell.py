"""A line for the user before something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable

Tell = Callable[[str], None]


def quiet(_: str) -> None:
    """Tells nobody."""


def terminal(line: str) -> None:
    """Writes the line to stderr where that is a terminal."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)
