"""Runs a job: its steps one after the other, what changed since the last run, and whether a threshold is exceeded."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from harmgraph.analytics.jobs import child, record
from harmgraph.analytics.jobs.alert import deliver
from harmgraph.analytics.jobs.audit import differences, first_measuring, of_every_source
from harmgraph.analytics.jobs.behind import with_statements
from harmgraph.analytics.jobs.check import StepCommand, check_measures
from harmgraph.analytics.jobs.child import Stopping
from harmgraph.analytics.jobs.file import Job, JobStep
from harmgraph.analytics.jobs.numbers import changes
from harmgraph.analytics.jobs.record import LastRun, last, note, only_run
from harmgraph.analytics.jobs.threshold import Verdict, judge
from harmgraph.analytics.statistics.saved_number import Change
from harmgraph.common.errors import HarmgraphError, WrongLine, raise_all
from harmgraph.common.json_schema import stamp
from harmgraph.graph.connection import Graph
from harmgraph.graph.enclosing_run import Enclosing

DELIVERED = "delivered"
KEPT_LINES = 400
"""How many of the last output lines of a failed step are printed in a run that is not talkative."""
EXCEEDED = 3
"""Exit code of a run whose steps succeeded but whose numbers exceed a threshold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RanStep:
    """A step that was run.

    Attributes:
        seconds: how long it took.
        code: its exit code, see ``child.StepOutcome``.
        why: why it failed; empty if it did not.
    """

    name: str
    seconds: float
    code: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A run that ended.

    Attributes:
        state: ``done``, ``exceeded``, ``failed`` or ``interrupted``.
        exit_code: 0, 3, 1, or 128 plus the number of the signal.
        failed_step: name of the first step that failed or was interrupted; empty if none did.
        reasons: why it is not ``done``, one line each.
        changes: the numbers of this run with the earlier ones.
        verdicts: results of the thresholds; empty if a failed step stopped the run.
        seconds: how long it took.
        noted: where the store is another than the audit of its file says, a line each, if it ran all the same.
        steps: the steps that were run, in their order.
        alert: the result of ``on_exceeded``: ``delivered``, or why it failed; empty if there was nothing to report.
    """

    run: str
    job: str
    state: str
    exit_code: int
    failed_step: str
    reasons: tuple[str, ...]
    changes: tuple[Change, ...]
    verdicts: tuple[Verdict, ...]
    seconds: float
    noted: tuple[str, ...] = ()
    steps: tuple[RanStep, ...] = ()
    alert: str = ""

    @property
    def message(self) -> str:
        """Why it is not ``done``, in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class _Failure:
    step: JobStep
    why: str

    @property
    def line(self) -> str:
        return f"step {self.step.name!r} failed: {self.why}"


def run(
    job: Job,
    commands: Sequence[StepCommand],
    tell: Callable[[str], None],
    *,
    talkative: bool = True,
    note_only: bool = False,
    more: Mapping[str, Sequence[str]] | None = None,
) -> Finished:
    """Runs a job and keeps its record.

    Args:
        commands: of its steps, from ``analytics.jobs.check.checked``.
        tell: called with each line for the user, including the output of the steps.
        talkative: whether to print the output of steps that succeed too; the last lines of a failed step are always printed.
        note_only: whether a store that is another than the audit of the file says is noted, and does not end the run.
        more: options that a step gets besides its own, by the name of the step.

    Raises:
        InputError: the store is another than the audit of the file says. Or a step names a measure that nothing labels, or the
            address of ``on_exceeded`` is not in the environment.
        Busy: the job is already running.
        GraphError, ServerError: the record cannot be written.
    """
    began = time.monotonic()
    if job.on_exceeded:
        job.on_exceeded.checked_webhook()
    with Stopping() as stopping, only_run(job.name), ExitStack() as stack:
        if child.end_orphan(last(job.name)):
            tell(f"{job.name}: a step of an earlier run, which was killed, was still running and has been ended")
        graph = stack.enter_context(Graph.open())
        audited = _Audited(job, commands, tell, note_only=note_only)
        if audited.before == 0:
            raise_all(audited.refused(graph))
        check_measures(commands, graph)
        facts = record.facts(graph, job)
        stack.enter_context(record.marked(graph, facts))
        for started in record.begin(graph, facts):
            tell(f"{job.name}: the run of {started} had died")
        noted = LastRun(facts["id"], datetime.now(UTC).isoformat(timespec="seconds"), facts["pid"])
        note(job.name, noted)
        if graph.address.embedded:
            graph.close()  # a step may stop this server and start it again
        server = None if graph.address.embedded else graph.address
        ran: list[RanStep] = []
        try:
            failures, whole = _steps(
                job, commands, noted, stopping, tell, audited, ran, more or {}, talkative=talkative
            )
            note(job.name, noted)
            with Graph.open(server) as after:
                finished = _finished(job, after, facts["id"], failures, whole, stopping, time.monotonic() - began)
                finished = replace(finished, noted=tuple(audited.noted), steps=tuple(ran))
                record.finish(
                    after,
                    facts | ({"noted": audited.noted} if audited.noted else {}),
                    state=finished.state,
                    exit_code=finished.exit_code,
                    failed_step=finished.failed_step,
                    message=finished.message or audited.summary,
                )
        except Exception as error:
            # If the server itself is gone, the next run marks this one as died.
            with suppress(HarmgraphError), Graph.open(server) as after:
                record.finish(after, facts, state="failed", exit_code=1, failed_step="", message=str(error))
            raise
        return _alerted(job, finished, facts)


def _alerted(job: Job, finished: Finished, facts: record.Facts) -> Finished:
    """Reports the exceeded thresholds if the job has ``on_exceeded``; the record of the run is already written."""
    if finished.state != "exceeded" or job.on_exceeded is None:
        return finished
    report = {
        **stamp(),
        "text": f"harmgraph job {job.name}: {finished.message}",
        "name": job.name,
        "run": finished.run,
        "state": finished.state,
        "exit_code": finished.exit_code,
        "message": finished.message,
        "host": facts["host"],
        "seconds": finished.seconds,
        "thresholds": [verdict.facts() for verdict in finished.verdicts if verdict.outcome == "exceeded"],
    }
    return replace(finished, alert=deliver(job.on_exceeded, report, job.folder) or DELIVERED)


def _steps(
    job: Job,
    commands: Sequence[StepCommand],
    noted: LastRun,
    stopping: Stopping,
    tell: Callable[[str], None],
    audited: _Audited,
    ran: list[RanStep],
    more: Mapping[str, Sequence[str]],
    *,
    talkative: bool,
) -> tuple[list[_Failure], bool]:
    """Runs the steps; returns those that failed, and whether every step was run.

    Args:
        ran: gets each step that was run.
        more: see ``run``.
    """
    failures: list[_Failure] = []
    for number, command in enumerate(commands, 1):
        step = command.step
        if stopping.asked():
            return [_Failure(step, f"not begun, because of {stopping.name}"), *failures], False
        if number == audited.before + 1 > 1:
            with Graph.open() as graph:
                refused = audited.refused(graph)
            if refused:
                for line in refused:
                    tell(f"{job.name}: {line}")
                differ = f"{len(refused)} difference{'s' if len(refused) > 1 else ''}"
                why = f"not begun: the store is not that of the audit ({differ})"
                ran.append(RanStep(name=step.name, seconds=0, code=1, why=why))
                return [*failures, _Failure(step, why)], False
        head = f"{job.name}: step {number} of {len(commands)}, {step.name}: {command.line}"
        output = _Output(tell, talkative=talkative)
        output.write(head)
        began = time.monotonic()
        names = len(command.words)
        outcome = child.run(
            (*command.words, *more.get(step.name, ()), *command.arguments[names:]),
            job.folder,
            Enclosing(noted.run, step.name).environment(),
            timeout_s=step.timeout_s,
            stopping=stopping,
            started=lambda pid: note(job.name, replace(noted, child=pid, child_started=child.start_time(pid))),
            write=output.write,
        )
        seconds = round(time.monotonic() - began, 1)
        ran.append(RanStep(name=step.name, seconds=seconds, code=outcome.code, why=outcome.error))
        if outcome.code and not stopping.asked():
            output.tell_kept()
        if outcome.code and stopping.asked():
            return [_Failure(step, f"interrupted by {stopping.name}"), *failures], False
        if outcome.code:
            failures.append(_Failure(step, outcome.error))
            if step.on_failure == "stop":
                return failures, False
            tell(f"{job.name}: {failures[-1].line}")
    return failures, True


class _Audited:
    """The audit of a job, compared with the store.

    Args:
        tell: called with each line for the user.

    Attributes:
        before: place of the step before which it is compared; 0 for the beginning of the run.
        noted: the differences with which the run went on.
    """

    def __init__(
        self, job: Job, commands: Sequence[StepCommand], tell: Callable[[str], None], *, note_only: bool
    ) -> None:
        self.before = first_measuring(commands)
        self._every_source = of_every_source(commands)
        self.noted: list[str] = []
        self._job = job
        self._tell = tell
        self._note_only = note_only

    def refused(self, graph: Graph) -> list[WrongLine]:
        """The differences because of which the run must end."""
        wrong = differences(self._job, graph, every_source=self._every_source, noting=self._note_only)
        if not self._note_only:
            return wrong
        self.noted = [str(line) for line in wrong]
        for line in self.noted:
            self._tell(f"{self._job.name}: noted: {line}")
        return []

    @property
    def summary(self) -> str:
        """How many differences were noted, in words; empty where there is none."""
        return f"{len(self.noted)} of what the audit expects differed (--note)" if self.noted else ""


class _Output:
    """The output of a step: passed on at once, or kept until the step has failed.

    Args:
        tell: called with each line for the user.
    """

    def __init__(self, tell: Callable[[str], None], *, talkative: bool) -> None:
        self._tell = tell
        self._talkative = talkative
        self._first = ""
        self._kept: deque[str] = deque(maxlen=KEPT_LINES)
        self._written = 0

    def write(self, line: str) -> None:
        if self._talkative:
            self._tell(line)
        elif not self._first:
            self._first = line
        else:
            self._kept.append(line)
            self._written += 1

    def tell_kept(self) -> None:
        """Passes on the kept lines, and says how many were dropped."""
        if self._talkative:
            return
        self._tell(self._first)
        if self._written > len(self._kept):
            self._tell(f"({self._written - len(self._kept):,} lines left out)")
        for line in self._kept:
            self._tell(line)


def _finished(
    job: Job,
    graph: Graph,
    run: str,
    failures: Sequence[_Failure],
    whole: bool,
    stopping: Stopping,
    seconds: float,
) -> Finished:
    compared = tuple(changes(graph, run))
    verdicts = tuple(with_statements(graph, judge(each, compared)) for each in job.fail_if) if whole else ()
    exceeded = [verdict.line for verdict in verdicts if verdict.outcome == "exceeded"]
    missing = [verdict.line for verdict in verdicts if verdict.outcome == "not measured"]
    lines = [
        *(f"threshold exceeded: {line}" for line in exceeded),
        *(failure.line for failure in failures),
        *(f"threshold cannot be judged: {line}" for line in missing),
    ]
    if stopping.asked() and not whole:
        state, code = "interrupted", 128 + stopping.signum
        lines = [f"step {failure.step.name!r}: {failure.why}" for failure in failures]
    elif exceeded:
        state, code = "exceeded", EXCEEDED
    elif failures or missing:
        state, code = "failed", 1
    else:
        state, code = "done", 0
    failed = failures[0].step.name if failures else ""
    return Finished(
        run=run,
        job=job.name,
        state=state,
        exit_code=code,
        failed_step=failed,
        reasons=tuple(lines),
        changes=compared,
        verdicts=verdicts,
        seconds=round(seconds, 1),
    )
