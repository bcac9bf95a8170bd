"""Finds out from the embedded server's log why it failed, and reports it in one line with a remedy."""

from __future__ import annotations

from pathlib import Path

from harmgraph.common.errors import DatabaseFailed, LogDamaged, NoSpace
from harmgraph.common.lock import is_held
from harmgraph.graph.server import space
from harmgraph.graph.server import state as server_state
from harmgraph.graph.server.folder import debug_log, folder, lock_file, unfinished_recovery
from harmgraph.graph.server.memory import MIB

TAIL = 4 * MIB
STARTED = "Logging config in use"  # the first line of each run
CUT = (
    "recovery not possible",
    "Unreadable bytes are encountered",
    "does not point to a valid location in transaction logs",
)
FULL = ("No space left on device", "Disk quota exceeded", "File too large", "OutOfDiskSpaceException")
MEMORY = ("java.lang.OutOfMemoryError", "Java heap space")
PANIC = "Database panic"


def why(last: str = "", *, hurt: bool = False) -> DatabaseFailed | LogDamaged | NoSpace | None:
    """The failure that the newest run of the server logged; None if it logged none.

    Args:
        last: further text from the server, such as what it printed.
        hurt: whether the database is known to have stopped itself or failed to start. Only then, or after a logged
            panic, is a full disk in the log taken as the cause: a server may also end for other reasons after the disk was
            full for a while.
    """
    log = _newest_run()
    if any(words in log + last for words in CUT):
        return damaged()
    text = log + last if hurt or PANIC in log else last
    if any(words in text for words in FULL):
        left = space.free(folder())
        now = "is full" if left < space.MARGIN else f"was full ({space.shown(left)} are free now)"
        return NoSpace(
            f"the disk {now}, and Neo4j stopped its database",
            where=str(debug_log()),
            remedy="make room, run 'harmgraph db stop' and then the same command again",
        )
    if any(words in text for words in MEMORY):
        return DatabaseFailed(
            "Neo4j ran out of memory and stopped its database",
            where=str(debug_log()),
            remedy="run 'harmgraph db stop', then 'harmgraph db start --heap 4g' and the same command again",
        )
    if PANIC in text:
        return stopped()
    return None


def damaged() -> LogDamaged:
    """The error for a transaction log that cannot be read to its end."""
    return LogDamaged(
        "the database does not open: its transaction log is cut or damaged (a full disk, a loss of power, a kill)",
        where=str(debug_log()),
        remedy="'harmgraph db recover' keeps a copy and saves what can be read",
    )


def stopped() -> DatabaseFailed:
    """The error for a database that stopped itself for a reason not recognised here."""
    return DatabaseFailed(
        "Neo4j stopped its database after an error of its own, which this log tells",
        where=str(debug_log()),
        remedy="run 'harmgraph db stop' and then the same command again",
    )


def absence() -> tuple[str, str]:
    """Why no server answers that answered before, and what the user can do."""
    if is_held(lock_file()):
        return (
            "another command has stopped Neo4j, to copy its store or to replace it",
            "wait until it is done, then run the same command again",
        )
    if was_stopped():
        return (
            "Neo4j was stopped while this worked ('harmgraph db stop')",
            "run the same command again, which starts it",
        )
    return "no Neo4j answers", "start it with 'harmgraph db start' and run the same command again"


def was_stopped() -> bool:
    """Whether the server was stopped for good: cleanly, and not by a command that is about to start it again."""
    return server_state.read() is None and not is_held(lock_file())


def check_recovered() -> None:
    """Checks that no recovery was left unfinished.

    Raises:
        LogDamaged: one was; the store may open, but it has not been checked for completeness.
    """
    if unfinished_recovery().exists():
        raise LogDamaged(
            "a recovery of the store was begun and not finished",
            where=str(unfinished_recovery()),
            remedy="run 'harmgraph db recover' again; it goes on with the copy that it made",
        )


def _newest_run() -> str:
    text = _tail(debug_log())
    return text[max(text.rfind(STARTED), 0) :]


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL))
            return file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
