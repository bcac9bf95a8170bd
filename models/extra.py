"""Imports the packages of the extras ``harmgraph[models]``, ``[dgl]``, ``[pyg]`` and ``[gguf]`` when they are needed."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import Any

from harmgraph.common.errors import MissingExtra

EXTRAS = {"dgl": "dgl", "torch_geometric": "pyg", "gguf": "gguf", "accelerate": "gguf"}
"""The extras of packages that are not in ``models``."""
DGL_ENDS = (3, 12)
"""The first Python for which DGL has no wheel."""
NO_WHEEL = "use Python 3.11: DGL has no wheel for a later one"


def needed(name: str) -> Any:
    """Imports a module of an extra.

    Raises:
        MissingExtra: it is not installed; the message says how to install it.
    """
    package = name.partition(".")[0]
    if name == "dgl":
        # Without this DGL reads a configuration file in the user's home, and writes one if there is none.
        os.environ.setdefault("DGLBACKEND", "pytorch")
    try:
        with warnings.catch_warnings():
            if package == "torch_geometric":
                # While it is imported it warns of what it calls in torch itself, about which the user can do nothing.
                warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        remedy = NO_WHEEL if package == "dgl" and sys.version_info >= DGL_ENDS else ""
        raise MissingExtra(package, EXTRAS.get(package, "models"), remedy) from error


def works(name: str) -> bool:
    """Whether a module of an extra is there and can be imported: some packages of DGL break with some versions of torch."""
    try:
        needed(name)
    except (MissingExtra, ImportError, OSError):
        return False
    return True
