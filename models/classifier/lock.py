"""A lock, so that only one command at a time trains or removes a scorer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harmgraph.graph.common.errors import Busy
from harmgraph.graph.common.no_space import writing
from harmgraph.models.text.encoder import trained

LOCKS = ".locks"


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Locks a scorer until the block ends, or until the process dies.

    Raises:
        Busy: another command has it.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    from filelock import FileLock, Timeout

    folder = trained(LOCKS)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / f"{name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise Busy(
                "another command trains or removes this scorer",
                where=name,
                remedy="wait until it is done, or stop it (finished epochs are kept)",
            ) from error
    try:
        yield
    finally:
        lock.release()
