"""Creates the constraints and indexes in the database and notes the version of its form; safe to run again."""

from __future__ import annotations

from harmgraph.common.errors import HarmgraphError, NotAllowed
from harmgraph.graph.connection import Graph
from harmgraph.graph.form.steps import newest
from harmgraph.graph.statements import names, statement

MAKE = "schema/make_"


def apply(graph: Graph) -> None:
    """Runs every statement ``cypher/schema/make_*``, waits until the indexes are online, and notes the version of a new graph.

    A user who may not make them can still work where somebody else has made them all.

    Raises:
        NotAllowed: the user may not make those that are missing.
    """
    try:
        for name in names("schema"):
            if name.startswith(MAKE):
                graph.write(name)
    except NotAllowed as error:
        _check_made(graph, error)
    graph.rows(statement("schema/await_indexes"))
    graph.write("schema/begin_form", version=newest())


def _check_made(graph: Graph, error: NotAllowed) -> None:
    wanted = {name.removeprefix(MAKE) for name in names("schema") if name.startswith(MAKE)}
    try:
        missing = sorted(wanted - {row["name"] for row in graph.rows("schema/indexes")})
    except HarmgraphError:  # nor may the user see which there are
        raise error from None
    if missing:
        raise NotAllowed(
            f"the user {graph.address.username!r} may not make constraints and indexes, and {len(missing)} of {len(wanted)} "
            f"are missing ({missing[0]})",
            where=graph.address.uri,
            remedy="let somebody who may make them run 'harmgraph target load' or any load once (docs/servers.md)",
            code=error.code,
        ) from error
