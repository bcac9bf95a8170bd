"""The commands that work on the embedded server now: those that would fail if it were stopped."""

from __future__ import annotations

import os
from dataclasses import dataclass

from harmgraph.graph.address import Address
from harmgraph.graph.statements import statement

ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class AtWork:
    """A process that has a transaction open.

    Attributes:
        command: such as ``label vader``. pid: its process.
        changes: whether it is changing the graph, otherwise it reads.
        seconds: for how long.
    """

    command: str
    pid: int
    changes: bool
    seconds: int

    def __str__(self) -> str:
        does = "is changing" if self.changes else "is reading"
        return f"{self.command} (process {self.pid}, for {self.seconds} s) {does} the graph"


def at_work(address: Address) -> list[AtWork]:
    """The other processes at work, those that change the graph first; none where the server does not answer."""
    import neo4j
    from neo4j.exceptions import DatabaseError, DriverError, TransientError

    asked = statement("lock/at_work")
    driver = neo4j.GraphDatabase.driver(
        address.uri,
        auth=(address.username, address.password),
        connection_timeout=ANSWER_S,
        connection_acquisition_timeout=ANSWER_S,
        notifications_min_severity="OFF",
    )
    try:
        # Not the graph's own database, which may have failed: then it is to be stopped, and this must not wait for it.
        with driver, driver.session(database="system") as session:
            rows = session.run(asked.text, asked.arguments({"pid": os.getpid()})).data()
    except (DriverError, DatabaseError, TransientError):
        return []
    return [AtWork(**row) for row in rows]
