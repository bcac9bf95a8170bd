"""The lock that keeps two commands from starting, stopping or rebuilding the server at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harmgraph.graph.common.errors import ServerLocked
from harmgraph.graph.common.no_space import writing
from harmgraph.graph.common.progress import Tell, quiet
from harmgraph.graph.server.folder import lock_file

SOON_S, WAIT_S = 0.5, 240


@contextmanager
def held(tell: Tell = quiet) -> Iterator[None]:
    """Holds the server's lock; a thread that holds it may take it again.

    The system releases it when its holder dies, so it is never left behind.

    Raises:
        ServerLocked: another command has held it for minutes.
        NoSpace: harmgraph's home cannot be written.
    """
    from filelock import FileLock, Timeout

    path = lock_file()
    lock = FileLock(path, is_singleton=True)
    with writing(path):
        path.touch(mode=0o600)  # a lock file that cannot be created must not look like a held lock
        try:
            lock.acquire(timeout=SOON_S)
        except Timeout:
            tell("another command is starting, stopping or rebuilding Neo4j: waiting for it ...")
            try:
                lock.acquire(timeout=WAIT_S)
            except Timeout as error:
                raise ServerLocked(
                    f"another command has been starting, stopping or rebuilding Neo4j for over {WAIT_S} s",
                    where=str(path),
                    remedy="wait until it is done, then run this again",
                ) from error
    try:
        yield
    finally:
        lock.release()
