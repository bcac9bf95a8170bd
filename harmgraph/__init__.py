"""Audit knowledge bases for harms to groups of people, in a graph.

    import harmgraph

    with harmgraph.Graph.open() as graph:
        harmgraph.load(graph, "conceptnet", "conceptnet.csv", source="kb")
        harmgraph.label(graph, "vader", source="kb")
        frame = harmgraph.statistic(graph, "overgeneralization", source="kb")

Each name is imported when it is first used. They are described in ``docs/notebook.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harmgraph.api import figure, label, load, probe, report, statistic, train
    from harmgraph.graph.connection import Graph

__all__ = ["Graph", "figure", "label", "load", "probe", "report", "statistic", "train"]


def __getattr__(name: str) -> object:
    if name == "Graph":
        from harmgraph.graph.connection import Graph

        return Graph
    if name in __all__:
        from harmgraph import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
