"""Turns the system's errors about a full disk or a folder that cannot be written into ``NoSpace``."""

from __future__ import annotations

import errno
import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harmgraph.common.errors import NoSpace

DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
REMEDY = "make room, or set HARMGRAPH_HOME to another folder"
REFUSALS = frozenset(
    {
        *DENIED,
        errno.EDQUOT,
        errno.EEXIST,  # a file where a folder should be
        errno.EFBIG,
        errno.EISDIR,
        errno.ENAMETOOLONG,
        errno.ENOENT,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.ENXIO,
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
        place = error.filename or where
        raise NoSpace(
            f"cannot be written ({error.strerror}{whose(Path(place)) if error.errno in DENIED else ''})",
            where=str(place),
            remedy="set HARMGRAPH_HOME to a folder that you may write"
            if error.errno in DENIED and remedy == REMEDY
            else remedy,
        ) from error


def whose(path: Path) -> str:
    """Whose a file or folder is, for a message, where it is another user's; of one that cannot be seen, the folder around it."""
    while True:
        try:
            owner = path.lstat().st_uid
        except OSError:
            if path == path.parent:
                return ""
            path = path.parent
        else:
            return "" if owner == os.geteuid() else f"; {path.name or path} belongs to {user_name(owner)}"


def user_name(number: int) -> str:
    """The name of a user of this machine, or the number where it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
