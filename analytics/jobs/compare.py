"""Two runs side by side, number by number: of this graph, or of another machine from a file. Numbers pair by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from harmgraph.analytics.statistics.saved_number import Change, Number, difference
from harmgraph.common.errors import InputError, NotFound, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import csv_rows, read_text
from harmgraph.graph.connection import Graph

LEAST_DIGITS = 6
"""Fewest digits of a run's id that name it."""
RENAMED = {"now": "value", "now_low": "low", "now_high": "high"}
"""Names that ``job run --output`` has for columns of ``job numbers --output``."""
NEEDED = ("number_id", "metric", "category", "value")
_LISTS = ("lists", "sources", "scorers")
_NUMBERS = {"value": float, "low": float, "high": float, "n": int, "unlabelled": int}
Side = Literal["before", "after"]
REMEDY = "write it with 'harmgraph job numbers RUN --output json', or 'job run --output json'"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run to compare.

    Attributes:
        called: what the user calls it: the beginning of its id, or the file.
    """

    called: str
    numbers: tuple[Number, ...]

    @property
    def keeps_scorers(self) -> bool:
        """Whether it says who labelled; runs of an earlier harmgraph do not."""
        return all(number.scorers is not None for number in self.numbers if number.measure)

    def basis(self, name: str) -> tuple[str, ...]:
        """All ``lists``, ``sources`` or ``scorers`` of its numbers, sorted."""
        return tuple(sorted({one for number in self.numbers for one in getattr(number, name) or ()}))


@dataclass(frozen=True, slots=True)
class ComparedNumbers:
    """Two runs side by side.

    Attributes:
        pairs: numbers of both, in the order of the first.
        gone: numbers of the first run alone.
        new: numbers of the second run alone.
        differs: what the numbers stand on that differs between the runs, a line each.
        without_scorers: whether the numbers were paired without their scorers, as the runs did not both keep them.
    """

    pairs: tuple[Change, ...]
    gone: tuple[Number, ...]
    new: tuple[Number, ...]
    differs: tuple[str, ...]
    without_scorers: bool


def pair_row(pair: Change) -> dict[str, Any]:
    """A line of two runs."""
    return _row(pair.now, pair.before, pair.now, pair)


def single_row(number: Number, side: Side) -> dict[str, Any]:
    """A line that only one run has."""
    return _row(number, number if side == "before" else None, number if side == "after" else None, None)


def _row(named: Number, before: Number | None, after: Number | None, pair: Change | None) -> dict[str, Any]:
    interval = pair.interval if pair else None
    sides = (("before", before), ("after", after))
    return {
        "number_id": named.number_id,
        "metric": named.metric,
        "target": named.target,
        "category": named.category,
        "source": named.source,
        "measure": named.measure,
        **{side: number.value if number else None for side, number in sides},
        "difference": pair.amount if pair else None,
        "difference_low": interval[0] if interval else None,
        "difference_high": interval[1] if interval else None,
        **{
            f"{side}_{name}": getattr(number, name) if number else None
            for side, number in sides
            for name in ("low", "high", "n")
        },
        "only": None if pair else "before" if before else "after",
    }


def compare(before: ComparedRun, after: ComparedRun) -> ComparedNumbers:
    """Pairs the numbers of two runs by their ids; of one step where several steps measured the same."""
    whole = before.keeps_scorers and after.keeps_scorers
    identity: Callable[[Number], str] = (
        (lambda number: number.number_id) if whole else (lambda number: number.computed_id(scorers=False))
    )
    left: dict[str, list[Number]] = {}
    for number in after.numbers:
        left.setdefault(identity(number), []).append(number)
    pairs, gone = [], []
    for number in before.numbers:
        others = left.get(identity(number), [])
        other = next((each for each in others if each.step == number.step), others[0] if others else None)
        if other is None:
            gone.append(number)
            continue
        others.remove(other)
        pairs.append(Change(other, number))
    new = [number for others in left.values() for number in others]
    named = (("lists", "target lists"), ("sources", "imports of sources"), ("scorers", "scorers"))
    differs = [
        f"{called} differ: {said}"
        for name, called in named
        if name != "scorers" or whole
        if (said := _differs(name, before.basis(name), after.basis(name)))
    ]
    differs += _other_options(before.numbers, after.numbers)
    return ComparedNumbers(tuple(pairs), tuple(gone), tuple(new), tuple(differs), not whole)


def _other_options(before: Sequence[Number], after: Sequence[Number]) -> list[str]:
    """The metrics of both runs whose options differ, by statistic."""
    sides: list[dict[str, set[str]]] = []
    for numbers in (before, after):
        said: dict[str, set[str]] = {}
        for number in numbers:
            options = ", ".join(f"{name}={value}" for name, value in sorted(number.options.items()))
            said.setdefault(number.metric.partition(".")[0], set()).add(options or "the defaults")
        sides.append(said)
    was, are = sides
    return [
        f"options of {name} differ: {' and '.join(sorted(was[name]))}; {' and '.join(sorted(are[name]))}"
        for name in was
        if name in are and was[name] != are[name]
    ]


def _differs(name: str, before: Sequence[str], after: Sequence[str]) -> str:
    if name != "scorers":
        return difference(before, after)
    parts = (("new", set(after) - set(before)), ("gone", set(before) - set(after)))
    return "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in parts if names)


def standing_run(graph: Graph, text: str) -> ComparedRun:
    """A run of the graph.

    Args:
        text: the beginning of its id, or the name of a job for its last run.

    Raises:
        NotFound: there is no such run.
        InputError: several ids begin like this, or the run kept no number.
    """
    rows = graph.rows("job/find", text=text)
    found = [row for row in rows if row["run"].startswith(text)] if len(text) >= LEAST_DIGITS else []
    if len(found) > 1:
        ids = ", ".join(row["run"][: len(text) + LEAST_DIGITS] for row in found)
        raise InputError(f"several runs begin with {text!r}", remedy=f"give more digits: {ids}")
    found = found or [row for row in rows if row["job"] == text]
    if not found:
        known = [row["job"] for row in graph.rows("job/names")]
        remedy = "'harmgraph job history' shows the runs; a run of another machine is a file"
        raise NotFound("run or job, and no file", text, known, remedy=remedy)
    run = found[0]["run"]
    numbers = tuple(Number.from_row(row) for row in graph.rows("job/numbers", run=run))
    if not numbers:
        raise InputError(f"run {run[:8]} kept no number", remedy="'harmgraph job history' shows how many each run has")
    return ComparedRun(run[:8], numbers)


def run_of_file(path: Path) -> ComparedRun:
    """A run in a file, as ``job numbers`` or ``job run`` print it as JSON or CSV.

    Raises:
        UnreadableFile: it cannot be read, or is no such file.
    """
    text = read_text(path)
    rows = _json_rows(path, text) if text.lstrip().startswith(("[", "{")) else list(_csv_rows(path))
    numbers = tuple(_number(path, place, row) for place, row in enumerate(rows, 1))
    if not numbers:
        raise UnreadableFile(path, "has no numbers", remedy=REMEDY)
    return ComparedRun(path.name, numbers)


def _csv_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    table = csv_rows(path)
    header = next(table, None)
    return (dict(zip(header.cells, row.cells, strict=False)) for row in table) if header else iter(())


def _json_rows(path: Path, text: str) -> list[Mapping[str, Any]]:
    try:
        read = from_json(text)
    except ValueError as error:
        raise UnreadableFile(path, f"is not JSON ({str(error)[:60]})", remedy=REMEDY) from error
    rows = read.get("changes") if isinstance(read, dict) else read
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnreadableFile(path, "has no numbers of a run", remedy=REMEDY)
    return rows


def _number(path: Path, place: int, row: Mapping[str, Any]) -> Number:
    """A number of a file; texts of CSV become what they were."""
    given = {RENAMED.get(name, name): value for name, value in row.items() if name is not None}
    missing = [name for name in NEEDED if name not in given]
    if missing:
        raise UnreadableFile(path, f"is not the numbers of a run: row {place} has no {missing[0]}", remedy=REMEDY)
    try:
        return Number(**{each.name: _value(each.name, given.get(each.name)) for each in fields(Number)})
    except (ValueError, TypeError, OverflowError) as error:
        raise UnreadableFile(path, f"number {place} cannot be read ({error})", remedy=REMEDY) from error


def _value(name: str, value: Any) -> Any:
    if name == "options":
        read = from_json(value) if isinstance(value, str) and value else value
        return read if isinstance(read, dict) else {}
    if name in _LISTS:
        read = from_json(value) if isinstance(value, str) and value else value
        return None if read in (None, "") else tuple(map(str, read))
    if name in _NUMBERS:
        return None if value in (None, "") else _NUMBERS[name](float(value))
    if name in ("source", "measure", "target"):
        return str(value) if value not in (None, "") else None
    return str(value or "")


def number_rows(numbers: Iterable[Number]) -> list[dict[str, Any]]:
    """The numbers of a run as rows that ``run_of_file`` reads."""
    order = ("number_id", "metric", "target", "category", "source", "measure", "value", "low", "high", "n")
    others = ("unlabelled", "step", *_LISTS, "options")
    return [
        {
            name: list(value) if isinstance(value := getattr(number, name), tuple) else value
            for name in (*order, *others)
        }
        for number in numbers
    ]
