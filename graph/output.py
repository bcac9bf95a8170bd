"""How a command shows rows: a table that fits the terminal, JSON or CSV."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.errors import CONTROL

FORMATS = ("table", "json", "csv")


def show(
    rows: Sequence[Mapping[str, Any]],
    output: str,
    *,
    columns: Sequence[str] = (),
    title: str = "",
    digits: Mapping[str, int] | None = None,
) -> None:
    """Prints rows to stdout.

    Args:
        output: ``table``, ``json`` (an array of objects) or ``csv``.
        columns: their order, and the header where there are no rows; the first row's keys by default.
        digits: of the fractions of some columns in a table, where the usual two are too few.
    """
    names = list(columns) or (list(rows[0]) if rows else [])
    if output == "json":
        print(
            json.dumps([plain(dict(row)) for row in rows], indent=2, ensure_ascii=False, default=str, allow_nan=False)
        )
    elif output == "csv":
        _csv(rows, names)
    else:
        _table(rows, names, title, digits or {})


def show_one(row: Mapping[str, Any], output: str, *, title: str = "", digits: Mapping[str, int] | None = None) -> None:
    """Prints one object: name and value a line, a JSON object, or a CSV of one row; ``digits`` as in ``show``."""
    if output == "json":
        print(json.dumps(plain(dict(row)), indent=2, ensure_ascii=False, default=str, allow_nan=False))
    elif output == "csv":
        _csv([row], list(row))
    else:
        told = digits or {}
        lines = [{"": name, " ": _cell(value, told[name]) if name in told else value} for name, value in row.items()]
        _table(lines, ["", " "], title, {})


def plain(value: Any) -> Any:
    """The value without what JSON cannot say: not-a-number and infinity become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def _csv(rows: Sequence[Mapping[str, Any]], names: list[str]) -> None:
    import csv

    writer = csv.writer(sys.stdout)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_flat(row.get(name)) for name in names])


def _flat(value: Any) -> Any:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else value


def _table(rows: Sequence[Mapping[str, Any]], names: list[str], title: str, digits: Mapping[str, int]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not rows:
        console.print(f"{title.translate(CONTROL)}: nothing" if title else "nothing", markup=False)
        return
    columns, left_out = _fitting(_columns(rows, names, digits), console.width)
    if title:
        console.print(Text(title.translate(CONTROL), style="bold"), soft_wrap=True)
    table = Table(
        box=SIMPLE_HEAD,
        show_header=any(name.strip() for name in names),
        pad_edge=False,
    )
    for column, width in zip(columns, _widths(columns, console.width), strict=True):
        table.add_column(
            Text(column.header), justify="right" if column.numeric else "left", overflow="fold", width=width
        )
    for cells in zip(*[column.cells for column in columns], strict=True):
        table.add_row(*[Text(cell) for cell in cells])
    console.print(table)
    if left_out:
        print(f"too narrow for: {', '.join(left_out)} (--output csv has all columns)", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as text; ``width`` is the narrowest that reads well."""

    name: str
    header: str
    numeric: bool
    cells: tuple[str, ...]
    width: int


WORD = 16  # longer words of text are folded
GAP = 3


def _columns(rows: Sequence[Mapping[str, Any]], names: list[str], digits: Mapping[str, int]) -> list[_Column]:
    """The columns of a table: an interval stands under its number, and what is zero throughout is left out."""
    bounds = {f"{name}_{end}" for name in names for end in ("low", "high") if _has_interval(name, names)}
    found = []
    for name in names:
        empty = len(rows) > 1 and all(row.get(name) in (None, "", []) for row in rows)
        if name in bounds or empty or (name == "unlabelled" and not any(row[name] for row in rows)):
            continue
        numeric = all(_is_number(row.get(name)) for row in rows)
        cells = tuple(_cell(row.get(name), digits.get(name)) + _interval(row, name, digits.get(name)) for row in rows)
        found.append(_column(name, numeric, cells))
    return found


def _column(name: str, numeric: bool, cells: tuple[str, ...]) -> _Column:
    header = name.replace("_", " ")
    words = [
        word for text in (header, *cells) for word in (text.split("\n") if numeric and text != header else text.split())
    ]
    longest = max(map(len, words), default=1)
    return _Column(name, header, numeric, cells, longest if numeric else min(longest, WORD))


def _fitting(columns: list[_Column], width: int) -> tuple[list[_Column], list[str]]:
    """The columns that fit side by side, and what had to be left out: intervals first, then columns from the right."""
    left_out = []
    if _needed(columns) > width and any("\n" in cell for column in columns for cell in column.cells):
        columns = [
            _column(column.name, column.numeric, tuple(cell.split("\n")[0] for cell in column.cells))
            if column.numeric
            else column
            for column in columns
        ]
        left_out.append("intervals")
    kept = list(columns)
    while len(kept) > 1 and _needed(kept) > width:
        left_out.append(kept.pop().name)
    return kept, left_out


def _needed(columns: list[_Column]) -> int:
    return sum(column.width + GAP for column in columns) + 1


def _widths(columns: list[_Column], width: int) -> list[int]:
    """The narrowest widths, and what is left of the line for the columns whose lines are longer, the shortest first."""
    widths = [column.width for column in columns]
    left = width - _needed(columns)
    longest = [
        max(map(len, (line for cell in column.cells for line in cell.split("\n"))), default=0) for column in columns
    ]
    wanting = sorted((wish, at) for at, wish in enumerate(longest) if wish > widths[at])
    for done, (wish, at) in enumerate(wanting):
        more = min(wish - widths[at], max(left, 0) // (len(wanting) - done))
        widths[at] += more
        left -= more
    return widths


def _has_interval(name: str, names: list[str]) -> bool:
    return f"{name}_low" in names and f"{name}_high" in names


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _interval(row: Mapping[str, Any], name: str, digits: int | None) -> str:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return f"\n{_cell(low, digits)}–{_cell(high, digits)}" if low is not None and high is not None else ""


def _cell(value: Any, digits: int | None = None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if digits is None:
            digits = 0 if abs(value) >= 10_000 else 1 if abs(value) >= 100 else 2
        return f"{value:,.{digits}f}"
    if isinstance(value, list | tuple):
        return ", ".join(_cell(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    return str(value).translate(CONTROL)
