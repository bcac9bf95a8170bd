"""Finds and reads the TOML files of jobs. ``analytics.jobs.check`` checks the options that a step gives its command."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from harmgraph.analytics.jobs.alert import TIMEOUT_S, Alert, parts
from harmgraph.analytics.jobs.cron import Cron
from harmgraph.analytics.jobs.pinned import Audit, PinnedSource
from harmgraph.analytics.jobs.threshold import Threshold, threshold
from harmgraph.common.errors import HarmgraphError, InputError, UnreadableFile, WrongLine, raise_all
from harmgraph.common.toml_lines import TomlLines
from harmgraph.common.user_file import read_text

JOB_KEYS = (
    "name",
    "description",
    "cron",
    "timezone",
    "misfire_grace",
    "source",
    "targets",
    "max_unlabelled",
    "timeout",
    "fail_if",
    "on_exceeded",
    "step",
    "audit",
)
AUDIT_KEYS = ("harmgraph", "sources", "targets", "measures")
PINNED_KEYS = ("importer", "import_id", "statements")
ALERT_KEYS = ("command", "webhook", "webhook_env", "timeout")
STEP_KEYS = ("run", "args", "file", "files", "options", "name", "on_failure", "timeout")
POSITIONAL = ("args", "file", "files")
UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
MISFIRE_GRACE_S = 3_600
MAX_UNLABELLED = "5%"
LONGEST_NAME = 64
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")
_DURATION = re.compile(r"([1-9]\d{0,6})\s*([smhd])")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SECRET = re.compile(r"passw|secret|token|credential", re.IGNORECASE)

OnFailure = Literal["stop", "continue"]


@dataclass(frozen=True, slots=True)
class JobPlace:
    """A part of a job's file, for messages.

    Attributes:
        file: as the user named it.
        path: keys and positions that lead to the part; empty for the whole file.
        called: the part in words, such as ``step 2 (label vader)``; empty for the whole file.
    """

    file: str
    lines: TomlLines = field(repr=False, compare=False)
    path: tuple[str | int, ...] = ()
    called: str = ""

    def wrong(self, key: str | tuple[str | int, ...], what: str, remedy: str = "") -> WrongLine:
        """The error for a key in it, or for the part itself where the key is empty: ``job.toml:12: step 2: ...``."""
        line = self.lines.of(*self.path, *((key,) if isinstance(key, str) else key))
        where = f"{self.file}:{line}" if line else self.file
        return WrongLine(what, line=line, where=f"{where}: {self.called}" if self.called else where, remedy=remedy)


@dataclass(frozen=True, slots=True)
class JobStep:
    """One step of a job.

    Attributes:
        name: unique in its job.
        words: the command line as written under ``run``, without ``harmgraph``; empty in a file that is wrong.
        args: positional arguments, which follow those of ``words``.
        options: as written; ``analytics.jobs.check`` turns them into flags.
        timeout_s: how long it may take; None for no limit.
        place: where it is in the file.
    """

    name: str
    words: tuple[str, ...]
    args: tuple[str, ...]
    options: Mapping[str, Any]
    on_failure: OnFailure
    timeout_s: int | None
    place: JobPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job: steps that run one after the other, when to run them, and the thresholds for their numbers.

    Attributes:
        path: the file; relative paths in it are relative to its folder.
        cron: five fields, or six with seconds first; empty where the job is run by hand or by another scheduler.
        timezone: IANA name of the time zone of ``cron``; empty for that of the machine.
        misfire_grace_s: how late a missed run may still start.
        source: value of ``--source`` for the steps that take it and do not set it.
        targets: the same for ``--targets``: names of target lists.
        max_unlabelled: the same for ``--max-unlabelled``.
        on_exceeded: what to do when a threshold is exceeded; None for nothing.
        audit: what the store must be; None where the file does not say.
        place: the file, for messages.
    """

    name: str
    path: Path
    description: str
    steps: tuple[JobStep, ...]
    cron: str
    timezone: str
    misfire_grace_s: int
    source: str
    targets: tuple[str, ...]
    max_unlabelled: str
    fail_if: tuple[Threshold, ...]
    on_exceeded: Alert | None
    audit: Audit | None
    place: JobPlace

    @property
    def folder(self) -> Path:
        """Where its steps run."""
        return self.path.parent


def read_job(path: Path) -> Job:
    """Reads a job's file.

    Raises:
        UnreadableFile: it is missing, not text or not TOML.
        InputError: keys are unknown, missing or have a wrong value; the message names the file, the lines and the keys.
    """
    job, wrong = parsed(path)
    raise_all(by_line(wrong))
    return job


def by_line(wrong: Iterable[WrongLine]) -> list[WrongLine]:
    """What is wrong with a file, in the order of its lines."""
    return sorted(wrong, key=lambda error: error.line)


def parsed(path: Path) -> tuple[Job, list[WrongLine]]:
    """Reads a job's file as far as it can be read.

    Returns:
        The job and everything that is wrong with its file. Where something is, the job holds what is right.

    Raises:
        UnreadableFile: it is missing, not text or not TOML.
    """
    text, values = _content(path)
    table = _Table(values, JobPlace(str(path), TomlLines(text)), [])
    return _job(path.absolute(), table), table.wrong


def tables(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        UnreadableFile: it is missing, not text or not TOML.
    """
    return _content(path)[1]


def _content(path: Path) -> tuple[str, dict[str, Any]]:
    if path.is_dir():
        raise UnreadableFile(path, "is a folder", remedy="name a job's file in it")
    text = read_text(path)
    try:
        return text, tomllib.loads(text)
    except RecursionError as error:
        remedy = "no key of a job takes such a value (see docs/jobs.md)"
        raise UnreadableFile(path, "lists or tables are nested too deeply", remedy=remedy) from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        raise UnreadableFile(
            path,
            f"is not TOML: {error}",
            line=int(line[1]) if line else text.count("\n") + 1,
            remedy="fix that line (see docs/jobs.md)",
        ) from error


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


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a job's file. A value that is wrong is noted, and the default taken instead, so that reading goes on.

    Attributes:
        wrong: what is wrong with the file so far.
    """

    values: Mapping[str, Any]
    place: JobPlace
    wrong: list[WrongLine]

    def note(self, key: str | tuple[str | int, ...], what: str, remedy: str = "") -> None:
        """Notes what is wrong, see ``JobPlace.wrong``."""
        self.wrong.append(self.place.wrong(key, what, remedy))

    def part(self, values: Mapping[str, Any], path: tuple[str | int, ...], called: str) -> _Table:
        """A table inside it."""
        place = self.place
        return _Table(values, JobPlace(place.file, place.lines, (*place.path, *path), called), self.wrong)

    def know(self, keys: Sequence[str]) -> None:
        """Notes every key that is none of these."""
        for key in self.values:
            if key in keys:
                continue
            if _SECRET.search(key):
                remedy = "passwords come from the environment only (NEO4J_PASSWORD): take it out of the file"
            else:
                near = get_close_matches(key.replace("-", "_"), keys, n=1)
                remedy = (f"did you mean {near[0]}? " if near else "") + f"known: {', '.join(keys)}"
                if "run" in keys and not near:
                    remedy += "; an option of the command goes into options = { ... }"
            self.note(key, f"no key {key!r}", remedy)

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        if isinstance(value, str):
            return value.strip()
        self.note(key, f"{key!r} is not text", f'write {key} = "..."')
        return ""

    def texts(self, key: str) -> tuple[tuple[int, str], ...]:
        """A text or a list of texts, with their positions; numbers become texts, as on a command line."""
        value = self.values.get(key, [])
        items = value if isinstance(value, list) else [value]
        good = [isinstance(item, str | int | float) and not isinstance(item, bool) for item in items]
        for number in (number for number, is_good in enumerate(good) if not is_good):
            self.note((key, number), f"{key!r} is neither text nor a list of texts", f'write {key} = ["..."]')
        return tuple((number, str(item)) for number, item in enumerate(items) if good[number])

    def duration(self, key: str) -> int | None:
        """Seconds; None where the key is missing."""
        value = self.values.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
        if match:
            return int(match[1]) * UNITS[match[2]]
        self.note(key, f"{key!r} is not a duration: {value!r}", "write 90 (seconds), 30m, 2h or 1d")
        return None

    def share(self, key: str) -> str:
        """A share as written; empty where the key is missing."""
        from click import BadParameter

        from harmgraph.common.command_line import share

        value = self.values.get(key, "")
        text = "" if isinstance(value, bool) else str(value).strip()
        with suppress(BadParameter):
            if key not in self.values or share(text) >= 0:
                return text
        self.note(key, f"{key!r} is not a share: {value!r}", f'write {key} = "5%" or 0.05')
        return ""


def _job(path: Path, table: _Table) -> Job:
    table.know(JOB_KEYS)
    name = table.text("name") or path.stem
    if not _NAME.fullmatch(name):
        remedy = 'set name = "..." of letters, digits, dots, - and _, 64 at most'
        table.note("name", f"{name!r} cannot be a job's name", remedy)
    timeout, grace = table.duration("timeout"), table.duration("misfire_grace")
    cron, timezone = _cron(table)
    fail_if = _thresholds(table)
    alert = _alert(table)
    if alert and "fail_if" not in table.values:
        table.note("on_exceeded", "'on_exceeded' is set, but there is no threshold", 'add one: fail_if = ["..."]')
    return Job(
        name=name,
        path=path,
        description=table.text("description"),
        steps=_steps(table, timeout),
        cron=cron,
        timezone=timezone,
        misfire_grace_s=MISFIRE_GRACE_S if grace is None else grace,
        source=table.text("source"),
        targets=tuple(name for _, name in table.texts("targets")),
        max_unlabelled=table.share("max_unlabelled") or MAX_UNLABELLED,
        fail_if=fail_if,
        on_exceeded=alert,
        audit=_audit(table),
        place=table.place,
    )


def _cron(table: _Table) -> tuple[str, str]:
    """The times of a job, and their time zone."""
    cron, timezone = table.text("cron"), table.text("timezone")
    if cron:
        try:
            Cron(cron, timezone)
        except ValueError as error:
            table.note("cron", str(error), 'such as cron = "30 2 * * 1-5"')
    elif timezone and "cron" not in table.values:
        table.note("timezone", "'timezone' is set, but there is no cron")
    return cron, timezone


def _thresholds(table: _Table) -> tuple[Threshold, ...]:
    read = []
    for number, text in table.texts("fail_if"):
        try:
            read.append(replace(threshold(text, table.place.file), position=number))
        except InputError as error:
            table.note(("fail_if", number), error.what, error.remedy)
    return tuple(read)


def _alert(job: _Table) -> Alert | None:
    value = job.values.get("on_exceeded")
    if value is None:
        return None
    values = {"command": value} if isinstance(value, list) else value
    table = job.part(values if isinstance(values, dict) else {}, ("on_exceeded",), "on_exceeded")
    if not isinstance(values, dict):
        remedy = 'write on_exceeded = ["program", "argument"], or { webhook = "https://..." }: no shell reads it'
        table.note((), "is neither a list nor a table", remedy)
        return None
    table.know(ALERT_KEYS)
    keys = [key for key in ALERT_KEYS[:3] if key in values]
    if len(keys) != 1:
        table.note((), f"needs exactly one of {', '.join(ALERT_KEYS[:3])}", "docs/jobs.md has examples")
    command: tuple[str, ...] = ()
    if "command" in values and not isinstance(values["command"], list):
        table.note("command", "'command' is not a list", 'write command = ["program", "argument"]: no shell reads it')
    elif "command" in values:
        before = len(table.wrong)
        command = tuple(text for _, text in table.texts("command"))
        if len(table.wrong) == before and not (command and command[0].strip()):
            table.note("command", "'command' names no program", 'write command = ["program", "argument"]')
    alert = Alert(command, table.text("webhook"), table.text("webhook_env"), table.duration("timeout") or TIMEOUT_S)
    if alert.webhook_env and not _VARIABLE.fullmatch(alert.webhook_env):
        # The message does not repeat it: it may be the address itself.
        table.note("webhook_env", "'webhook_env' is not the name of a variable", 'such as "AUDIT_WEBHOOK"')
    elif values.get("webhook_env") == "":
        table.note("webhook_env", "'webhook_env' is empty", 'such as "AUDIT_WEBHOOK"')
    if isinstance(values.get("webhook"), str):
        try:
            parts(alert.webhook)
        except InputError as error:
            table.note("webhook", error.what, error.remedy)
    return alert


def _audit(job: _Table) -> Audit | None:
    if "audit" not in job.values:
        return None
    table = _inside(job, "audit", "audit")
    table.know(AUDIT_KEYS)
    sources = {}
    listed = _inside(table, "sources", "audit")
    for name in listed.values:
        pinned = _inside(listed, name, f"audit: source {name}")
        pinned.know(PINNED_KEYS)
        statements = pinned.values.get("statements")
        if "statements" in pinned.values and (not isinstance(statements, int) or isinstance(statements, bool)):
            pinned.note("statements", "'statements' is not a whole number", "write statements = 1000")
        if not pinned.text("import_id"):
            remedy = "'harmgraph source show' has it, and 'job new --from-last' writes it"
            pinned.note("import_id", "has no import_id", remedy)
        sources[name] = PinnedSource(
            importer=pinned.text("importer"),
            import_id=pinned.text("import_id"),
            statements=statements if isinstance(statements, int) else None,
        )
    targets = _inside(table, "targets", "audit")
    measures = _inside(table, "measures", "audit")
    return Audit(
        sources=sources,
        targets={name: targets.text(name) for name in targets.values},
        measures={name: tuple(sorted(by for _, by in measures.texts(name))) for name in measures.values},
        harmgraph=table.text("harmgraph"),
    )


def _inside(table: _Table, key: str, called: str) -> _Table:
    """The table under a key; an empty one where there is none, or something else."""
    value = table.values.get(key, {})
    if not isinstance(value, dict):
        table.note(key, f"{key!r} is not a table", "'harmgraph job new --from-last' writes it (docs/jobs.md)")
    return table.part(value if isinstance(value, dict) else {}, (key,), called)


def _steps(job: _Table, timeout: int | None) -> tuple[JobStep, ...]:
    values = job.values.get("step")
    if isinstance(values, dict):
        job.note("step", "'step' is a single table", "write [[step]] with two brackets before each step")
        return ()
    if not isinstance(values, list) or not values or not all(isinstance(step, dict) for step in values):
        job.note("step", "has no steps", 'add at least one: [[step]] and run = "label vader"')
        return ()
    steps: list[JobStep] = []
    for number, step in enumerate(values):
        taken = {each.name for each in steps}
        steps.append(_step(job.part(step, ("step", number), f"step {number + 1}"), taken, timeout))
    return tuple(steps)


def _step(table: _Table, taken: set[str], timeout: int | None) -> JobStep:
    called = table.place.called
    table.know(STEP_KEYS)
    words = _command_line(table)
    name = table.text("name")
    if name and name in taken:
        table.note("name", f"there is already a step named {name!r}", "give it another name")
    # A step without a name is named after its command, which has one or two words.
    if not name and words:
        name = _free(" ".join(word for word in words[:2] if not word.startswith("-")), taken)
    if name:
        table = table.part(table.values, (), f"{called} ({name})")
    positional = [key for key in POSITIONAL if key in table.values]
    if len(positional) > 1:
        table.note(positional[1], f"{positional[0]!r} and {positional[1]!r} mean the same", "keep one of them")
    options = table.values.get("options", {})
    if not isinstance(options, dict):
        table.note("options", "'options' is not a table", 'such as options = { source = "conceptnet" }')
    own_timeout = table.duration("timeout")
    return JobStep(
        name,
        words,
        tuple(text for _, text in table.texts(positional[0])) if positional else (),
        options if isinstance(options, dict) else {},
        _on_failure(table),
        timeout if own_timeout is None else own_timeout,
        table.place,
    )


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _command_line(table: _Table) -> tuple[str, ...]:
    before = len(table.wrong)
    words: list[str] = []
    if isinstance(table.values.get("run"), list):
        words = [text for _, text in table.texts("run")]
    else:
        try:
            words = shlex.split(table.text("run"))
        except ValueError as error:
            table.note("run", f"'run' cannot be read: {error}", "close the quotation")
    if words[:1] == ["harmgraph"]:
        words = words[1:]
    if not words and len(table.wrong) == before:
        table.note("run", "has no command", 'write run = "label vader"')
    return tuple(words) if len(table.wrong) == before else ()


def _on_failure(table: _Table) -> OnFailure:
    value = table.text("on_failure")
    if value == "continue":
        return "continue"
    if value not in ("", "stop"):
        table.note("on_failure", f"'on_failure' is {value!r}", 'write "stop" or "continue"')
    return "stop"
