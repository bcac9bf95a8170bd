"""Where the embedded server keeps what: all of it in harmgraph's home."""

from __future__ import annotations

import re
from pathlib import Path

from harmgraph.graph.common.home import home

_STACK = re.compile(r"\s+(at |\.\.\. \d+ more)")


def folder() -> Path:
    """The server's own folder (Neo4j calls it its home), by one spelling whatever links lead to it."""
    return home().resolve() / "neo4j"


def password_file() -> Path:
    """The password, readable by the user alone."""
    return home() / "password"


def lock_file() -> Path:
    """Held by the command that starts, stops or rebuilds the server."""
    return home() / "server.lock"


def state_file() -> Path:
    """What runs and where."""
    return folder() / "server.json"


def console_file() -> Path:
    """What the server prints."""
    return folder() / "logs" / "console.log"


def debug_log() -> Path:
    """What the server notes of itself: here stands why it failed."""
    return folder() / "logs" / "debug.log"


def unfinished_recovery() -> Path:
    """Stands while a recovery is under way; it goes with the store that it is about."""
    return folder() / "data" / "recovery.json"


def last_lines(count: int = 12) -> list[str]:
    """The last lines that the server printed and that say something; none where it printed nothing."""
    try:
        text = console_file().read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return telling(text)[-count:]


def telling(text: str) -> list[str]:
    """The lines of a Java program without its stack, and without the chatter where there is more than chatter."""
    lines = [line for line in text.splitlines() if line.strip() and not _STACK.match(line)]
    return [line for line in lines if " INFO " not in line] or lines
