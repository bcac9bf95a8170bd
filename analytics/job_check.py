"""Whether a job can run: every step is a command line that its command takes, every threshold names a number that is measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import click

from analytics.job_file import Job
from analytics.job_step import StepCommand, commands
from analytics.job_threshold import Threshold
from analytics.statistics import statistic, statistic_names
from graph.errors import InputError


def checked(root: click.Command, job: Job) -> tuple[StepCommand, ...]:
    """The command lines of a job that can run as far as can be known before it does.

    Raises:
        InputError: a step or a threshold cannot be; the message says which and why.
    """
    found = commands(root, job)
    for one in job.fail_if:
        _check(one, found, str(job.path))
    return found


def metrics(name: str) -> tuple[str, ...]:
    """What a statistic keeps, such as ``disparity.d_r``."""
    notes = statistic(name).statement.notes.get("measures", ())
    return tuple(f"{name}.{column}" for note in notes for column in note.split()[1:])


def _check(one: Threshold, found: Sequence[StepCommand], where: str) -> None:
    steps = [command for command in found if command.saves]
    measuring = [
        command
        for command in steps
        if _statistic(command) and one.metric in metrics(command.words[1]) and _suits(command, one.scope.items())
    ]
    # What another command keeps is not known before it has run.
    if measuring or any(not _statistic(command) for command in steps):
        return
    what = f"fail_if {one.text!r} names what no step measures"
    known = sorted({metric for command in steps if _statistic(command) for metric in metrics(command.words[1])})
    if one.metric in known:
        said = ", ".join(f"{key}={value}" for key, value in one.scope.items())
        raise InputError(what, where=where, remedy=f"{one.metric} is measured, but not with {said}")
    name = one.metric.split(".")[0]
    if name in statistic_names() and one.metric in metrics(name):
        raise InputError(what, where=where, remedy=f'add a step: [[step]] and run = "stats {name}"')
    near = get_close_matches(one.metric, known or [each for name in statistic_names() for each in metrics(name)], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputError(what, where=where, remedy=f"{hint}measured: {', '.join(known) or 'nothing (add a stats step)'}")


def _statistic(command: StepCommand) -> bool:
    return command.words[0] == "stats"


def _suits(command: StepCommand, scope: Iterable[tuple[str, str]]) -> bool:
    """Whether a stats step can give a number of that scope; categories and targets are in the graph alone."""
    for key, value in scope:
        if key == "step" and value != command.step.name:
            return False
        if key in {"source", "measure"} and command.values.get(key) != value:
            return False
    return True
