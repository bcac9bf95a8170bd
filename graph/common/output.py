"""Prints rows as a table that fits the terminal, as JSON or as CSV."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from harmgraph.graph.common.clean_text import clean
from harmgraph.graph.common.terminal import bold, data_stream
from harmgraph.graph.common.terminal import console as new_console

if TYPE_CHECKING:
    from rich.console import Console

M = TypeVar("M")
OTHERS = "others"  # heading of rows without a group
NARROWEST = 20  # least room for the text beside a name


def show(
    rows: Sequence[Mapping[str, Any]],
    output: str,
    *,
    columns: Sequence[str] = (),
    title: str = "",
    digits: Mapping[str, int] | None = None,
    keys: Sequence[str] = (),
    first: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
) -> None:
    """Prints rows to stdout.

    A table that is wider than the terminal is split into several tables below one another. Each repeats the keys, and the
    columns of ``first`` come first. If even that is too wide, each row is printed as a record, one line per column. No column
    is left out because of its width.

    Args:
        output: ``table``, ``json`` (an array of objects) or ``csv``.
        columns: the order of the columns, also printed if there are no rows; the first row's keys by default.
        digits: decimal places of some columns in a table, if the usual two are too few.
        keys: columns that identify a row; the first column by default.
        first: the columns that a split table shows first, after the keys.
        headings: headings of a table's columns, where they differ from the column names.
    """
    names = list(columns) or (list(rows[0]) if rows else [])
    if output == "json":
        print(
            json.dumps(
                [without_nan(dict(row)) for row in rows], indent=2, ensure_ascii=False, default=str, allow_nan=False
            )
        )
    elif output == "csv":
        _csv(rows, names)
    else:
        _table(rows, names, title, digits=digits or {}, keys=keys, first=first, headings=headings)


def show_list(
    rows: Sequence[Mapping[str, Any]],
    output: str,
    *,
    line: tuple[str, str],
    group: str = "",
    order: Sequence[str] = (),
    then: str = "",
) -> None:
    """Prints what there is to choose from: as a table one line for each row, under the heading of its group.

    Args:
        output: as in ``show``; JSON and CSV have all columns, and the rows in their own order.
        line: the two columns of a line: the name, and what it is. A line that is too long goes on under its second column.
        group: the column that names a row's group; rows without a group are ``others``, at the end. If empty, there is one
            group, and the name of the second column is its heading.
        order: the groups that come first; the remaining ones follow by name.
        then: a column that follows in a list of its own, such as whom to cite.
    """
    if output != "table":
        show(rows, output)
        return
    from rich.text import Text

    console = new_console()
    name, what = line
    width = max((len(_cell(row[name])) for row in rows), default=0)
    sections = [
        (title if group else what, what, members)
        for title, members in in_groups(rows, lambda row: row[group] if group else "", order)
    ]
    for title, column, members in [*sections, *([(then, then, rows)] if then else [])]:
        console.print(Text(_cell(title), style="bold"), soft_wrap=True)
        for row in members:
            start = f"  {_cell(row[name]):{width}}  "
            room = max(console.width - len(start), NARROWEST)
            lines = textwrap.wrap(_cell(row[column]), room, break_long_words=False) or [""]
            for at, part in enumerate(lines):
                console.print(Text((start if at == 0 else " " * len(start)) + part), soft_wrap=True)


def in_groups(members: Iterable[M], group: Callable[[M], str], order: Sequence[str] = ()) -> list[tuple[str, list[M]]]:
    """The members by their groups: first the groups of ``order``, then the remaining ones by name, then ``others``."""
    groups: dict[str, list[M]] = {}
    for member in members:
        groups.setdefault(group(member) or OTHERS, []).append(member)
    places = {listed: place for place, listed in enumerate(order)}
    return sorted(groups.items(), key=lambda item: (item[0] == OTHERS, places.get(item[0], len(places)), item[0]))


def show_one(row: Mapping[str, Any], output: str, *, title: str = "", digits: Mapping[str, int] | None = None) -> None:
    """Prints one object: a line for each name and value, a JSON object, or a CSV of one row; ``digits`` as in ``show``."""
    if output == "json":
        print(json.dumps(without_nan(dict(row)), indent=2, ensure_ascii=False, default=str, allow_nan=False))
    elif output == "csv":
        _csv([row], list(row))
    else:
        decimals = digits or {}
        lines = [
            {"": name, " ": _cell(value, decimals[name]) if name in decimals else value} for name, value in row.items()
        ]
        _table(lines, ["", " "], title, digits={})


def without_nan(value: Any) -> Any:
    """The value with NaN and infinity replaced by None, since JSON cannot express them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): without_nan(item) for key, item in value.items()}
    return [without_nan(item) for item in value] if isinstance(value, list | tuple) else value


def _csv(rows: Sequence[Mapping[str, Any]], names: list[str]) -> None:
    import csv

    writer = csv.writer(data_stream())
    writer.writerow(names)
    for row in rows:
        writer.writerow([_flat(row.get(name)) for name in names])


def _flat(value: Any) -> Any:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else value


def _table(
    rows: Sequence[Mapping[str, Any]],
    names: list[str],
    title: str,
    *,
    digits: Mapping[str, int],
    keys: Sequence[str] = (),
    first: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
) -> None:
    from rich.text import Text

    console = new_console()
    if not rows:
        console.print(f"{clean(title)}: nothing" if title else "nothing", markup=False)
        return
    if title:
        bold(title)
    columns = _columns(rows, names, digits, headings or {})
    if _fit(columns, console.width, WORDS[:1]) is None and len(rows) > 1:
        columns, alike = _apart(columns)
        if alike:
            console.print(Text(f"in every row: {'; '.join(alike)}"), soft_wrap=True)
    blocks = _blocks(columns, console.width, keys, first)
    if blocks:
        for block in blocks:
            _print_block(console, block)
    else:
        _print_records(console, columns)


def _print_block(console: Console, columns: Sequence[_Column]) -> None:
    """Prints one table, which must fit the terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    gap, word = _fit(columns, console.width) or (GAPS[-1], WORDS[-1])
    table = Table(
        box=SIMPLE_HEAD,
        show_header=any(column.header.strip() for column in columns),
        pad_edge=False,
        padding=((0, 1), (0, 1, 0, 0), 0)[GAPS.index(gap)],
    )
    for column, width in zip(columns, _widths(columns, console.width, gap, word), strict=True):
        table.add_column(
            Text(column.header), justify="right" if column.numeric else "left", overflow="fold", width=width
        )
    for cells in zip(*[column.cells for column in columns], strict=True):
        table.add_row(*[Text(cell) for cell in cells])
    console.print(table)


def _print_records(console: Console, columns: Sequence[_Column]) -> None:
    """Prints each row as a record, one line per column; used if the keys leave no room for other columns."""
    from rich.text import Text

    for cells in zip(*[column.cells for column in columns], strict=True):
        console.print()
        for column, cell in zip(columns, cells, strict=True):
            if cell:
                text = cell.replace("\n", "  ")
                console.print(Text(f"{column.header}: {text}", overflow="fold"))
    console.print()


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as text.

    Attributes:
        number: width of its longest line if it holds numbers, which are never wrapped; else 0.
        word: length of its longest word, including the header's.
    """

    name: str
    header: str
    numeric: bool
    cells: tuple[str, ...]
    number: int
    word: int

    def narrowest(self, word: int) -> int:
        """The narrowest width at which only words longer than ``word`` are broken."""
        return max(self.number, min(self.word, word), 1)


WORDS = (32, 16)  # words longer than this are broken; the second limit is tried if the first does not fit
GAPS = (3, 2, 1)  # spaces between two columns, tried in this order
KEY = 24  # a key of at most this many characters stays on one line when a table is split
SAID_ONCE = 40  # longest value that is printed once if it is the same in every row


def _columns(
    rows: Sequence[Mapping[str, Any]], names: list[str], digits: Mapping[str, int], headings: Mapping[str, str]
) -> list[_Column]:
    """The columns of a table: an interval is shown under its number; empty columns, and ``unlabelled`` if all 0, are left out."""
    bounds = {f"{name}_{end}" for name in names for end in ("low", "high") if _has_interval(name, names)}
    columns = []
    for name in names:
        empty = len(rows) > 1 and all(row.get(name) in (None, "", []) for row in rows)
        if name in bounds or empty or (name == "unlabelled" and not any(row[name] for row in rows)):
            continue
        numeric = all(_is_number(row.get(name)) for row in rows)
        cells = tuple(_cell(row.get(name), digits.get(name)) + _interval(row, name, digits.get(name)) for row in rows)
        columns.append(_column(name, headings.get(name, name.replace("_", " ")), numeric, cells))
    return columns


def _column(name: str, header: str, numeric: bool, cells: tuple[str, ...]) -> _Column:
    texts = (header, *(() if numeric else cells))
    lines = [line for cell in cells for line in cell.split("\n")] if numeric else []
    return _Column(
        name,
        clean(header),
        numeric,
        cells,
        max(map(len, lines), default=0),
        max((len(word) for text in texts for word in text.split()), default=0),
    )


def _fit(columns: Sequence[_Column], width: int, words: Sequence[int] = WORDS) -> tuple[int, int] | None:
    """The gap and the limit of word length with which the columns fit side by side; None if they do not."""
    for word in words:
        taken = sum(column.narrowest(word) for column in columns) + 1
        for gap in GAPS:
            if taken + gap * len(columns) <= width:
                return gap, word
    return None


def _apart(columns: list[_Column]) -> tuple[list[_Column], list[str]]:
    """The columns that differ between rows, and the values that are the same in every row, as text."""
    alike = [
        column
        for column in columns
        if not column.numeric and len(set(column.cells)) == 1 and len(column.cells[0]) <= SAID_ONCE
    ]
    if len(alike) == len(columns):
        alike = alike[1:]
    rest = [column for column in columns if column not in alike]
    return rest, [f"{column.header} {column.cells[0]}" for column in alike]


def _on_one_line(column: _Column) -> _Column:
    """The key column without line breaks, unless that takes too much room in every table."""
    longest = max(map(len, column.cells), default=0)
    return replace(column, number=longest) if longest <= KEY else column


def _torn(column: _Column) -> _Column:
    """A column of numbers whose intervals are broken into two lines."""
    if not column.numeric:
        return column
    return _column(column.name, column.header, True, tuple(cell.replace("–", "–\n") for cell in column.cells))


def _blocks(columns: list[_Column], width: int, keys: Sequence[str], first: Sequence[str]) -> list[list[_Column]]:
    """The columns as one table, or split into several that fit, each with the keys.

    Returns:
        The columns of each table; empty if the keys and some other column do not fit side by side.
    """
    if _fit(columns, width) is not None or len(columns) < 2:
        return [columns]
    key_columns = [column for column in columns if column.name in keys] or columns[:1]
    others = [column for column in columns if column not in key_columns]
    places = {name: place for place, name in enumerate(first)}
    others.sort(key=lambda column: places.get(column.name, len(places)))
    for keys_tried, others_tried in (
        ([_on_one_line(column) for column in key_columns], others),
        (key_columns, others),
        (key_columns, [_torn(column) for column in others]),
    ):
        if all(_fit([*keys_tried, column], width) is not None for column in others_tried):
            return _filled(keys_tried, others_tried, width)
    return []


def _filled(key_columns: list[_Column], others: list[_Column], width: int) -> list[list[_Column]]:
    blocks = [[*key_columns]]
    for column in others:
        if _fit([*blocks[-1], column], width) is None:
            blocks.append([*key_columns])
        blocks[-1].append(column)
    return blocks


def _widths(columns: Sequence[_Column], width: int, gap: int, word: int) -> list[int]:
    """The width of each column: the narrowest, plus a share of the remaining room for columns with longer lines."""
    widths = [column.narrowest(word) for column in columns]
    left = width - sum(widths) - gap * len(columns) - 1
    longest = [
        max(map(len, (line for cell in column.cells for line in cell.split("\n"))), default=0) for column in columns
    ]
    wanting = sorted((wish, at) for at, wish in enumerate(longest) if wish > widths[at])
    for served, (wish, at) in enumerate(wanting):
        more = min(wish - widths[at], max(left, 0) // (len(wanting) - served))
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
    return clean(str(value))
