"""A ``py2neo.Graph`` on the same server, for notebooks that use py2neo (the extra ``harmgraph[py2neo]``).

py2neo 2021.2.4 is at its end of life. With Neo4j 5.26 its queries, data frames, objects and bulk writes work; its schema
calls, ``Graph.delete_all`` on a large graph and everything that needs procedures of Neo4j 4.x do not (``docs/py2neo.md``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.common.errors import InputError
from harmgraph.common.installation import extra_command
from harmgraph.graph.address import Address, from_environment

if TYPE_CHECKING:
    import py2neo


def py2neo_graph(address: Address | None = None) -> py2neo.Graph:
    """A ``py2neo.Graph`` on the user's server (``NEO4J_URI``), or on the embedded one, which is started if necessary.

    Raises:
        InputError: py2neo is not installed.
        ServerError: the embedded server cannot be started.
    """
    try:
        from py2neo import Graph
    except ImportError as error:
        raise InputError("py2neo is not installed", remedy=f"install it with: {extra_command('py2neo')}") from error
    if address is None:
        address = from_environment()
    if address is None:
        from harmgraph.graph.server import server

        address = server.start()
    return Graph(address.uri, auth=(address.username, address.password), name=address.database)
