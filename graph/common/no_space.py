"""Turns the system's errors about a full disk or a folder that cannot be written into ``NoSpace``."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harmgraph.graph.common.errors import NoSpace

REMEDY = "make room, or set HARMGRAPH_HOME to another folder"
REFUSALS = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EISDIR,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.ENXIO,
        errno.EPERM,
        errno.EROFS,
    }
)


@contextmanager
def writing(where: Path, *, remedy: str = REMEDY) -> Iterator[None]:
    """Wraps a block that writes the file ``where``, or files below it.

    Args:
        remedy: what the user can do if it fails.

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
            remedy=remedy,
        ) from error
