"""The folder where harmgraph keeps its files, private to the user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from harmgraph.common.errors import NoSpace
from harmgraph.common.no_space import whose

TRAINED = ("models", "scorers", "populators", "language", "frames")
"""The folders of what was trained here, in which each model has a folder of its own: all that a backup holds beside the graph."""
_INSTEAD: ContextVar[Path | None] = ContextVar("home", default=None)


@contextmanager
def instead(folder: Path) -> Iterator[None]:
    """Uses another folder until the block ends, in this thread: a restore tries a store there before it replaces the user's."""
    token = _INSTEAD.set(folder)
    try:
        yield
    finally:
        _INSTEAD.reset(token)


def place() -> Path:
    """Where the home is, whether it exists or not: ``HARMGRAPH_HOME``, otherwise the platform's folder for user data."""
    chosen = os.environ.get("HARMGRAPH_HOME")
    replaced = _INSTEAD.get()
    if replaced:
        return replaced
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("harmgraph", appauthor=False)


def home() -> Path:
    """The folder of the embedded server, its password and its logs, created with mode 0700 if it is missing.

    Raises:
        NoSpace: the folder cannot be created, or may not be read.
    """
    folder = place()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoSpace(
            f"the folder cannot be made ({error.strerror}{whose(folder)})",
            where=str(folder),
            remedy="set HARMGRAPH_HOME to a folder you can write",
        ) from error
    if not os.access(folder, os.R_OK | os.X_OK):
        raise NoSpace(
            f"the folder may not be read{whose(folder)}",
            where=str(folder),
            remedy="set HARMGRAPH_HOME to a folder of your own",
        )
    return folder
