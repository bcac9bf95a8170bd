"""The folder where harmgraph keeps its files, private to the user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from harmgraph.graph.common.errors import NoSpace

_INSTEAD: ContextVar[Path | None] = ContextVar("home", default=None)


@contextmanager
def instead(folder: Path) -> Iterator[None]:
    """Uses another folder until the block ends, in this thread: a restore tries a store there before it replaces the user's."""
    token = _INSTEAD.set(folder)
    try:
        yield
    finally:
        _INSTEAD.reset(token)


def home() -> Path:
    """The folder of the embedded server, its password and its logs.

    This is ``HARMGRAPH_HOME`` if it is set, otherwise the platform's folder for user data.
    It is created with mode 0700 if it is missing.

    Raises:
        NoSpace: the folder cannot be created.
    """
    chosen = os.environ.get("HARMGRAPH_HOME")
    replaced = _INSTEAD.get()
    if replaced:
        folder = replaced
    elif chosen:
        folder = Path(chosen).expanduser().absolute()
    else:
        from platformdirs import user_data_path

        folder = user_data_path("harmgraph", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoSpace(
            f"the folder cannot be made ({error.strerror})",
            where=str(folder),
            remedy="set HARMGRAPH_HOME to a folder you can write",
        ) from error
    return folder
