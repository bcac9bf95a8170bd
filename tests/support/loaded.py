"""How much of a load the graph holds while it is under way."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse

COUNT = parse("loaded", "MATCH ()-[r]->() WHERE type(r) <> 'HOLDS' RETURN count(r) AS relationships")


def relationships(graph: Graph) -> int:
    """The relationships of the graph without those of its target lists, which stand before the first line is read."""
    count: int = graph.rows(COUNT)[0]["relationships"]
    return count
