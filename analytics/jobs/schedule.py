"""When jobs are due. Runs them then, in the foreground, until a signal stops it; each run is a ``harmgraph job run``."""

from __future__ import annotations

import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from queue import Empty, SimpleQueue
from types import FrameType

from harmgraph.analytics.jobs.child import GRACE_S, LOOK_S, environment, harmgraph, stop_signals
from harmgraph.analytics.jobs.cron import Cron
from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.jobs.record import last
from harmgraph.common.errors import HarmgraphError
from harmgraph.common.signals import handled

WAIT_S = 30.0  # at most, because a wait does not notice that the machine slept or its clock was set
SET_BACK = timedelta(hours=3)  # further than this, the clock was wrong before; cron draws the same line
STOP_S = 2 * GRACE_S + 15.0  # a run stops its step first, then writes its record


def due(job: Job, moment: datetime | None = None) -> str | None:
    """When a job is next due, ISO 8601 in its time zone; None if it has no cron."""
    if not job.cron:
        return None
    return _shown(Cron(job.cron, job.timezone).after(moment or datetime.now(UTC)))


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
    if since > now:
        return None
    return Missed(since, cron.after(max(began, now - timedelta(seconds=job.misfire_grace_s))) <= now)


@dataclass(slots=True)
class _Scheduled:
    """A job and when it is due next; None before the scheduler begins."""

    job: Job
    cron: Cron
    due: datetime | None


class Scheduler:
    """Starts jobs when they are due, one after the other, because only one command at a time may change the graph.

    Args:
        jobs: each with a cron expression and a distinct name.
        tell: called with each line for the log.
        verbose: whether runs print all output of their steps.
    """

    def __init__(self, jobs: Sequence[Job], tell: Callable[[str], None], *, verbose: bool = False) -> None:
        self._verbose = ("--verbose",) if verbose else ()
        self._tell = tell
        self._scheduled = [_Scheduled(job, Cron(job.cron, job.timezone), None) for job in jobs]
        self._waiting: deque[Job] = deque()
        self._running: tuple[Job, subprocess.Popen[bytes]] | None = None
        self._looked = datetime.min.replace(tzinfo=UTC)

    def run(self) -> int:
        """Runs until SIGINT, SIGTERM or SIGHUP; a run in progress is then interrupted and recorded as interrupted.

        Returns:
            The number of the signal.
        """
        # A SimpleQueue, because its ``put`` is reentrant: a signal handler may call it.
        received: SimpleQueue[int] = SimpleQueue()

        def ask(signum: int, _: FrameType | None) -> None:
            received.put(signum)

        with handled(stop_signals(), ask):
            try:
                self.begin(datetime.now(UTC))
                signum = 0
                while not signum:
                    self.look(datetime.now(UTC))
                    try:
                        signum = received.get(timeout=self._pause(datetime.now(UTC)))
                    except Empty:
                        continue
                self._tell(f"stopping, because of {signal.Signals(signum).name}")
            finally:
                self._stop()
        return signum

    def begin(self, now: datetime) -> None:
        """Says when each job is due; at once, where a run was missed not too long ago."""
        for scheduled in self._scheduled:
            job = scheduled.job
            before = last(job.name)
            late = missed(job, before.started_at if before else "", now)
            scheduled.due = now if late and late.in_time else scheduled.cron.after(now)
            if late and late.in_time:
                self._tell(f"{job.name}: missed since {_shown(late.since)}, so it runs now")
            elif late:
                self._tell(
                    f"{job.name}: missed since {_shown(late.since)}, longer ago than misfire_grace: it waits for the next time"
                )
        for scheduled in self._scheduled:
            self._tell(f"{scheduled.job.name}: next run {_shown(scheduled.due or now)}")
        self._looked = now

    def look(self, now: datetime) -> None:
        """Notices a run that has ended and jobs that are due, and starts the next of them."""
        self._end()
        if now < self._looked - SET_BACK:
            for scheduled in self._scheduled:
                scheduled.due = scheduled.cron.after(now)
        self._looked = now
        for scheduled in sorted(self._scheduled, key=lambda each: each.due or now):
            if scheduled.due and scheduled.due <= now:
                self._take(scheduled, scheduled.due, now)
        while self._waiting and not self._running:
            self._start(self._waiting.popleft())

    def _take(self, scheduled: _Scheduled, due: datetime, now: datetime) -> None:
        """Puts a job that is due in the queue. Of several times that have passed only the latest counts."""
        job = scheduled.job
        while (following := scheduled.cron.after(due)) <= now:
            due = following
        scheduled.due = following
        busy = [*([self._running[0].name] if self._running else []), *(waiting.name for waiting in self._waiting)]
        if job.name in busy:
            self._tell(f"{job.name}: still running, so {_shown(due)} is skipped")
        elif now - due > timedelta(seconds=job.misfire_grace_s):
            self._tell(f"{job.name}: missed {_shown(due)}, longer ago than misfire_grace")
        else:
            if busy:
                self._tell(f"{job.name}: waits until {busy[0]} is done")
            self._waiting.append(job)

    def _pause(self, now: datetime) -> float:
        """How long to wait, in seconds, if no signal arrives."""
        nearest = min((scheduled.due for scheduled in self._scheduled if scheduled.due), default=None)
        until = (nearest - now).total_seconds() if nearest else WAIT_S
        return max(0.0, min(until, LOOK_S if self._running else WAIT_S))

    def _start(self, job: Job) -> None:
        self._tell(f"{job.name}: begins")
        try:
            process = subprocess.Popen(
                harmgraph("job", "run", *self._verbose, str(job.path)),
                cwd=job.folder,
                env=environment({}),
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # this process passes on Ctrl-C
            )
        except (OSError, HarmgraphError) as error:
            self._tell(f"{job.name}: could not be started: {error}")
        else:
            self._running = job, process

    def _end(self) -> None:
        """Says how the run ended, if it has."""
        if self._running and (code := self._running[1].poll()) is not None:
            self._tell(f"{self._running[0].name}: ended with exit code {code}")
            self._running = None

    def _stop(self) -> None:
        if not self._running:
            return
        job, process = self._running
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._tell(f"{job.name}: did not stop and is killed")
            process.kill()
            process.wait()
        self._end()


def _shown(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
