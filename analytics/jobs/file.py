"""Finds and reads the TOML files of jobs. ``analytics.jobs.check`` checks the options that a step gives its command."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from harmgraph.analytics.jobs.alert import TIMEOUT_S, Alert, parts
from harmgraph.analytics.jobs.cron import Cron
from harmgraph.analytics.jobs.threshold import Threshold, threshold
from harmgraph.graph.common.errors import HarmgraphError, InputError, UnreadableFile
from harmgraph.graph.common.user_file import read_text

JOB_KEYS = (
    "name",
    "description",
    "cron",
    "timezone",
    "misfire_grace",
    "source",
    "max_unlabelled",
    "timeout",
    "fail_if",
    "on_exceeded",
    "step",
)
ALERT_KEYS = ("command", "webhook", "webhook_env", "timeout")
STEP_KEYS = ("run", "args", "file", "files", "options", "name", "on_failure", "timeout")
POSITIONAL = ("args", "file", "files")
UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
MISFIRE_GRACE_S = 3_600
MAX_UNLABELLED = "5%"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DURATION = re.compile(r"([1-9]\d{0,6})\s*([smhd])")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SECRET = re.compile(r"passw|secret|token|credential", re.IGNORECASE)

OnFailure = Literal["stop", "continue"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a job.

    Attributes:
        name: unique in its job.
        words: the command line as written under ``run``, without ``harmgraph``.
        args: positional arguments, which follow those of ``words``.
        options: as written; ``analytics.jobs.check`` turns them into flags.
        timeout_s: how long it may take; None for no limit.
        where: file and step, for messages.
    """

    name: str
    words: tuple[str, ...]
    args: tuple[str, ...]
    options: Mapping[str, Any]
    on_failure: OnFailure
    timeout_s: int | None
    where: str


@dataclass(frozen=True, slots=True)
class Job:
    """A job: steps that run one after the other, when to run them, and the thresholds for their numbers.

    Attributes:
        path: the file; relative paths in it are relative to its folder.
        cron: five fields, or six with seconds first; empty where the job is run by hand or by another scheduler.
        timezone: IANA name of the time zone of ``cron``; empty for that of the machine.
        misfire_grace_s: how late a missed run may still start.
        source: value of ``--source`` for the steps that take it and do not set it.
        max_unlabelled: the same for ``--max-unlabelled``.
        on_exceeded: what to do when a threshold is exceeded; None for nothing.
    """

    name: str
    path: Path
    description: str
    steps: tuple[Step, ...]
    cron: str
    timezone: str
    misfire_grace_s: int
    source: str
    max_unlabelled: str
    fail_if: tuple[Threshold, ...]
    on_exceeded: Alert | None

    @property
    def folder(self) -> Path:
        """Where its steps run."""
        return self.path.parent


def read_job(path: Path) -> Job:
    """Reads a job's file.

    Raises:
        UnreadableFile: it is missing, not text or not TOML.
        InputError: a key is unknown, missing or has a wrong value; the message names the file and the key.
    """
    return _job(path.absolute(), tables(path), str(path))


def tables(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        UnreadableFile: it is missing, not text or not TOML.
    """
    if path.is_dir():
        raise UnreadableFile(path, "is a folder", remedy="name a job's file in it")
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(path, f"is not TOML: {error}", remedy="fix that line (see docs/jobs.md)") from error


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


def _job(path: Path, table: dict[str, Any], where: str) -> Job:
    _known(table, JOB_KEYS, where)
    name = _text(table, "name", where) or path.stem
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be a job's name",
            where=where,
            remedy='set name = "..." of letters, digits, dots, - and _, 64 at most',
        )
    steps = table.get("step")
    if isinstance(steps, dict):
        raise InputError(
            "'step' is a single table", where=where, remedy="write [[step]] with two brackets before each step"
        )
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise InputError("has no steps", where=where, remedy='add at least one: [[step]] and run = "label vader"')
    timeout = _duration(table, "timeout", where)
    grace = _duration(table, "misfire_grace", where)
    timezone, cron = _text(table, "timezone", where), _text(table, "cron", where)
    if cron:
        try:
            Cron(cron, timezone)
        except ValueError as error:
            raise InputError(str(error), where=where, remedy='such as cron = "30 2 * * 1-5"') from error
    elif timezone:
        raise InputError("'timezone' is set, but there is no cron", where=where)
    fail_if = tuple(threshold(text, where) for text in _texts(table, "fail_if", where))
    alert = _alert(table, where)
    if alert and not fail_if:
        raise InputError(
            "'on_exceeded' is set, but there is no threshold", where=where, remedy='add one: fail_if = ["..."]'
        )
    return Job(
        name,
        path,
        _text(table, "description", where),
        _steps(steps, timeout, where),
        cron,
        timezone,
        MISFIRE_GRACE_S if grace is None else grace,
        _text(table, "source", where),
        _share(table, "max_unlabelled", where) or MAX_UNLABELLED,
        fail_if,
        alert,
    )


def _alert(job_table: Mapping[str, Any], where: str) -> Alert | None:
    value = job_table.get("on_exceeded")
    if value is None:
        return None
    where = f"{where}: on_exceeded"
    table: Mapping[str, Any] = {"command": value} if isinstance(value, list) else value
    if not isinstance(table, dict):
        remedy = 'write on_exceeded = ["program", "argument"], or { webhook = "https://..." }: no shell reads it'
        raise InputError("is neither a list nor a table", where=where, remedy=remedy)
    _known(table, ALERT_KEYS, where)
    keys = [key for key in ALERT_KEYS[:3] if key in table]
    if len(keys) != 1:
        raise InputError(
            f"needs exactly one of {', '.join(ALERT_KEYS[:3])}", where=where, remedy="docs/jobs.md has examples"
        )
    if "command" in table and not isinstance(table["command"], list):
        remedy = 'write command = ["program", "argument"]: no shell reads it'
        raise InputError("'command' is not a list", where=where, remedy=remedy)
    command = _texts(table, "command", where)
    if "command" in table and not (command and command[0].strip()):
        raise InputError("'command' names no program", where=where, remedy='write command = ["program", "argument"]')
    alert = Alert(
        command,
        _text(table, "webhook", where),
        _text(table, "webhook_env", where),
        _duration(table, "timeout", where) or TIMEOUT_S,
    )
    if alert.webhook_env and not _VARIABLE.fullmatch(alert.webhook_env):
        # The message does not repeat it: it may be the address itself.
        raise InputError("'webhook_env' is not the name of a variable", where=where, remedy='such as "AUDIT_WEBHOOK"')
    if "webhook" in table:
        try:
            parts(alert.webhook)
        except InputError as error:
            raise InputError(error.what, where=where, remedy=error.remedy) from error
    elif "webhook_env" in table and not alert.webhook_env:
        raise InputError("'webhook_env' is empty", where=where, remedy='such as "AUDIT_WEBHOOK"')
    return alert


def _share(table: Mapping[str, Any], key: str, where: str) -> str:
    """A share as written; empty where the key is missing."""
    from click import BadParameter

    from harmgraph.graph.common.command_line import share

    value = table.get(key, "")
    text = "" if isinstance(value, bool) else str(value).strip()
    with suppress(BadParameter):
        if key not in table or share(text) >= 0:
            return text
    raise InputError(f"{key!r} is not a share: {value!r}", where=where, remedy=f'write {key} = "5%" or 0.05')


def _steps(tables: list[dict[str, Any]], timeout: int | None, job: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    taken: set[str] = set()
    for number, table in enumerate(tables, 1):
        where = f"{job}: step {number}"
        _known(table, STEP_KEYS, where)
        words = _command_line(table, where)
        name = _text(table, "name", where)
        if name in taken:
            raise InputError(f"there is already a step named {name!r}", where=where, remedy="give it another name")
        # A step without a name is named after its command, which has one or two words.
        step_name = name or _free(" ".join(word for word in words[:2] if not word.startswith("-")), taken)
        taken.add(step_name)
        where = f"{where} ({step_name})"
        positional = [key for key in POSITIONAL if key in table]
        if len(positional) > 1:
            raise InputError(
                f"{positional[0]!r} and {positional[1]!r} mean the same", where=where, remedy="keep one of them"
            )
        options = table.get("options", {})
        if not isinstance(options, dict):
            raise InputError(
                "'options' is not a table", where=where, remedy='such as options = { source = "conceptnet" }'
            )
        own_timeout = _duration(table, "timeout", where)
        steps.append(
            Step(
                step_name,
                words,
                _texts(table, positional[0], where) if positional else (),
                options,
                _on_failure(table, where),
                timeout if own_timeout is None else own_timeout,
                where,
            )
        )
    return tuple(steps)


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _command_line(table: dict[str, Any], where: str) -> tuple[str, ...]:
    run = table.get("run")
    if isinstance(run, list):
        words = list(_texts(table, "run", where))
    else:
        try:
            words = shlex.split(_text(table, "run", where))
        except ValueError as error:
            raise InputError(f"'run' cannot be read: {error}", where=where, remedy="close the quotation") from error
    if words[:1] == ["harmgraph"]:
        words = words[1:]
    if not words:
        raise InputError("has no command", where=where, remedy='write run = "label vader"')
    return tuple(words)


def _on_failure(table: dict[str, Any], where: str) -> OnFailure:
    value = _text(table, "on_failure", where) or "stop"
    if value == "stop":
        return "stop"
    if value == "continue":
        return "continue"
    raise InputError(f"'on_failure' is {value!r}", where=where, remedy='write "stop" or "continue"')


def _known(table: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    for key in table:
        if key in keys:
            continue
        if _SECRET.search(key):
            remedy = "passwords come from the environment only (NEO4J_PASSWORD): take it out of the file"
        else:
            near = get_close_matches(key.replace("-", "_"), keys, n=1)
            remedy = (f"did you mean {near[0]}? " if near else "") + f"known: {', '.join(keys)}"
            if "run" in keys and not near:
                remedy += "; an option of the command goes into options = { ... }"
        raise InputError(f"no key {key!r}", where=where, remedy=remedy)


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{key!r} is not text", where=where, remedy=f'write {key} = "..."')
    return value.strip()


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A text or a list of texts; numbers become texts, as on a command line."""
    value = table.get(key, [])
    values = value if isinstance(value, list) else [value]
    for item in values:
        if not isinstance(item, str | int | float) or isinstance(item, bool):
            raise InputError(
                f"{key!r} is neither text nor a list of texts", where=where, remedy=f'write {key} = ["..."]'
            )
    return tuple(str(item) for item in values)


def _duration(table: Mapping[str, Any], key: str, where: str) -> int | None:
    """Seconds; None where the key is missing."""
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        raise InputError(
            f"{key!r} is not a duration: {value!r}", where=where, remedy="write 90 (seconds), 30m, 2h or 1d"
        )
    return int(match[1]) * UNITS[match[2]]
