"""Creates the constraints and indexes in the database; safe to run again."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import names, statement


def apply(graph: Graph) -> None:
    """Runs every statement ``cypher/schema/make_*`` and waits until the indexes are online."""
    for name in names("schema"):
        if name.startswith("schema/make_"):
            graph.write(name)
    graph.rows(statement("schema/await_indexes"))
