"""Creates the constraints and indexes in the database and notes the version of its form; safe to run again."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.form.steps import newest
from harmgraph.graph.statements import names, statement


def apply(graph: Graph) -> None:
    """Runs every statement ``cypher/schema/make_*``, waits until the indexes are online, and notes the version of a new graph."""
    for name in names("schema"):
        if name.startswith("schema/make_"):
            graph.write(name)
    graph.rows(statement("schema/await_indexes"))
    graph.write("schema/begin_form", version=newest())
