"""Locks between processes. The system frees a lock when its holder dies, so none is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harmgraph.common.errors import HarmgraphError
from harmgraph.common.no_space import writing

SOON_S = 0.5  # until the user is told why nothing happens
FOREVER = -1.0


@contextmanager
def held(
    path: Path,
    busy: Callable[[], HarmgraphError] | None = None,
    *,
    wait_s: float = 0,
    waiting: Callable[[], None] | None = None,
    reentrant: bool = False,
) -> Iterator[None]:
    """Holds a lock until the block ends.

    Args:
        path: the lock's file, in a folder that exists.
        busy: makes the error to raise if the lock is not free in time; without it this waits as long as it takes.
        wait_s: how long to wait for the lock.
        waiting: is called once if the lock is not free soon, before the wait.
        reentrant: whether a thread that holds the lock may take it again.

    Raises:
        NoSpace: the file cannot be written.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, is_singleton=reentrant)

    def taken(timeout_s: float) -> bool:
        try:
            lock.acquire(timeout=timeout_s)
        except Timeout:
            return False
        return True

    with writing(path):
        path.touch(mode=0o600)  # a lock file that cannot be created must not look like a held lock
        if waiting is None or not taken(SOON_S):
            if waiting is not None:
                waiting()
            if not taken(FOREVER if busy is None else wait_s) and busy is not None:
                raise busy()
    try:
        yield
    finally:
        lock.release()


def is_held(path: Path) -> bool:
    """Whether a process holds a lock."""
    from filelock import FileLock, Timeout

    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False
