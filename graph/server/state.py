"""What runs and where, kept in a file; whether it is still true is asked of the process itself."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from harmgraph.graph.common.whole_file import beside
from harmgraph.graph.server.folder import folder, state_file

if TYPE_CHECKING:
    import psutil

ENTRY = "org.neo4j.server.CommunityEntryPoint"


@dataclass(frozen=True, slots=True)
class ServerState:
    """One run of the server.

    Attributes:
        bolt, http: its ports on the loopback.
        heap, page_cache: bytes.
        ready: False until it has answered its first query.
    """

    pid: int
    bolt: int
    http: int
    heap: int
    page_cache: int
    ready: bool


def read() -> ServerState | None:
    """The last run's state; None where there is none, or where a killed command left half of one."""
    try:
        facts = json.loads(state_file().read_text(encoding="utf-8"))
        return ServerState(
            **{name: int(facts[name]) for name in ServerState.__slots__ if name != "ready"}, ready=bool(facts["ready"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(state: ServerState) -> None:
    """Keeps the state; a reader sees the old one or the new one."""
    with beside(state_file()) as part:
        part.write_text(json.dumps(asdict(state)), encoding="utf-8")


def forget() -> None:
    """Nothing runs."""
    state_file().unlink(missing_ok=True)


def process(state: ServerState) -> psutil.Process | None:
    """The process that the state names, if it still is the server of this folder."""
    import psutil

    with contextlib.suppress(psutil.Error):  # gone, or another user's: then it is not ours
        candidate = psutil.Process(state.pid)
        return candidate if is_ours(candidate) else None
    return None


def search() -> psutil.Process | None:
    """The server of this folder among all processes: also one whose state a killed command never wrote."""
    import psutil

    for process in psutil.process_iter():
        if is_ours(process):
            return process
    return None


def is_ours(found: psutil.Process) -> bool:
    """Whether this is a living server on this very folder.

    Its command line says so. The pid alone does not: after ``kill -9`` or a restart of the machine it may belong to
    any other program.
    """
    import psutil

    try:
        line = found.cmdline()
    except psutil.Error:  # gone, a zombie, or another user's
        return False
    return ENTRY in line and f"--home-dir={folder()}" in line
