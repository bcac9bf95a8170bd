"""Whether a job can run: every step is a command line that its command takes, every threshold names a number that is measured.

A step becomes a command line, which the command itself parses, so that a typo is found before anything runs.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import click

from harmgraph.analytics.jobs.file import Job, Step
from harmgraph.analytics.jobs.threshold import Threshold
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.graph.common.errors import HarmgraphError, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import NAMES as MEASURES
from harmgraph.graph.contents.measures import measures, stands

NOT_IN_A_JOB = {
    "job": "a job does not run jobs",
    "db": "it could stop the database that the run uses",
}
IN_A_JOB = frozenset({("db", "backup")})
"""It starts the server again, and the run does not use it while a step runs."""


@dataclass(frozen=True, slots=True)
class StepCommand:
    """A step as the command line that runs it.

    Attributes:
        words: the command's name, such as ``("stats", "disparity")``.
        arguments: all that follows ``harmgraph``.
        values: the parsed values, by the names of the command's parameters.
        said: names of the parameters that the step gives itself.
        saves: whether its numbers are saved, so that thresholds can refer to them.
    """

    step: Step
    words: tuple[str, ...]
    arguments: tuple[str, ...]
    values: Mapping[str, Any]
    said: frozenset[str]
    saves: bool

    @property
    def line(self) -> str:
        """The command as typed in a shell."""
        return shlex.join(("harmgraph", *self.arguments))


def checked(root: click.Command, job: Job) -> tuple[StepCommand, ...]:
    """The command lines of a job that can run as far as can be known before it does.

    Raises:
        InputError: a step or a threshold cannot be; the message says which and why.
    """
    commands = step_commands(root, job)
    for threshold in job.fail_if:
        _check(threshold, commands, str(job.path))
        _check_interval(threshold, str(job.path))
    return commands


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
    if name in computed.names():
        return tuple(f"{name}.{column}" for column in computed.get(name).saves)
    return tuple(f"{name}.{column}" for column in statistic(name).saves)


def _check_interval(threshold: Threshold, where: str) -> None:
    name, _, column = threshold.metric.partition(".")
    if not threshold.beyond_chance or name not in statistic_names():
        return
    known = statistic(name)
    bootstrap = known.bootstrap
    bootstrapped = {estimate.column for estimate in bootstrap.estimates} if bootstrap else set()
    if f"{column}_low" not in {each.name for each in known.columns} and column not in bootstrapped:
        raise InputError(
            f"fail_if {threshold.text!r}: {threshold.metric} has no interval",
            where=where,
            remedy="hold its change against a number, such as > 10%",
        )


def _check(threshold: Threshold, commands: Sequence[StepCommand], where: str) -> None:
    steps = [command for command in commands if command.saves]
    measuring = [
        command
        for command in steps
        if _statistic(command)
        and threshold.metric in metrics(command.words[1])
        and _suits(command, threshold.scope.items())
    ]
    # What another command keeps is not known before it has run.
    if measuring or any(not _statistic(command) for command in steps):
        return
    what = f"fail_if {threshold.text!r} names what no step measures"
    known = sorted({metric for command in steps if _statistic(command) for metric in metrics(command.words[1])})
    if threshold.metric in known:
        said = ", ".join(f"{key}={value}" for key, value in threshold.scope.items())
        raise InputError(what, where=where, remedy=f"{threshold.metric} is measured, but not with {said}")
    name = threshold.metric.split(".")[0]
    if name in _known() and threshold.metric in metrics(name):
        raise InputError(what, where=where, remedy=f'add a step: [[step]] and run = "stats {name}"')
    near = get_close_matches(threshold.metric, known or [each for name in _known() for each in metrics(name)], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputError(what, where=where, remedy=f"{hint}measured: {', '.join(known) or 'nothing (add a stats step)'}")


def _known() -> tuple[str, ...]:
    """The names of all statistics."""
    return (*statistic_names(), *computed.names())


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


def step_commands(root: click.Command, job: Job) -> tuple[StepCommand, ...]:
    """The command lines of a job's steps.

    Args:
        root: the ``harmgraph`` command, ``context.find_root().command``.

    Raises:
        InputError: a step names no command, or the command does not take what the step gives it.
    """
    with contextlib.chdir(job.folder):
        return tuple(command(root, step, source=job.source, max_unlabelled=job.max_unlabelled) for step in job.steps)


def command(root: click.Command, step: Step, *, source: str = "", max_unlabelled: str = "") -> StepCommand:
    """The command line of one step; relative paths start from the working folder.

    Args:
        source, max_unlabelled: values of these options where the command takes them and the step does not give them.

    Raises:
        InputError: there is no such command, or it does not take what the step gives it.
    """
    with _naming_step(step):
        return _command(root, step, {"source": source, "max_unlabelled": max_unlabelled})


@contextlib.contextmanager
def _naming_step(step: Step) -> Iterator[None]:
    """Adds the step's position to the error of a command that refuses it."""
    try:
        yield
    except click.UsageError as error:
        remedy = f"see harmgraph {' '.join(step.words[:2])} --help"
        raise InputError(error.format_message().rstrip("."), where=step.where, remedy=remedy) from error
    except click.exceptions.Exit as error:
        raise InputError("asks for help and does nothing else", where=step.where, remedy="remove --help") from error
    except HarmgraphError as error:
        if error.where == step.where:
            raise
        raise InputError(error.what, where=step.where, remedy=error.remedy) from error


def _command(root: click.Command, step: Step, of_job: Mapping[str, str]) -> StepCommand:
    click_command, above, words, rest = _find_command(root, step)
    flags = _flags(click_command, step)
    takes = _by_flag(click_command)
    for name, value in of_job.items():
        if value and name in takes and not _sets(step, rest, name):
            flags.append(f"{takes[name][1]}={value}")
    dashes = ["--"] if "--" not in rest and any(arg.startswith("-") for arg in step.args) else []
    positional = [*rest, *dashes, *step.args]
    values, said = _parsed(click_command, above, words, [*flags, *positional])
    if "save" in takes and takes["save"][0].is_flag and not _sets(step, rest, "save"):
        flags.append("--save")
        values["save"] = True
    if words[0] == "load" and values.get("bulk"):
        raise InputError(
            "--bulk replaces the whole store, including the job's runs", where=step.where, remedy="load without it"
        )
    return StepCommand(step, words, (*words, *flags, *positional), values, said, bool(values.get("save")))


def _find_command(root: click.Command, step: Step) -> tuple[click.Command, click.Context, tuple[str, ...], list[str]]:
    """The command, its parent context, the words that name it and the arguments after them."""
    rest = list(step.words)
    words: list[str] = []
    click_command, context = root, click.Context(root, info_name="harmgraph", **root.context_settings)
    above = context
    while isinstance(click_command, click.Group):
        known = click_command.list_commands(context)
        if not rest or rest[0].startswith("-"):
            named = " ".join(words) or "run"
            raise InputError(f"{named!r} is not a whole command", where=step.where, remedy=f"add one of {_some(known)}")
        word = rest.pop(0)
        child = click_command.get_command(context, word)
        if child is None:
            near = get_close_matches(word, known, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(
                f"no command {' '.join((*words, word))!r}", where=step.where, remedy=f"{hint}there are {_some(known)}"
            )
        words.append(word)
        above, context, click_command = context, click.Context(child, info_name=word, parent=context), child
    if words[0] in NOT_IN_A_JOB and tuple(words[:2]) not in IN_A_JOB:
        raise InputError(f"{words[0]!r} cannot be a step: {NOT_IN_A_JOB[words[0]]}", where=step.where)
    return click_command, above, tuple(words), rest


def _some(names: list[str]) -> str:
    return ", ".join(names)


def _parsed(
    click_command: click.Command, above: click.Context, words: tuple[str, ...], arguments: list[str]
) -> tuple[dict[str, Any], frozenset[str]]:
    """The values of the parameters, and the names of those given on the command line."""
    with click_command.make_context(words[-1], list(arguments), parent=above) as context:
        on_command_line = click.core.ParameterSource.COMMANDLINE
        return dict(context.params), frozenset(
            name for name in context.params if context.get_parameter_source(name) is on_command_line
        )


def _sets(step: Step, rest: list[str], name: str) -> bool:
    """Whether a step gives an option itself, ``false`` included."""
    dashed = name.replace("_", "-")
    return any(_key(key) == name for key in step.options) or any(
        word.split("=")[0] in (f"--{dashed}", f"--no-{dashed}") for word in rest
    )


def _key(name: str) -> str:
    return name.removeprefix("--").replace("-", "_")


def _by_flag(click_command: click.Command) -> dict[str, tuple[click.Option, str]]:
    """The options of a command by their long flags, without dashes."""
    return {
        _key(flag): (parameter, flag)
        for parameter in click_command.params
        if isinstance(parameter, click.Option)
        for flag in (*parameter.opts, *parameter.secondary_opts)
        if flag.startswith("--")
    }


def _flags(click_command: click.Command, step: Step) -> list[str]:
    known = _by_flag(click_command)
    flags: list[str] = []
    for name, value in step.options.items():
        if _key(name) not in known:
            near = get_close_matches(_key(name), known, n=1)
            arguments = [parameter.name for parameter in click_command.params if isinstance(parameter, click.Argument)]
            hint = f"did you mean {near[0]}? " if near else ""
            if _key(name) in arguments or _key(name) in {"file", "files"}:
                hint = f"write args = [...] beside options for {' '.join(arguments)}; "
            shown = sorted(key for key, (option, _) in known.items() if not option.hidden)
            raise InputError(f"no option {name!r}", where=step.where, remedy=f"{hint}known: {', '.join(shown)}")
        flags += _flag(*known[_key(name)], value, step)
    return flags


def _flag(option: click.Option, flag: str, value: Any, step: Step) -> list[str]:
    if option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{flag} is a switch", where=step.where, remedy=f"write {_key(flag)} = true or false")
        other = option.secondary_opts if flag in option.opts else option.opts
        return [flag] if value else other[:1]
    if value is False:  # the step turns off an option that the job would add
        return []
    if not isinstance(value, list):
        return [f"{flag}={_text(flag, value, step)}"]
    if option.multiple:
        return [f"{flag}={_text(flag, item, step)}" for item in value]
    if option.nargs == len(value):
        return [flag, *(_text(flag, item, step) for item in value)]
    joined = ",".join(str(item) for item in value)
    raise InputError(
        f"{flag} takes one value, not a list",
        where=step.where,
        remedy=f'if it takes several in one text, write "{joined}"',
    )


def _text(flag: str, value: Any, step: Step) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{flag} takes a text or a number", where=step.where, remedy=f'write {_key(flag)} = "..."')
