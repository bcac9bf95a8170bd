"""The rows of statements that read every triple of a source: counted once, and kept until the triples change.

Such a statement has the header line ``kept: until the triples change``, or names other parts of the graph (``kept_file.PARTS``);
``kept: until the graph changes`` is for one that reads all of it. As a file of ``cypher/`` it counts in Neo4j Browser, and
harmgraph gives the same rows from what it kept.
"""

from __future__ import annotations

import json
from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.kept_by_state import KeptByState
from harmgraph.graph.driver.kept_file import WHOLE_GRAPH, Rows, parts
from harmgraph.graph.statements import CypherStatement

NOTE = "kept"
KEPT = KeptByState(WHOLE_GRAPH, 2)


def kept_rows(graph: Graph, query: CypherStatement, **parameters: Any) -> Rows | None:
    """The values of each row, in the order of the columns.

    Returns:
        None if the statement has no such line, or the server does not name the state of the graph.
    """
    if NOTE not in query.notes:
        return None
    parameters = graph.filled(query, parameters)
    name = json.dumps([query.text, query.arguments(parameters)], sort_keys=True, default=repr)
    counted: list[Rows] = []

    def count() -> Rows:
        counted.append([list(row.values()) for row in graph.raw_rows(query, **parameters)])
        return counted[0]

    until = frozenset().union(*map(parts, query.notes[NOTE]))
    kept = KEPT.rows(graph, name, until, count)
    # Somebody wrote meanwhile: these rows are right, as one statement read them, and are not kept.
    return counted[0] if kept is None and counted else kept
