"""Creates the constraints and indexes in the database and notes the version of its form; safe to run again."""

from __future__ import annotations

from harmgraph.common.errors import NotAllowed
from harmgraph.graph.connection import Graph
from harmgraph.graph.form.steps import newest
from harmgraph.graph.statements import names, statement

MAKE = "schema/make_"


def apply(graph: Graph) -> None:
    """Runs each statement ``cypher/schema/make_*`` whose index is missing, and waits until all indexes are online.

    Notes the version of a new graph. A user who may not make them can still work where somebody else has made them all.

    Raises:
        NotAllowed: the user may not make those that are missing.
    """
    wanted = {name.removeprefix(MAKE) for name in names("schema") if name.startswith(MAKE)}
    try:
        made = {row["name"] for row in graph.rows("schema/indexes")}
    except NotAllowed:  # whoever may not see them may still be allowed to make them
        made = set()
    missing = sorted(wanted - made)
    try:
        for name in missing:
            graph.write(f"{MAKE}{name}")
    except NotAllowed as error:
        if not made:
            raise
        raise NotAllowed(
            f"the user {graph.address.username!r} may not make constraints and indexes, and {len(missing)} of {len(wanted)} "
            f"are missing ({missing[0]})",
            where=graph.address.uri,
            remedy="let somebody who may make them run 'harmgraph target load' or any load once (docs/servers.md)",
            code=error.code,
        ) from error
    graph.rows(statement("schema/await_indexes"))
    if graph.rows("schema/form")[0]["version"] is None:
        graph.write("schema/begin_form", version=newest())
