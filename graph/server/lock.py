"""The lock that keeps two commands from starting, stopping or rebuilding the server at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harmgraph.common import lock
from harmgraph.common.errors import ServerLocked
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.graph.server.folder import lock_file

WAIT_S = 240


@contextmanager
def held(tell: Tell = quiet) -> Iterator[None]:
    """Holds the server's lock; a thread that holds it may take it again.

    Args:
        tell: called with a line if another command holds it.

    Raises:
        ServerLocked: another command has held it for minutes.
        NoSpace: harmgraph's home cannot be written.
    """
    path = lock_file()

    def busy() -> ServerLocked:
        return ServerLocked(
            f"another command has been starting, stopping, rebuilding or backing up Neo4j for over {WAIT_S} s",
            where=str(path),
            remedy="wait until it is done, then run this again",
        )

    def waiting() -> None:
        tell("another command is starting, stopping, rebuilding or backing up Neo4j: waiting for it ...")
        progress("waiting for another command that starts, stops, rebuilds or backs up Neo4j", 0)

    with lock.held(path, busy, wait_s=WAIT_S, waiting=waiting, reentrant=True):
        yield
