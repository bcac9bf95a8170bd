"""Whether a job can run: every step is a command line that its command takes, every threshold names a number that is measured.

A step becomes a command line, which the command itself parses, so that a typo is found before anything runs.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from harmgraph.analytics.jobs.file import Job, JobStep, by_line, parsed
from harmgraph.analytics.jobs.threshold import Threshold
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.common.command_line import ONLY_CHECKED, meant_command
from harmgraph.common.errors import HarmgraphError, InputError, NotFound, WrongLine, raise_all
from harmgraph.common.scorer import scorers
from harmgraph.graph.commands.name_types import ListName
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

    step: JobStep
    words: tuple[str, ...]
    arguments: tuple[str, ...]
    values: Mapping[str, Any]
    said: frozenset[str]
    saves: bool

    @property
    def line(self) -> str:
        """The command as typed in a shell."""
        return shlex.join(("harmgraph", *self.arguments))


@dataclass(frozen=True, slots=True)
class Checked:
    """A job's file after a check.

    Attributes:
        commands: the command lines of its steps; None for a step that is wrong.
        wrong: everything that is wrong with the file, in the order of its lines.
    """

    job: Job
    commands: tuple[StepCommand | None, ...]
    wrong: tuple[WrongLine, ...]


def check(root: click.Command, path: Path, targets: Sequence[str] = ()) -> Checked:
    """Checks whether a job can run as far as can be known before it does.

    Args:
        root: the ``harmgraph`` command, ``context.find_root().command``.
        targets: names of target lists in place of those of the file.

    Raises:
        UnreadableFile: the file is missing, not text or not TOML.
    """
    job, wrong = parsed(path)
    return _checked(root, replace(job, targets=tuple(targets) or job.targets), wrong)


def checked(root: click.Command, job: Job) -> tuple[StepCommand, ...]:
    """The command lines of a job that can run as far as can be known before it does.

    Raises:
        InputError: steps or thresholds cannot be; the message says which and why.
    """
    found = _checked(root, job, [])
    raise_all(found.wrong)
    return tuple(command for command in found.commands if command)


def _checked(root: click.Command, job: Job, wrong: list[WrongLine]) -> Checked:
    commands: list[StepCommand | None] = []
    of_job = {"source": (job.source,), "targets": job.targets, "max_unlabelled": (job.max_unlabelled,)}
    with contextlib.chdir(job.folder):
        for step in job.steps:
            reader = _Reader(root, step, of_job)
            commands.append(reader.command())
            wrong += reader.wrong
    for threshold in job.fail_if:
        for why in (_why_not_measured(threshold, commands), _why_no_interval(threshold)):
            if why:
                wrong.append(job.place.wrong(("fail_if", threshold.position), *why))
    return Checked(job, tuple(commands), tuple(by_line(wrong)))


def unknown_measures(commands: Sequence[StepCommand | None], graph: Graph) -> list[WrongLine]:
    """What is wrong with measures that steps name: no earlier step labels them, and no statement of the graph carries them."""
    wrong = []
    for command, measure, labelled in unlabelled_measures(commands):
        if not stands(graph, measure):
            error = NotFound("measure", measure, sorted({*measures(graph), *labelled}))
            wrong.append(command.step.place.wrong("run", f"{error.what}, and no earlier step labels it", error.remedy))
    return wrong


def check_measures(commands: Sequence[StepCommand], graph: Graph) -> None:
    """Refuses the measures of ``unknown_measures``.

    Raises:
        InputError: there is one; the message tells near names.
    """
    raise_all(unknown_measures(commands, graph))


def unlabelled_measures(commands: Sequence[StepCommand | None]) -> list[tuple[StepCommand, str, tuple[str, ...]]]:
    """The measures that a step names and no earlier step labels: the step, the measure, and what earlier steps label."""
    labelled: list[str] = []
    asked = []
    for command in commands:
        if command is None:  # what a step that is wrong labels is not known
            break
        if command.words[0] == "label":
            measures = _labelled(command)
            if measures is None:
                break
            labelled += measures
        elif command.words[:2] != ("stats", "history"):  # of saved numbers, whose labels may be gone
            asked += [(command, name, tuple(labelled)) for name in _measures(command) if name not in labelled]
    return asked


def _labelled(command: StepCommand) -> list[str] | None:
    """The measures that a step labels; None if a file says which, and it is not there yet."""
    scorer = scorers.get(command.words[1])
    options = {option.name: command.values[option.name] for option in scorer.options if option.name in command.values}
    try:
        passes = scorer.passes(str(command.values.get("measure", "")), options)
    except InputError:
        return None
    return [measure for measure, _ in passes]


NOT_PINNED = frozenset(
    {"source", "targets", "max_unlabelled", "save", "output", "verbose", "progress", "top", "cypher"}
)
"""Options that an audit does not repeat: the job's own keys, and those that change no number."""


def pinned_options(root: click.Command, command: StepCommand) -> dict[str, Any]:
    """The options of a step with the values that it runs with, defaults too, so that later defaults do not change it.

    Args:
        root: the ``harmgraph`` command.
    """
    click_command, _, _, rest = _find_command(root, command.step.words)
    pinned = {}
    for key, (option, _) in _by_flag(click_command).items():
        value = command.values.get(option.name or "")
        if key in NOT_PINNED or option.name in NOT_PINNED or _sets(command.step, rest, key):
            continue
        if value is not None and value is not False and value not in ((), ""):
            pinned[key] = list(map(_plain, value)) if isinstance(value, tuple | list) else _plain(value)
    return pinned


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float) else str(value)


def _measures(command: StepCommand) -> list[str]:
    """Those that a step names itself: nobody misspells a default."""
    given = [command.values[name] for name in MEASURES if name in command.said and command.values[name]]
    return [str(name) for value in given for name in ([value] if isinstance(value, str) else value)]


def metrics(name: str) -> tuple[str, ...]:
    """What a statistic keeps, such as ``disparity.d_r``."""
    if name in computed.names():
        return tuple(f"{name}.{column}" for column in computed.get(name).saves)
    return tuple(f"{name}.{column}" for column in statistic(name).saves)


Why = tuple[str, str]
"""What is wrong, and what to do."""


def _why_no_interval(threshold: Threshold) -> Why | None:
    name, _, column = threshold.metric.partition(".")
    if not threshold.beyond_chance or name not in statistic_names():
        return None
    known = statistic(name)
    bootstrap = known.bootstrap
    bootstrapped = {estimate.column for estimate in bootstrap.estimates} if bootstrap else set()
    if f"{column}_low" in {each.name for each in known.columns} or column in bootstrapped:
        return None
    what = f"fail_if {threshold.text!r}: {threshold.metric} has no interval"
    return what, "hold its change against a number, such as > 10%"


def _why_not_measured(threshold: Threshold, commands: Sequence[StepCommand | None]) -> Why | None:
    name = threshold.metric.split(".")[0]
    exists = name in _known() and threshold.metric in metrics(name)
    if exists and None in commands:
        return None  # what a step that is wrong should measure is not known
    steps = [command for command in commands if command and command.saves]
    # What another command keeps is not known before it has run.
    if any(not _statistic(command) or _measures_it(command, threshold) for command in steps):
        return None
    what = f"fail_if {threshold.text!r} names what no step measures"
    known = sorted({metric for command in steps for metric in metrics(command.words[1])})
    if threshold.metric in known:
        said = ", ".join(f"{key}={value}" for key, value in threshold.scope.items())
        return what, f"{threshold.metric} is measured, but not with {said}"
    if exists:
        return what, f'add a step: [[step]] and run = "stats {name}"'
    near = get_close_matches(threshold.metric, known or [each for name in _known() for each in metrics(name)], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return what, f"{hint}measured: {', '.join(known) or 'nothing (add a stats step)'}"


def _measures_it(command: StepCommand, threshold: Threshold) -> bool:
    return threshold.metric in metrics(command.words[1]) and _suits(command, threshold.scope.items())


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


class _Reader:
    """Reads a step as the command line that runs it; relative paths start from the working folder.

    Args:
        of_job: values of options that the command gets where it takes them and the step does not give them.

    Attributes:
        wrong: what is wrong with the step.
    """

    def __init__(self, root: click.Command, step: JobStep, of_job: Mapping[str, Sequence[str]]) -> None:
        self.wrong: list[WrongLine] = []
        self._arguments_misplaced = False  # they are among the options
        self._root = root
        self._step = step
        self._of_job = of_job

    def command(self) -> StepCommand | None:
        """The command line; None where something is wrong."""
        if not self._step.words:
            return None
        try:
            command = self._command()
        except HarmgraphError as error:
            self._note("run", error.what, error.remedy)
        except click.UsageError as error:
            self._refused("run", error)
        except click.exceptions.Exit:
            self._note("run", "asks for help and does nothing else", "remove --help")
        return None if self.wrong else command

    def _note(self, key: str | tuple[str, str], what: str, remedy: str = "") -> None:
        self.wrong.append(self._step.place.wrong(key, what, remedy))

    def _refused(self, key: str | tuple[str, str], error: click.UsageError) -> None:
        remedy = f"see harmgraph {' '.join(self._step.words[:2])} --help"
        self._note(key, error.format_message().rstrip("."), remedy)

    def _command(self) -> StepCommand | None:
        step = self._step
        click_command, above, words, rest = _find_command(self._root, step.words)
        takes = _by_flag(click_command)
        options = self._options(click_command, takes)
        options += [
            _Given(takes[name][0], name, tuple(f"{takes[name][1]}={value}" for value in values))
            for name, values in self._of_job.items()
            if any(values) and name in takes and _is_meant(takes[name][0]) and not _sets(step, rest, name)
        ]
        dashes = ["--"] if "--" not in rest and any(arg.startswith("-") for arg in step.args) else []
        positional = (*rest, *dashes, *step.args)
        parsed = self._parsed(click_command, above, words[-1], options, positional)
        if parsed is None:
            return None
        values, said = parsed
        flags = [flag for option in options for flag in option.flags]
        if "save" in takes and takes["save"][0].is_flag and not _sets(step, rest, "save"):
            flags.append("--save")
            values["save"] = True
        if words[0] == "load" and values.get("bulk"):
            self._note("run", "--bulk replaces the whole store, including the job's runs", "load without it")
        return StepCommand(step, words, (*words, *flags, *positional), values, said, bool(values.get("save")))

    def _options(self, click_command: click.Command, takes: Mapping[str, tuple[click.Option, str]]) -> list[_Given]:
        """The options of the step's table that the command has."""
        given = []
        for name, value in self._step.options.items():
            if _key(name) in takes:
                option, flag = takes[_key(name)]
                try:
                    given.append(_Given(option, name, tuple(_flags(option, flag, value))))
                except InputError as error:
                    self._note(("options", name), error.what, error.remedy)
                continue
            near = get_close_matches(_key(name), takes, n=1)
            arguments = [parameter.name for parameter in click_command.params if isinstance(parameter, click.Argument)]
            hint = f"did you mean {near[0]}? " if near else ""
            if _key(name) in arguments or _key(name) in {"file", "files"}:
                hint = f"write args = [...] beside options for {' '.join(arguments)}; "
                self._arguments_misplaced = True
            shown = sorted(key for key, (option, _) in takes.items() if not option.hidden)
            self._note(("options", name), f"no option {name!r}", f"{hint}known: {', '.join(shown)}")
        return given

    def _parsed(
        self,
        click_command: click.Command,
        above: click.Context,
        word: str,
        options: Sequence[_Given],
        positional: Sequence[str],
    ) -> tuple[dict[str, Any], frozenset[str]] | None:
        """The values of the parameters, and the names of those given on the command line; None where some are refused.

        The command names the first value that it refuses; without that value it names the next one.
        """
        left = list(options)
        above.meta[ONLY_CHECKED] = True
        while True:
            arguments = [*(flag for option in left for flag in option.flags), *positional]
            try:
                with click_command.make_context(word, list(arguments), parent=above) as context:
                    on_command_line = click.core.ParameterSource.COMMANDLINE
                    said = [name for name in context.params if context.get_parameter_source(name) is on_command_line]
                    return (dict(context.params), frozenset(said)) if len(left) == len(options) else None
            except click.MissingParameter:
                refused: set[click.Parameter] = {option.parameter for option in options if option not in left}
                if self._arguments_misplaced:
                    refused |= {each for each in click_command.params if isinstance(each, click.Argument)}
                with click_command.make_context(word, arguments, parent=above, resilient_parsing=True) as context:
                    for parameter in click_command.params:
                        is_missing = context.params.get(parameter.name or "", "") in (None, ())
                        if parameter.required and is_missing and parameter not in refused:
                            self._refused("run", click.MissingParameter(ctx=context, param=parameter))
                return None
            except click.BadParameter as error:
                wrong = [option for option in left if option.parameter is error.param]
                for option in wrong:
                    self._refused(("options", option.name), error)
                if not wrong:
                    raise
                left = [option for option in left if option not in wrong]


@dataclass(frozen=True, slots=True)
class _Given:
    """An option that a step gives, by its name in the step's table, with the words for the command line."""

    parameter: click.Option
    name: str
    flags: tuple[str, ...]


def _find_command(
    root: click.Command, line: Sequence[str]
) -> tuple[click.Command, click.Context, tuple[str, ...], list[str]]:
    """The command of a line, its parent context, the words that name it and the arguments after them.

    Raises:
        InputError: there is none, or it cannot be a step.
    """
    rest = list(line)
    words: list[str] = []
    click_command, context = root, click.Context(root, info_name="harmgraph", **root.context_settings)
    above = context
    while isinstance(click_command, click.Group):
        known = click_command.list_commands(context)
        if not rest or rest[0].startswith("-"):
            named = " ".join(words) or "run"
            raise InputError(f"{named!r} is not a whole command", remedy=f"add one of {_some(known)}")
        word = rest.pop(0)
        child = click_command.get_command(context, word)
        if child is None:
            meant = meant_command(word, known)
            hint = f"did you mean {meant}? " if meant else ""
            raise InputError(f"no command {' '.join((*words, word))!r}", remedy=f"{hint}there are {_some(known)}")
        words.append(word)
        above, context, click_command = context, click.Context(child, info_name=word, parent=context), child
    if words[0] in NOT_IN_A_JOB and tuple(words[:2]) not in IN_A_JOB:
        raise InputError(f"{words[0]!r} cannot be a step: {NOT_IN_A_JOB[words[0]]}")
    return click_command, above, tuple(words), rest


def _some(names: list[str]) -> str:
    return ", ".join(names)


def _sets(step: JobStep, rest: list[str], name: str) -> bool:
    """Whether a step gives an option itself, ``false`` included."""
    dashed = name.replace("_", "-")
    return any(_key(key) == name for key in step.options) or any(
        word.split("=")[0] in (f"--{dashed}", f"--no-{dashed}") for word in rest
    )


def _is_meant(option: click.Option) -> bool:
    """Whether an option is the one that a job's key means: ``--targets`` of some commands is a file, not a target list."""
    return option.name != "targets" or isinstance(option.type, ListName)


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


def _flags(option: click.Option, flag: str, value: Any) -> list[str]:
    """The words of the command line that give an option a value of a TOML file.

    Raises:
        InputError: it does not take such a value.
    """
    if option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{flag} is a switch", remedy=f"write {_key(flag)} = true or false")
        other = option.secondary_opts if flag in option.opts else option.opts
        return [flag] if value else other[:1]
    if value is False:  # the step turns off an option that the job would add
        return []
    if not isinstance(value, list):
        return [f"{flag}={_text(flag, value)}"]
    if option.multiple:
        return [f"{flag}={_text(flag, item)}" for item in value]
    if option.nargs == len(value):
        return [flag, *(_text(flag, item) for item in value)]
    joined = ",".join(str(item) for item in value)
    raise InputError(f"{flag} takes one value, not a list", remedy=f'if it takes several in one text, write "{joined}"')


def _text(flag: str, value: Any) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{flag} takes a text or a number", remedy=f'write {_key(flag)} = "..."')
