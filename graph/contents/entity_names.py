"""Removes the names and descriptions that a source gave to entities and relations, when it is dropped or loaded again."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import normalise

BATCH = 10_000


def forget(graph: Graph, source: str) -> None:
    """Removes all names, descriptions and labels that a source gave; names from other sources become visible again.

    Safe to run again. If two sources gave an entity the same property, such as a description, and the visible one is removed,
    the other source's value comes back when that source is loaded again.
    """
    graph.autocommit("source/forget_names", source=source)
    graph.autocommit("source/forget_descriptions", source=source)
    graph.write("source/forget_labels", source=source)
    rows: list[list[str]] = []
    for key, name in graph.stream("source/missing_terms"):
        rows.append([key, normalise(name)])
        if len(rows) >= BATCH:
            graph.write("source/write_terms", rows=rows)
            rows.clear()
    if rows:
        graph.write("source/write_terms", rows=rows)
