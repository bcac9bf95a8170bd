"""Turns the system's errors about a full disk or a folder that cannot be written into ``NoSpace``."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harmgraph.graph.common.errors import NoSpace

REFUSALS = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EISDIR,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)


@contextmanager
def writing(where: Path) -> Iterator[None]:
    """Wraps a block that writes files below ``where``.

    Raises:
        NoSpace: the disk is full, or a file or folder may not be written. Other errors are passed on unchanged.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        raise NoSpace(
            f"cannot be written ({error.strerror})",
            where=str(error.filename or where),
            remedy="make room, or set HARMGRAPH_HOME to another folder",
        ) from error
