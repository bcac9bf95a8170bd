"""Files and folders in harmgraph's home, which the user alone may read: all of them are made here.

Elsewhere files and folders are made as the system makes them, since others may be meant to read them.
"""

from __future__ import annotations

import os
from pathlib import Path

from harmgraph.common.home import place

FILE, FOLDER, OF_OTHERS = 0o600, 0o700, 0o077
"""Modes, and the rights of everybody else; a child that writes into the home gets the last as its umask."""


def is_private(path: Path) -> bool:
    """Whether a path lies in harmgraph's home."""
    base, whole = place(), path.absolute()
    return whole.is_relative_to(base) or whole.is_relative_to(base.resolve())


def make_folder(path: Path) -> None:
    """Makes a folder, and those above it that are missing; one that stands in the home is closed to others.

    Raises:
        OSError: it cannot be made, or a file is there.
    """
    if not is_private(path):
        path.mkdir(parents=True, exist_ok=True)
        return
    for above in reversed(path.parents):
        if not above.exists():
            above.mkdir(mode=FOLDER, exist_ok=True)
    path.mkdir(mode=FOLDER, exist_ok=True)
    if path.resolve() != place().resolve():  # how open the home itself is, decides who made it
        _close(path, FOLDER)


def make_file(path: Path, *, exist_ok: bool = True) -> None:
    """Makes an empty file in the home, or closes one that stands there to others; elsewhere whoever opens it makes it.

    Raises:
        OSError: it cannot be made.
    """
    if is_private(path):
        path.touch(mode=FILE, exist_ok=exist_ok)
        _close(path, FILE)


def close_all(folder: Path) -> None:
    """Closes to others what a library wrote into a folder; does nothing outside harmgraph's home."""
    if is_private(folder):
        for at, folders, files in os.walk(folder):
            for names, mode in ((folders, FOLDER), (files, FILE)):
                for name in names:
                    _close(Path(at, name), mode)


def _close(path: Path, mode: int) -> None:
    facts = path.stat(follow_symlinks=False)
    if facts.st_mode & OF_OTHERS and facts.st_uid == os.geteuid() and not path.is_symlink():
        path.chmod(mode)
