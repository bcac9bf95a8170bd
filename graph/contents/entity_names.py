"""What a source calls entities and relations, and how it describes them: taken back where the source goes or is renewed."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import normalise

BATCH = 10_000


def forget(graph: Graph, source: str) -> None:
    """Takes back all names, descriptions and labels that a source gave; what other sources gave shows again.

    Safe to run again. Where two sources gave an entity the same property, such as a description, and the one that shows is
    forgotten, the other's comes back with its next load.
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
