"""Where harmgraph keeps what is its own: one folder, private to the user."""

from __future__ import annotations

import os
from pathlib import Path

from harmgraph.graph.common.errors import NoSpace


def home() -> Path:
    """The folder of the embedded server, its password and its logs.

    ``HARMGRAPH_HOME`` where it is set, otherwise the platform's folder for a user's data.
    Created with mode 0700 where it is missing.

    Raises:
        NoSpace: the folder cannot be made.
    """
    chosen = os.environ.get("HARMGRAPH_HOME")
    if chosen:
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
