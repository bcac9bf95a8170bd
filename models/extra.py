"""What the extra ``harmgraph[models]`` brings, imported when it is needed."""

from __future__ import annotations

import importlib
import os
from typing import Any

from harmgraph.graph.common.errors import MissingExtra


def needed(name: str) -> Any:
    """A module of the extra.

    Raises:
        MissingExtra: it is not installed; the message says how to install it.
    """
    if name == "dgl":
        # Without it DGL asks a configuration file in the user's home, and writes one where there is none.
        os.environ.setdefault("DGLBACKEND", "pytorch")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name:
            raise
        raise MissingExtra(name, "models") from error
