"""Runs a study: its commands as a user types them, in a store of their own."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from harmgraph.common.whole_file import write_whole
from tests.papers.paper import Paper, Pick, Study, TopList
from tests.papers.results import Measured, Number
from tests.support.places import ROOT

SECONDS, OF = "seconds", "of.json"
"""Files of a kept study: how long its commands took, and which commands, code and data they are of."""


def measured(paper: Paper, study: Study, data: Path, keep: Path | None = None) -> Measured:
    """What a study gives.

    Args:
        keep: folder in which store, models and answers stay. A study that was stopped goes on there: a training is continued,
            and what a command answered is not asked again.

    Raises:
        FileNotFoundError: a file of the real data is missing.
        RuntimeError: a command failed, its answer lacks a number or has it twice, or what was kept is of other code or data.
    """
    files = {name: _sha256(data / name) for name in study.files}
    begun = time.monotonic()
    changed = bool(_git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)docs/papers"))
    of = {"commit": _git("rev-parse", "HEAD"), "changed": changed, "commands": [*study.commands], "files": files}
    with _home(paper, study, keep) as home:
        before = _begun(Path(home), of)
        made = Path(home) / "made"
        made.mkdir(parents=True, exist_ok=True)
        for name, make in study.made.items():
            content = make(data)
            (made / name).write_bytes(content.encode() if isinstance(content, str) else content)
        try:
            with _stopping_server(data, home):
                for command in study.prepare:
                    _run(command, data, home)
                answers = {name: _answer(command, data, home) for name, command in study.asked.items()}
        finally:
            seconds = before + time.monotonic() - begun
            (Path(home) / SECONDS).write_text(str(seconds), encoding="utf-8")
    return _picked(paper, study, answers, of, seconds)


def read_again(paper: Paper, study: Study, data: Path, keep: Path) -> Measured:
    """What the commands of a kept study answered, by the rows of now. Nothing is run, and the commit is that of the commands.

    Raises:
        FileNotFoundError: a file of the real data, or an answer, is missing.
        RuntimeError: the data is other data, or an answer lacks a number or has it twice.
    """
    home = _folder(paper, study, keep)
    of = json.loads((home / OF).read_text(encoding="utf-8"))
    if of["files"] != {name: _sha256(data / name) for name in study.files}:
        raise RuntimeError(f"{home} is of other data")
    answers = {
        name: json.loads(_kept(command, home).read_text(encoding="utf-8")) for name, command in study.asked.items()
    }
    seconds = float((home / SECONDS).read_text(encoding="utf-8"))
    return _picked(paper, study, answers, of, seconds)


def _picked(
    paper: Paper,
    study: Study,
    answers: dict[str, Any],
    of: Mapping[str, Any],
    seconds: float,
) -> Measured:
    """The numbers and lists of the paper's rows.

    Args:
        of: commit, whether files differed from it, commands and files, as ``Measured`` has them.
    """
    answers |= {name: one.rows(answers) for name, one in study.computed.items()}
    return Measured(
        **{**of, "commands": tuple(of["commands"])},
        seconds=round(seconds, 1),
        numbers={pick.key: _number(pick, answers[pick.asked]) for pick in paper.picks if pick.study == study.name},
        lists={one.key: ranked(one, answers[one.asked]) for one in paper.lists if one.study == study.name},
    )


def _folder(paper: Paper, study: Study, keep: Path) -> Path:
    return keep.resolve() / paper.name / study.name


def _home(paper: Paper, study: Study, keep: Path | None) -> AbstractContextManager[str]:
    return tempfile.TemporaryDirectory() if keep is None else nullcontext(str(_folder(paper, study, keep)))


@contextmanager
def _stopping_server(data: Path, home: str) -> Iterator[None]:
    """Stops the server at the end. If that fails too after another error, the other one is raised, and has a note."""
    try:
        yield
    except BaseException as failed:
        try:
            _run("harmgraph db stop", data, home)
        except RuntimeError as second:
            failed.add_note(str(second))
        raise
    _run("harmgraph db stop", data, home)


def _begun(home: Path, of: Mapping[str, Any]) -> float:
    """How many seconds a study took before it was stopped, 0 if it begins now.

    Raises:
        RuntimeError: it was begun with other code or data.
    """
    home.mkdir(parents=True, exist_ok=True)
    known = home / OF
    if known.exists() and json.loads(known.read_text(encoding="utf-8")) != of:
        raise RuntimeError(f"{home} is of other code or data: remove it, or name another folder")
    write_whole(known, json.dumps(of).encode())
    seconds = home / SECONDS
    return float(seconds.read_text(encoding="utf-8")) if seconds.exists() else 0.0


def _answer(command: str, data: Path, home: str) -> Any:
    """The answer to a command, which stays in the home."""
    kept = _kept(command, Path(home))
    if not kept.exists():
        said = _run(command, data, home)
        kept.parent.mkdir(exist_ok=True)
        write_whole(kept, said.encode())
    return json.loads(kept.read_text(encoding="utf-8"))


def _kept(command: str, home: Path) -> Path:
    return home / "answers" / f"{hashlib.sha256(command.encode()).hexdigest()}.json"


def _run(command: str, data: Path, home: str) -> str:
    words = [word.replace("MADE/", f"{home}/made/") for word in shlex.split(command)]
    if words[0] != "harmgraph":
        raise RuntimeError(f"not a command of harmgraph: {command}")
    environment = {**os.environ, "HARMGRAPH_HOME": str(Path(home) / "home"), "PYTHONPATH": str(ROOT)}
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        environment.pop(name, None)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("harmgraph")), *words[1:]],
        cwd=data,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr.strip()}")
    return done.stdout


def _number(pick: Pick, answer: Any) -> Number:
    rows = [row for row in _rows(answer) if all(str(row.get(name)) == value for name, value in pick.where.items())]
    rows = [row for row in rows if row.get(pick.column) is not None or (pick.absent and pick.column in row)]
    if len(rows) != 1:
        raise RuntimeError(f"{pick.key}: {len(rows)} rows have this number")
    (row,) = rows
    value = row[pick.column]
    ends = [row.get(f"{pick.column}_{end}", row.get(end)) for end in ("low", "high")]
    low, high = (None if end is None or math.isnan(end) else float(end) * pick.scale for end in ends)
    count = row.get(pick.n) if pick.n else None
    return Number(
        value=None if value is None else float(value) * pick.scale,
        low=low,
        high=high,
        n=None if count is None else int(count),
    )


def ranked(one: TopList, answer: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first or the last rows, as many as the list shows; at most half of all, so that no row is in both lists."""
    rows = answer[::-1] if one.last else answer
    kept = ("name", "score", "count_a", "count_b", "residual")
    names = [name for kind in kept for name in (kind, f"{kind}_low", f"{kind}_high")]
    return [{name: row[name] for name in names if name in row} for row in rows[: min(one.size, len(rows) // 2)]]


def _rows(answer: Any) -> list[dict[str, Any]]:
    """The rows of an answer; those within one are rows of their own, with what stands around them as ``of.NAME``."""
    if isinstance(answer, list):
        return [row for one in answer for row in _rows(one)]
    inner = {name: value for name, value in answer.items() if isinstance(value, list | dict)}
    flat = {name: value for name, value in answer.items() if name not in inner}
    found = [flat] if flat else []
    for name, value in inner.items():
        if isinstance(value, dict) or (value and all(isinstance(one, dict) for one in value)):
            around = {f"of.{column}": given for column, given in flat.items()}
            found += [{"part": name, **around, **row} for row in _rows(value)]
    return found


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
