"""One run of a job at a time: a lock that the system frees when its holder dies, and a note of what the last run was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import Busy
from harmgraph.graph.common.home import home
from harmgraph.graph.common.no_space import writing
from harmgraph.graph.common.whole_file import beside

SOON_S = 1.0  # 'job history' looks at a lock for an instant


@dataclass(frozen=True, slots=True)
class LastRun:
    """What a run leaves in harmgraph's home.

    Attributes:
        run: id of its ``Run``.
        started_at: ISO 8601, UTC.
        pid: its process.
        child: process of the step under way; 0 where none is.
        child_started: when that began, seconds since 1970, so that a later process of the same number is not taken for it.
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
        Busy: it is running.
        NoSpace: harmgraph's home cannot be written.
    """
    from filelock import FileLock, Timeout

    path = _file(name, "lock")
    with writing(path):
        path.touch(mode=0o600)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=SOON_S)
    except Timeout as error:
        raise running(name, last(name)) from error
    try:
        yield
    finally:
        lock.release()


def running(name: str, run: LastRun | None) -> Busy:
    """The error of a second run."""
    who = f" (process {run.pid}, since {run.started_at})" if run else ""
    return Busy(f"job {name} is running already{who}", remedy="wait until it is done, or stop that process")


def is_running(name: str) -> bool:
    """Whether a process of this machine is running a job."""
    from filelock import FileLock, Timeout

    path = _file(name, "lock")
    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def last(name: str) -> LastRun | None:
    """What the last run on this machine left; None where there was none, or where it cannot be read."""
    try:
        values: dict[str, Any] = json.loads(_file(name, "json").read_text("utf-8"))
        return LastRun(**values)
    except (OSError, ValueError, TypeError):
        return None


def note(name: str, run: LastRun) -> None:
    """Writes it down, whole or not at all.

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
