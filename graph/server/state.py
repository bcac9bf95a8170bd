"""The state of the running server, kept in a file; whether it still runs is checked with the process itself."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from harmgraph.common.json_text import from_json
from harmgraph.common.whole_file import beside
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
    """The state of the last run; None if there is none or the file is incomplete."""
    try:
        facts = from_json(state_file().read_text(encoding="utf-8"))
        return ServerState(
            **{name: int(facts[name]) for name in ServerState.__slots__ if name != "ready"}, ready=bool(facts["ready"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(state: ServerState) -> None:
    """Writes the state; a reader sees either the old one or the new one."""
    with beside(state_file()) as part:
        part.write_text(json.dumps(asdict(state)), encoding="utf-8")


def forget() -> None:
    """Deletes the state: no server runs."""
    state_file().unlink(missing_ok=True)


def process(state: ServerState) -> psutil.Process | None:
    """The process in the state, if it is still the server of this folder."""
    import psutil

    with contextlib.suppress(psutil.Error):  # ended, or another user's: not our server
        candidate = psutil.Process(state.pid)
        return candidate if is_ours(candidate) else None
    return None


def search() -> psutil.Process | None:
    """Searches all processes for the server of this folder; also finds one whose state was never written."""
    import psutil

    for process in psutil.process_iter():
        if is_ours(process):
            return process
    return None


def is_ours(process: psutil.Process) -> bool:
    """Whether this process is a running server of this folder.

    This is decided by its command line. The pid is not enough: after ``kill -9`` or a restart of the machine it may
    belong to another program.
    """
    import psutil

    try:
        line = process.cmdline()
    except psutil.Error:  # ended, a zombie, or another user's
        return False
    return ENTRY in line and f"--home-dir={folder()}" in line
