"""Stops the server so that no command changes the graph between the last look at it and the end of the server.

Two locks are needed for that: of commands that write (``Graph.holding``, which needs a server that runs), and the server's
(``server.as_before``), which outlives it. They are taken in this order everywhere: in the other one, two commands that began in
the same instant would wait for each other.
"""

from __future__ import annotations

import time

from harmgraph.common.errors import HarmgraphError
from harmgraph.graph.connection import Graph
from harmgraph.graph.driver.held_lock import HeldLock
from harmgraph.graph.driver.refusal import refusal
from harmgraph.graph.server import server

CLOSED_S, LOOK_S = 8.0, 0.05


def stop_while_held(graph: Graph, lock: HeldLock) -> None:
    """Stops the embedded server while this command holds the lock of commands that write.

    Neo4j waits ten seconds for an open transaction, such as the lock's, but takes no new ones then. So the lock is given back as
    soon as none is taken any more: nobody can write before, nor after.

    Args:
        lock: of ``graph.holding``.

    Raises:
        Busy: the server was started anew meanwhile, and another command has the lock now.
        GraphError: the server has ended meanwhile.
        ServerError: the server does not end in time.
        NoSpace: the disk is full, and it ends as soon as there is room.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        lock.keep(surely=True)
    except (DriverError, Neo4jError) as error:
        raise refusal(error, graph.address) from error

    def let_go() -> None:
        end = time.monotonic() + CLOSED_S
        while time.monotonic() < end:
            try:
                list(graph.stream("schema/version"))  # not tried again after an error
            except HarmgraphError:
                lock.release()
                return
            time.sleep(LOOK_S)

    server.stop(ending=let_go)
