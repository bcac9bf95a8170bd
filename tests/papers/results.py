"""The measured numbers of a paper, as they are kept: what each of them was computed from stands beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.papers.paper import Paper
from tests.support.places import DOCS


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A measured number, its 95 % interval where there is one, and the count that it rests on.

    Attributes:
        value: None where the answer has none, and its pick says why.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a study gave.

    Attributes:
        commit: of the code. changed: whether files differed from it.
        commands: those of the study when it was measured.
        files: the SHA-256 of each file that was read. seconds: how long it took.
        numbers: by the key of their pick. lists: the rows of ranked lists, by their key.
    """

    commit: str
    changed: bool
    commands: tuple[str, ...]
    files: dict[str, str]
    seconds: float
    numbers: dict[str, Number]
    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


def path_of(paper: Paper) -> Path:
    """Where a paper's results are kept."""
    return DOCS / "papers" / "results" / f"{paper.name}.json"


def read(paper: Paper) -> dict[str, Measured]:
    """The results by study; none where nothing was measured yet."""
    path = path_of(paper)
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {
        name: Measured(
            **{
                **one,
                "commands": tuple(one["commands"]),
                "numbers": {key: Number(**number) for key, number in one["numbers"].items()},
            }
        )
        for name, one in kept.items()
    }


def keep(paper: Paper, results: dict[str, Measured]) -> None:
    """Writes the results, in the paper's order."""
    order = [study.name for study in paper.studies if study.name in results]
    path = path_of(paper)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({name: asdict(results[name]) for name in order}, indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
