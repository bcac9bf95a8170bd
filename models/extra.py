"""Imports the packages of the extra ``harmgraph[models]`` when they are needed."""

from __future__ import annotations

import importlib
import os
from typing import Any

from harmgraph.graph.common.errors import MissingExtra


def needed(name: str) -> Any:
    """Imports a module of the extra.

    Raises:
        MissingExtra: it is not installed; the message says how to install it.
    """
    if name == "dgl":
        # Without this DGL reads a configuration file in the user's home, and writes one if there is none.
        os.environ.setdefault("DGLBACKEND", "pytorch")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name:
            raise
        raise MissingExtra(name, "models") from error
