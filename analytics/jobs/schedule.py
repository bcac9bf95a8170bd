"""Runs jobs when they are due, in the foreground, until a signal stops it. Each run is a separate ``harmgraph job run``."""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from queue import SimpleQueue
from types import FrameType
from typing import Any

from harmgraph.analytics.jobs.child import GRACE_S, environment, harmgraph, stop_signals
from harmgraph.analytics.jobs.cron import Cron
from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.jobs.last_run import last

STOP_S = 2 * GRACE_S + 15.0  # a run stops its step first, then writes its record


@dataclass(frozen=True, slots=True)
class Missed:
    """Runs that were due while no scheduler was running.

    Attributes:
        since: the first missed time.
        in_time: whether the latest missed time is recent enough for the run to be made up for.
    """

    since: datetime
    in_time: bool


def missed(job: Job, started_at: str, now: datetime) -> Missed | None:
    """What was missed since the last run; any number of missed runs is made up for by one.

    Args:
        started_at: when the last run began, ISO 8601; empty if the job never ran, and then nothing was missed.
    """
    if not started_at:
        return None
    cron = Cron(job.cron, job.timezone)
    began = datetime.fromisoformat(started_at)
    since = cron.after(began)
    if since is None or since > now:
        return None
    recent = cron.after(max(began, now - timedelta(seconds=job.misfire_grace_s)))
    return Missed(since, recent is not None and recent <= now)


class Scheduler:
    """Starts jobs when they are due, one after the other, because only one command at a time may change the graph.

    Args:
        jobs: each with a cron expression and a distinct name.
        tell: called with each line for the log.
        verbose: whether runs print all output of their steps.
    """

    def __init__(self, jobs: Sequence[Job], tell: Callable[[str], None], *, verbose: bool = False) -> None:
        self._verbose = ("--verbose",) if verbose else ()
        self._jobs = tuple(jobs)
        self._tell = tell
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._stopping = False

    def run(self) -> int:
        """Runs until SIGINT, SIGTERM or SIGHUP; a run in progress is then interrupted and recorded as interrupted.

        Returns:
            The number of the signal.
        """
        # A SimpleQueue, because its ``put`` is reentrant: a signal handler may call it.
        received: SimpleQueue[int] = SimpleQueue()

        def ask(signum: int, _: FrameType | None) -> None:
            received.put(signum)

        before = {number: signal.signal(number, ask) for number in stop_signals()}
        scheduler = self._scheduler()
        try:
            scheduler.start()
            for job in self._jobs:
                self._tell(f"{job.name}: next run {self._next(scheduler, job)}")
            signum = received.get()
            self._tell(f"stopping, because of {signal.Signals(signum).name}")
        finally:
            self._stop()
            scheduler.shutdown(wait=True)
            for number, handler in before.items():
                signal.signal(number, handler)
        return signum

    def _scheduler(self) -> Any:
        from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
        from apscheduler.executors.pool import ThreadPoolExecutor
        from apscheduler.schedulers.background import BackgroundScheduler

        logging.getLogger("apscheduler").addHandler(logging.NullHandler())  # its events are reported below
        scheduler = BackgroundScheduler(executors={"default": ThreadPoolExecutor(len(self._jobs))}, timezone=UTC)
        for job in self._jobs:
            options: dict[str, Any] = {}
            before = last(job.name)
            now = datetime.now(UTC)
            late = missed(job, before.started_at if before else "", now)
            if late and late.in_time:
                self._tell(f"{job.name}: missed since {_shown(late.since)}, so it runs now")
                options["next_run_time"] = now
            elif late:
                self._tell(
                    f"{job.name}: missed since {_shown(late.since)}, longer ago than misfire_grace: it waits for the next time"
                )
            scheduler.add_job(
                self._start,
                Cron(job.cron, job.timezone),
                args=(job,),
                id=job.name,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=job.misfire_grace_s,
                **options,
            )
        scheduler.add_listener(self._heard, EVENT_JOB_MISSED | EVENT_JOB_MAX_INSTANCES | EVENT_JOB_ERROR)
        return scheduler

    def _heard(self, event: Any) -> None:
        from apscheduler.events import EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED

        if event.code == EVENT_JOB_MISSED:
            self._tell(f"{event.job_id}: missed {_shown(event.scheduled_run_time)}, longer ago than misfire_grace")
        elif event.code == EVENT_JOB_MAX_INSTANCES:
            self._tell(f"{event.job_id}: still running, so {_shown(event.scheduled_run_times[0])} is skipped")
        else:
            self._tell(f"{event.job_id}: could not be started: {event.exception}")

    def _start(self, job: Job) -> None:
        if self._turn.locked():
            self._tell(f"{job.name}: waits until {', '.join(self._running) or 'another job'} is done")
        with self._turn:
            self._run(job)

    def _run(self, job: Job) -> None:
        with self._lock:
            if self._stopping:
                return
            self._tell(f"{job.name}: begins")
            process = self._running[job.name] = subprocess.Popen(
                harmgraph("job", "run", *self._verbose, str(job.path)),
                cwd=job.folder,
                env=environment({}),
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # this process passes on Ctrl-C
            )
        code = process.wait()
        with self._lock:
            del self._running[job.name]
        self._tell(f"{job.name}: ended with exit code {code}")

    def _stop(self) -> None:
        with self._lock:
            self._stopping = True
            running = dict(self._running)
        for process in running.values():
            process.terminate()
        for name, process in running.items():
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._tell(f"{name}: did not stop and is killed")
                process.kill()

    @staticmethod
    def _next(scheduler: Any, job: Job) -> str:
        scheduled = scheduler.get_job(job.name)
        return _shown(scheduled.next_run_time) if scheduled else "never: its cron has no future time"


def _shown(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
