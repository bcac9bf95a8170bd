"""What a check found in the files of a repository. SARIF, annotations and summaries are written from the same results."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

CodeLevel = Literal["error", "warning", "note"]
CodeState = Literal["", "new", "updated", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePlace:
    """A line of a file.

    Attributes:
        file: path from the root of the repository with ``/``; absolute if the file is not in it.
        line: from 1.
    """

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRule:
    """What kind of thing was found.

    Attributes:
        id: such as ``sentiment/negative``.
        title: in a few words.
        text: what it means, in one or more sentences.
    """

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeResult:
    """One thing that was found.

    Attributes:
        rule: what kind it is.
        id: the same in every run that finds it; it does not depend on the line.
        message: one clean line.
        state: compared with what was known before; empty if nothing is known.
        places: all lines in which it stands, the first is the chief one; empty if that is unknown.
        properties: more facts in plain values.
    """

    rule: CodeRule
    id: str
    message: str
    level: CodeLevel
    state: CodeState = ""
    places: tuple[CodePlace, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_worth_telling(self) -> bool:
        """Whether it was not known before as it is."""
        return self.state != "unchanged"


def repository_path(path: Path) -> str:
    """The path of a file from the root of its repository, with ``/``.

    The root is ``$GITHUB_WORKSPACE`` if the file is in it, or else the nearest folder above that has a ``.git``, or else the
    working folder. A file outside of it keeps its absolute path.
    """
    whole = path.resolve()
    roots = [Path(given).resolve()] if (given := os.environ.get("GITHUB_WORKSPACE")) else []
    roots += [folder for folder in whole.parents if (folder / ".git").exists()][:1]
    for root in (*roots, Path.cwd().resolve()):
        if whole.is_relative_to(root):
            return whole.relative_to(root).as_posix()
    return whole.as_posix()
