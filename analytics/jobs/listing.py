"""Which files are jobs, and when they are due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harmgraph.analytics.jobs.file import Job, read_job, tables
from harmgraph.analytics.jobs.last_run import is_running, last
from harmgraph.graph.common.errors import HarmgraphError, InputError


def job_files(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The jobs' files among files and folders, and what in the folders is TOML but no job.

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
    """A file that cannot be read counts, so that its error is told."""
    try:
        return bool({"step", "steps", "cron"} & tables(path).keys())
    except HarmgraphError:
        return True


def distinct(jobs: Iterable[Job]) -> list[Job]:
    """The jobs, of which no two have one name.

    Raises:
        InputError: two have.
    """
    by_name: dict[str, Job] = {}
    for job in jobs:
        other = by_name.setdefault(job.name, job)
        if other.path != job.path:
            raise InputError(
                f"two jobs are named {job.name!r}",
                where=f"{other.path}, {job.path}",
                remedy='give one another: name = "..."',
            )
    return list(by_name.values())


def job_row(path: Path) -> dict[str, Any]:
    """A line of the list.

    Raises:
        InputError: the file is no job.
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
    """When a job is next due, ISO 8601 in its time zone; None where it has no cron."""
    if not job.cron:
        return None
    from harmgraph.analytics.jobs.cron import Cron

    next_due = Cron(job.cron, job.timezone).after(moment or datetime.now(UTC))
    return next_due.isoformat(timespec="seconds") if next_due else None
