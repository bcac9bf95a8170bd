"""Errors as plain values, which processes can exchange."""

from __future__ import annotations

import traceback
from typing import Any

from harmgraph.common import errors
from harmgraph.common.errors import HarmgraphError

Packed = tuple[str, tuple[Any, ...], dict[str, Any]]
"""The name of the class, empty for an error that is none of harmgraph's; its arguments; its attributes."""


def packed(error: BaseException) -> Packed:
    """A harmgraph error as plain values; any other error as its traceback."""
    if isinstance(error, HarmgraphError):
        return type(error).__name__, error.args, vars(error)
    return "", ("".join(traceback.format_exception(error)),), {}


def unpacked(name: str, arguments: tuple[Any, ...], facts: dict[str, Any]) -> Exception:
    """The error of these values."""
    kind: type[Exception] = getattr(errors, name) if name else RuntimeError
    error = kind.__new__(kind, *arguments)  # without __init__, whose arguments differ from class to class
    error.args = arguments
    vars(error).update(facts)
    return error
