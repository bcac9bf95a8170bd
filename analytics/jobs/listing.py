"""Finds job files, and says when the jobs are due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harmgraph.analytics.jobs.file import Job, read_job, tables
from harmgraph.analytics.jobs.last_run import is_running, last
from harmgraph.graph.common.errors import HarmgraphError, InputError


def job_files(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The job files among files and folders, and the TOML files in the folders that are not jobs.

    Raises:
        InputError: a folder holds no job.
    """
    job_paths: list[Path] = []
    others: list[str] = []
    for path in paths:
        if not path.is_dir():
            job_paths.append(path)
            continue
        inside = sorted(path.glob("*.toml"))
        jobs = [file for file in inside if _is_job(file)]
        others += [str(file) for file in inside if file not in jobs]
        if not jobs:
            raise InputError("no job in this folder", where=str(path), remedy="name a job's file (see docs/jobs.md)")
        job_paths += jobs
    return list(dict.fromkeys(job_paths)), others


def _is_job(path: Path) -> bool:
    """Whether a file is a job. One that cannot be read counts, so that its error is reported."""
    try:
        return bool({"step", "steps", "cron"} & tables(path).keys())
    except HarmgraphError:
        return True


def distinct(jobs: Iterable[Job]) -> list[Job]:
    """The jobs, after a check that their names are distinct.

    Raises:
        InputError: two jobs have the same name.
    """
    by_name: dict[str, Job] = {}
    for job in jobs:
        other = by_name.setdefault(job.name, job)
        if other.path != job.path:
            raise InputError(
                f"two jobs are named {job.name!r}",
                where=f"{other.path}, {job.path}",
                remedy='rename one of them: name = "..."',
            )
    return list(by_name.values())


def job_row(path: Path) -> dict[str, Any]:
    """A row of the list.

    Raises:
        InputError: the file is not a job.
    """
    job = read_job(path)
    before = last(job.name)
    return {
        "job": job.name,
        "file": str(path),
        "steps": len(job.steps),
        "thresholds": len(job.fail_if),
        "cron": job.cron,
        "next": due(job),
        "last_run": before.started_at if before else None,
        "running": is_running(job.name),
        "description": job.description,
    }


def due(job: Job, moment: datetime | None = None) -> str | None:
    """When a job is next due, ISO 8601 in its time zone; None if it has no cron."""
    if not job.cron:
        return None
    from harmgraph.analytics.jobs.cron import Cron

    next_due = Cron(job.cron, job.timezone).after(moment or datetime.now(UTC))
    return next_due.isoformat(timespec="seconds") if next_due else None
