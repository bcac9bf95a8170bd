"""Audit knowledge bases for harms to groups of people, in a graph.

    import harmgraph as hg

    with hg.open() as kb:
        kb.load("conceptnet", "assertions.csv.gz", limit=300_000)
        kb.label("vader")
        frame = kb.stats.overgeneralization(source="conceptnet", min_support=20)

Each name is imported when it is first used. They are described in ``docs/notebook.md``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from harmgraph.common.errors import (
    BadName,
    Busy,
    GraphError,
    HarmgraphError,
    InputError,
    MissingExtra,
    NotFound,
    ServerError,
    TooManyRejects,
    UnknownMember,
    Unreachable,
    UnreadableFile,
)

if TYPE_CHECKING:
    from harmgraph.analytics.drawing.drawing import figures
    from harmgraph.common.scorer import Score, Scorer, scorers
    from harmgraph.graph.connection import Graph
    from harmgraph.knowledge_base import KnowledgeBase, open  # noqa: A004
    from harmgraph.loader.formats.importer import Importer, importers
    from harmgraph.models.probing.probe import probes

_LATER = {
    "Graph": "graph.connection",
    "Importer": "loader.formats.importer",
    "KnowledgeBase": "knowledge_base",
    "Score": "common.scorer",
    "Scorer": "common.scorer",
    "figures": "analytics.drawing.drawing",
    "importers": "loader.formats.importer",
    "open": "knowledge_base",
    "probes": "models.probing.probe",
    "scorers": "common.scorer",
}
"""The module of each name that is imported when it is first used."""

__all__ = [
    "BadName",
    "Busy",
    "Graph",
    "GraphError",
    "HarmgraphError",
    "Importer",
    "InputError",
    "KnowledgeBase",
    "MissingExtra",
    "NotFound",
    "Score",
    "Scorer",
    "ServerError",
    "TooManyRejects",
    "UnknownMember",
    "Unreachable",
    "UnreadableFile",
    "figures",
    "importers",
    "open",
    "probes",
    "scorers",
]


def __getattr__(name: str) -> object:
    if name in _LATER:
        return getattr(import_module(f"harmgraph.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
