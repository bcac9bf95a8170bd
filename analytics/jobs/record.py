"""The record of a job's run, and that a job runs once at a time.

On this machine a lock, which the system frees when its process dies, and a note about the last run. In the graph a ``Run`` node,
written when the run begins, so that one that dies can be noticed.
"""

from __future__ import annotations

import json
import os
import platform
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.statistics.measurements import versions
from harmgraph.common.errors import Busy, NotFound
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.lock import held, is_held
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_folder
from harmgraph.common.user_file import short_digest
from harmgraph.common.whole_file import beside
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import JobHistoryRow, JobUnderWayRow

Facts = dict[str, Any]
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
        values: dict[str, Any] = from_json(_file(name, "json").read_text("utf-8"))
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
        make_folder(folder)
    return folder / f"{name}.{ending}"


def facts(graph: Graph, job: Job) -> Facts:
    """The properties of the ``Run`` node of a new run."""
    return {
        "id": uuid.uuid4().hex,
        "command": f"job run {job.name}",
        "parameters": json.dumps({"file": str(job.path), "sha256": short_digest(job.path)}, sort_keys=True),
        "versions": json.dumps(versions(graph), sort_keys=True),
        "job": job.name,
        "host": platform.node(),
        "pid": os.getpid(),
    }


@contextmanager
def marked(graph: Graph, run: Facts) -> Iterator[None]:
    """On the user's own server, keeps all machines from running the job until the block ends.

    The embedded server belongs to this machine alone, where ``only_run`` is enough, and a step may stop it.

    Raises:
        Busy: it is running on this machine or another.
    """
    if graph.address.embedded:
        yield
        return
    mark = {"harmgraph_job": run["job"], "run": run["id"], "host": run["host"], "pid": run["pid"]}
    with ExitStack() as stack:
        stack.enter_context(graph.marked(mark))
        rows = [row for row in under_way(graph) if row["job"] == run["job"]]
        first = min(rows, key=lambda row: (row["since"], row["run"]), default=None)
        # Two runs that begin at the same moment both see both marks, and agree on which is first.
        if first and first["run"] != run["id"]:
            raise Busy(
                f"job {run['job']} is running already on {first['host']} (process {first['pid']}, since {first['since']})",
                where=graph.address.uri,
                remedy="wait until it is done, or stop that process",
            )
        yield


def under_way(graph: Graph) -> list[JobUnderWayRow]:
    """The runs that are marked on the user's own server: job, run, host, pid, since."""
    return graph.rows("job/under_way", database=graph.address.database)


def begin(graph: Graph, run: Facts) -> list[str]:
    """Writes the beginning of a run, and marks earlier runs without an end as died.

    The caller holds the job's lock, so no other run of the job can still be running.

    Returns:
        When the runs that died had started, UTC.
    """
    died = graph.write("job/died", job=run["job"], alive=[])
    graph.write("job/begin", run=run)
    return [row["started"] for row in died.rows]


def finish(graph: Graph, run: Facts, *, state: str, exit_code: int, failed_step: str, message: str) -> None:
    """Writes the end of a run."""
    end = {"state": state, "exit_code": exit_code, "failed_step": failed_step or None, "message": message or None}
    graph.write("job/finish", run=run, end=end)


def history(graph: Graph, job: str | None = None, *, limit: int = 20) -> list[JobHistoryRow]:
    """The runs of a job, or of all jobs, the latest first. A run whose process has ended without a record is ``died``.

    Raises:
        NotFound: no job of that name has run.
    """
    rows = graph.rows("job/history", job=job, limit=limit)
    if job and not rows:
        known = [row["job"] for row in graph.rows("job/names")]
        raise NotFound("run of a job", job, known, remedy="'harmgraph job run FILE' runs one")
    open_rows = [row for row in rows if row["state"] == "running"]
    if open_rows:
        alive = _alive(graph, {row["job"] for row in open_rows})
        for row in open_rows:
            if row["run"] not in alive:
                row["state"] = "died"
                row["message"] = "its process is gone; the next run marks it"
    return rows


def _alive(graph: Graph, jobs: set[str]) -> set[str]:
    if not graph.address.embedded:
        return {row["run"] for row in under_way(graph)}
    return {noted.run for job in jobs if is_running(job) and (noted := last(job))}
