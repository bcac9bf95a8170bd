"""The paths of the embedded server's files, all of them in harmgraph's home."""

from __future__ import annotations

import re
from pathlib import Path

from harmgraph.common.home import TRAINED, home

WAITING = ".restoring"
"""Folder, beside the place of a restored model, in which it waits until all of them are whole."""
_STACK = re.compile(r"\s+(at |\.\.\. \d+ more)")


def folder() -> Path:
    """The server's folder (Neo4j calls it its home), with symbolic links resolved."""
    return home().resolve() / "neo4j"


def password_file() -> Path:
    """The file with the password, readable only by the user."""
    return home() / "password"


def lock_file() -> Path:
    """The lock held by a command that starts, stops or rebuilds the server."""
    return home() / "server.lock"


def state_file() -> Path:
    """The state of the running server: process, ports and memory."""
    return folder() / "server.json"


def console_file() -> Path:
    """The output of the server."""
    return folder() / "logs" / "console.log"


def debug_log() -> Path:
    """The server's own log, which says why it failed."""
    return folder() / "logs" / "debug.log"


def unfinished_recovery() -> Path:
    """Exists while a recovery is in progress; it is deleted together with the store."""
    return folder() / "data" / "recovery.json"


def restore_note() -> Path:
    """Exists while a restored or imported store is being put in place: the moves that are left (``whole_file.finish_moves``)."""
    return home() / "restore.json"


def trial_store() -> Path:
    """Where a restore tries a store, in the folder ``data``: that may be a link to another disk, and the last step is a move."""
    return folder() / "data" / "restoring"


def of_restores() -> list[Path]:
    """All places in which what is restored waits; whoever holds the server's lock may delete what a killed restore left."""
    return [trial_store(), *(home() / kind / WAITING for kind in TRAINED)]


def neo4j_note() -> Path:
    """The version of Neo4j that opened the store last; it lies with the store and goes where that goes."""
    return folder() / "data" / "neo4j.json"


def last_lines(count: int = 12) -> list[str]:
    """The last informative lines that the server printed; empty if it printed nothing."""
    try:
        text = console_file().read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return telling(text)[-count:]


def telling(text: str) -> list[str]:
    """The lines of a Java program without stack traces, and without INFO lines if there are any others."""
    lines = [line for line in text.splitlines() if line.strip() and not _STACK.match(line)]
    return [line for line in lines if " INFO " not in line] or lines
