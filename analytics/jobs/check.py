"""Whether a job can run: every step is a command line that its command takes, every threshold names a number that is measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import click

from harmgraph.analytics.jobs.file import Job
from harmgraph.analytics.jobs.step import StepCommand, commands
from harmgraph.analytics.jobs.threshold import Threshold
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.graph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import NAMES as MEASURES
from harmgraph.graph.contents.measures import measures, stands


def checked(root: click.Command, job: Job) -> tuple[StepCommand, ...]:
    """The command lines of a job that can run as far as can be known before it does.

    Raises:
        InputError: a step or a threshold cannot be; the message says which and why.
    """
    found = commands(root, job)
    for one in job.fail_if:
        _check(one, found, str(job.path))
        _check_interval(one, str(job.path))
    return found


def check_measures(commands: Sequence[StepCommand], graph: Graph) -> None:
    """Refuses a measure that a step names, no earlier step labels and no statement of the graph carries.

    Raises:
        InputError: there is one; the message tells near names.
    """
    for command, measure, labelled in unlabelled_measures(commands):
        if not stands(graph, measure):
            error = NotFound("measure", measure, sorted({*measures(graph), *labelled}))
            raise InputError(
                f"{error.what}, and no earlier step labels it", where=command.step.where, remedy=error.remedy
            )


def unlabelled_measures(commands: Sequence[StepCommand]) -> list[tuple[StepCommand, str, tuple[str, ...]]]:
    """The measures that a step names and no earlier step labels: the step, the measure, and what earlier steps label."""
    labelled: list[str] = []
    asked = []
    for command in commands:
        if command.words[0] == "label":
            labelled.append(str(command.values.get("measure", "")))
        elif command.words[:2] != ("stats", "history"):  # of saved numbers, whose labels may be gone
            asked += [(command, name, tuple(labelled)) for name in _measures(command) if name not in labelled]
    return asked


def _measures(command: StepCommand) -> list[str]:
    """Those that a step names itself: nobody misspells a default."""
    given = [command.values[name] for name in MEASURES if name in command.said and command.values[name]]
    return [str(name) for value in given for name in ([value] if isinstance(value, str) else value)]


def metrics(name: str) -> tuple[str, ...]:
    """What a statistic keeps, such as ``disparity.d_r``."""
    notes = statistic(name).statement.notes.get("measures", ())
    return tuple(f"{name}.{column}" for note in notes for column in note.split()[1:])


def _check_interval(one: Threshold, where: str) -> None:
    name, _, column = one.metric.partition(".")
    if not one.beyond_chance or name not in statistic_names():
        return
    known = statistic(name)
    bootstrap = known.bootstrap
    bootstrapped = {estimate.column for estimate in bootstrap.estimates} if bootstrap else set()
    if f"{column}_low" not in {each.name for each in known.columns} and column not in bootstrapped:
        raise InputError(
            f"fail_if {one.text!r}: {one.metric} has no interval",
            where=where,
            remedy="hold its change against a number, such as > 10%",
        )


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
