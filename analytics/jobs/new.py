"""``job new --from-last``: the file of an audit, from the last run of a job and what the store is now."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.jobs.audit import standing
from harmgraph.analytics.jobs.check import check, pinned_options
from harmgraph.analytics.jobs.file import LONGEST_NAME
from harmgraph.analytics.jobs.pinned import Audit
from harmgraph.analytics.statistics.number_id import read_parameters
from harmgraph.analytics.statistics.saved_number import difference
from harmgraph.common.errors import InputError, NotFound, raise_all
from harmgraph.common.user_file import short_digest
from harmgraph.common.whole_file import is_stream, written
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.analytics.jobs.check import StepCommand
    from harmgraph.analytics.jobs.file import Job


ENDING = "-audit"
"""Follows the job's name, so that an audit has a history of its own."""


@dataclass(frozen=True, slots=True)
class NewAudit:
    """A written audit.

    Attributes:
        run: id of the run that it was made from.
        steps: how many steps it has.
        audit: what it expects of the store.
        differs: how the store differs from that of the run, and where its steps would run elsewhere, a line each.
    """

    run: str
    steps: int
    audit: Audit
    differs: tuple[str, ...]


def from_last(graph: Graph, root: click.Command, name: str | None, out: Path) -> NewAudit:
    """Writes the file of an audit from the last run of a job that ended well and kept numbers.

    The steps are those of the job's file, with every option of a statistic, as its defaults were. Times and ``on_exceeded`` are
    left out: they belong to a machine.

    Args:
        root: the ``harmgraph`` command.
        name: of the job; None for the last of all.

    Raises:
        NotFound: no such run.
        InputError: the job's file is gone or has changed, or is the file to write.
        NoSpace: the file cannot be written.
    """
    rows = graph.rows("job/last", job=name)
    if not rows:
        known = [row["job"] for row in graph.rows("job/names")]
        remedy = "'harmgraph job run FILE' makes one"
        if name is None:
            raise InputError("no run of a job has ended well and kept numbers", remedy=remedy)
        raise NotFound("finished run with numbers of a job", name, known, remedy=remedy)
    last = rows[0]
    job, commands = _unchanged(root, last["job"], read_parameters(last["parameters"]))
    if out.exists() and out.samefile(job.path):
        raise InputError("is the job's own file", where=str(out), remedy="choose another name with --out")
    lists, sources = last["lists"], last["sources"]
    audit = standing(graph, [_name(one) for one in sources], [_name(one) for one in lists], last["measures"])
    of_sources = {row["list"] for row in graph.rows("explore/target_lists") if row["of"]}
    named = () if of_sources & {_name(one) for one in lists} else tuple(sorted(audit.targets))
    with written(out) as file:
        file.write(_toml(root, job, commands, audit, job.targets or named, last["run"]))
    now = {
        "sources": [f"{one}@{source.import_id}" for one, source in audit.sources.items()],
        "target lists": [f"{one}@{digest}" for one, digest in audit.targets.items()],
    }
    differs = [
        f"{called} differ from those of that run: {said}; the file has those of now"
        for called, before in (("sources", sources), ("target lists", lists))
        if (said := difference(sorted(before), sorted(now[called])))
    ]
    elsewhere = not is_stream(out) and out.absolute().parent.resolve() != job.folder.resolve()
    if elsewhere:
        differs.append(f"{out} is not in {job.folder}: relative paths of its steps start from its own folder")
    return NewAudit(last["run"], len(commands), audit, tuple(differs))


def _name(one: str) -> str:
    return one.rpartition("@")[0]


def _unchanged(root: click.Command, name: str, kept: Mapping[str, Any]) -> tuple[Job, tuple[StepCommand, ...]]:
    """The job of a run, from its file.

    Raises:
        InputError: the file is gone or has changed since.
    """
    path = Path(str(kept.get("file") or ""))
    remedy = f"'harmgraph job run FILE' once, with the file of {name} as it is now"
    if not path.is_file():
        raise InputError("the file of that run is not there", where=str(path), remedy=remedy)
    if short_digest(path) != kept.get("sha256"):
        raise InputError("the file has changed since that run", where=str(path), remedy=remedy)
    found = check(root, path)
    raise_all(found.wrong)
    return found.job, tuple(command for command in found.commands if command)


def _toml(
    root: click.Command,
    job: Job,
    commands: Sequence[StepCommand],
    audit: Audit,
    targets: Sequence[str],
    run: str,
) -> str:
    values: dict[str, Any] = {
        "name": f"{job.name[: LONGEST_NAME - len(ENDING)]}{ENDING}",
        "description": job.description,
        "source": job.source,
        "targets": list(targets),
        "max_unlabelled": job.max_unlabelled,
        "fail_if": [threshold.text for threshold in job.fail_if],
    }
    lines = [
        f"# An audit, made from run {run} of the job {job.name}: 'harmgraph job run' compares the store with [audit]"
    ]
    lines += [f"{key} = {_value(value)}" for key, value in values.items() if value]
    for command in commands:
        lines += ["", "[[step]]", *(f"{key} = {_value(value)}" for key, value in _step(root, command).items())]
    lines += ["", "[audit]", f"harmgraph = {_value(audit.harmgraph)}"]
    for source, pinned in audit.sources.items():
        lines += ["", f"[audit.sources.{_key(source)}]"]
        lines += [f"importer = {_value(pinned.importer)}"] if pinned.importer else []
        lines += [f"import_id = {_value(pinned.import_id)}"]
        lines += [] if pinned.statements is None else [f"statements = {pinned.statements}"]
    lines += ["", "[audit.targets]", *(f"{_key(one)} = {_value(digest)}" for one, digest in audit.targets.items())]
    lines += ["", "[audit.measures]", *(f"{_key(one)} = {_value(list(by))}" for one, by in audit.measures.items())]
    return "".join(f"{line}\n" for line in lines)


def _step(root: click.Command, command: StepCommand) -> dict[str, Any]:
    step = command.step
    given = {name.removeprefix("--").replace("-", "_"): value for name, value in step.options.items()}
    options = given | (pinned_options(root, command) if command.saves else {})
    values: dict[str, Any] = {
        "run": shlex.join(step.words),
        "name": step.name,
        "args": list(step.args),
        "options": options,
        "on_failure": "" if step.on_failure == "stop" else step.on_failure,
    }
    if step.timeout_s:
        values["timeout"] = step.timeout_s
    return {key: value for key, value in values.items() if value}


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _value(name)


def _value(value: Any) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    # The escapes of JSON are escapes of TOML too, except that TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
