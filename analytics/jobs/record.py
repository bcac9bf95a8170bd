"""The record of a job's run: a ``Run`` node written when it begins, so that a run that dies can be noticed."""

from __future__ import annotations

import json
import os
import platform
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.jobs.last_run import is_running, last
from harmgraph.analytics.statistics.measurements import versions
from harmgraph.graph.common.errors import Busy, NotFound
from harmgraph.graph.common.user_file import short_digest
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import JobHistoryRow, JobUnderWayRow

Facts = dict[str, Any]


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

    The embedded server belongs to this machine alone, where ``last_run.only_run`` is enough, and a step may stop it.

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
    return {last_run.run for job in jobs if is_running(job) and (last_run := last(job))}
