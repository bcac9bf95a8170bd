"""One run of a job at a time: a lock that the system frees when its process dies, and a note about the last run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import Busy
from harmgraph.graph.common.home import home
from harmgraph.graph.common.lock import held, is_held
from harmgraph.graph.common.no_space import writing
from harmgraph.graph.common.whole_file import beside

SOON_S = 1.0  # 'job history' looks at a lock for an instant


@dataclass(frozen=True, slots=True)
class LastRun:
    """The note that a run leaves in harmgraph's home folder.

    Attributes:
        run: id of its ``Run`` node.
        started_at: ISO 8601, UTC.
        pid: its process id.
        child: process id of the current step; 0 if there is none.
        child_started: when that process began, in seconds since 1970, to tell it from a later process with the same id.
    """

    run: str
    started_at: str
    pid: int
    child: int = 0
    child_started: float = 0.0


@contextmanager
def only_run(name: str) -> Iterator[None]:
    """Keeps other processes of this machine from running a job until the block ends.

    Raises:
        Busy: the job is already running.
        NoSpace: harmgraph's home cannot be written.
    """
    with held(_file(name, "lock"), lambda: running(name, last(name)), wait_s=SOON_S):
        yield


def running(name: str, run: LastRun | None) -> Busy:
    """The error for a second run of a job that is running."""
    who = f" (process {run.pid}, since {run.started_at})" if run else ""
    return Busy(f"job {name} is running already{who}", remedy="wait until it is done, or stop that process")


def is_running(name: str) -> bool:
    """Whether a process of this machine is running a job."""
    return is_held(_file(name, "lock"))


def last(name: str) -> LastRun | None:
    """The note of the last run on this machine; None if there is none or it cannot be read."""
    try:
        values: dict[str, Any] = json.loads(_file(name, "json").read_text("utf-8"))
        return LastRun(**values)
    except (OSError, ValueError, TypeError):
        return None


def note(name: str, run: LastRun) -> None:
    """Writes the note, whole or not at all.

    Raises:
        NoSpace: harmgraph's home cannot be written.
    """
    path = _file(name, "json")
    with writing(path), beside(path) as part:
        part.write_text(json.dumps(asdict(run)), "utf-8")


def _file(name: str, ending: str) -> Path:
    folder = home() / "jobs"
    with writing(folder):
        folder.mkdir(exist_ok=True, mode=0o700)
    return folder / f"{name}.{ending}"
