"""What a server says of a statement without running it."""

from __future__ import annotations

from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement

ANY: dict[str, Any] = {"map": {}, "list": [], "list<string>": [], "int": 1, "float": 1.0, "bool": True}


def explained(graph: Graph, name: str) -> list[str]:
    """The columns that the server finds in a statement of ``cypher/``."""
    found = statement(name)
    given = {one.name: ANY.get(one.type, "x") if one.required else one.default for one in found.parameters}
    with graph.driver.session(database=graph.address.database) as session:
        return list(session.run(f"EXPLAIN {found.text}", given).keys())
