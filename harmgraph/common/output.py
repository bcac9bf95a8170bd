"""Prints rows as a table that fits the terminal, as JSON or CSV, or in a form of ``row_forms``."""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any, TypeVar

from harmgraph.common.clean_text import clean
from harmgraph.common.row_forms import json_of, print_json_lines, print_markdown, print_parquet
from harmgraph.common.terminal import bold, data_stream
from harmgraph.common.terminal import console as new_console

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
    types: Mapping[str, str] | None = None,
) -> None:
    """Prints rows to stdout.

    A table that is wider than the terminal is split into several tables below one another. Each repeats the keys, and the
    columns of ``first`` come first. A single row, or one whose keys are too wide even for that, is printed as a record, one
    line per column. No column is left out because of its width.

    Args:
        output: ``table``, ``json`` (an array of objects), ``csv``, ``jsonl``, ``markdown`` or ``parquet``.
        columns: the order of the columns, also printed if there are no rows; the first row's keys by default.
        digits: decimal places of some columns in a table, if the usual two are too few.
        keys: columns that identify a row; the first column by default.
        first: the columns that a split table shows first, after the keys.
        headings: headings of a table's columns, where ``heading`` says too little.
        types: of columns, as the headers of ``cypher/`` write them; only Parquet needs them, where a column has no value.
    """
    names = list(columns) or (list(rows[0]) if rows else [])
    if output == "json":
        print(json_of([dict(row) for row in rows], indent=2))
    elif output == "csv":
        _csv(rows, names)
    elif output == "jsonl":
        print_json_lines(rows)
    elif output == "parquet":
        print_parquet(rows, names, types or {})
    elif output == "markdown":
        _markdown(rows, names, title, digits or {}, headings or {})
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
        output: as in ``show``; all but a table have all columns, and the rows in their own order.
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
    width = max((len(cell(row[name])) for row in rows), default=0)
    sections = [
        (title if group else what, what, members)
        for title, members in in_groups(rows, lambda row: row[group] if group else "", order)
    ]
    for title, column, members in [*sections, *([(then, then, rows)] if then else [])]:
        console.print(Text(cell(title), style="bold"), soft_wrap=True)
        for row in members:
            start = f"  {cell(row[name]):{width}}  "
            room = max(console.width - len(start), NARROWEST)
            lines = textwrap.wrap(cell(row[column]), room, break_long_words=False) or [""]
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
    """Prints one object: a line for each name and value, a JSON object, or one row; ``digits`` as in ``show``."""
    if output == "json":
        print(json_of(dict(row), indent=2))
    elif output in ("csv", "jsonl", "parquet"):
        show([row], output)
    else:
        decimals = digits or {}
        lines = [
            {"": heading(name), " ": cell(value, decimals[name]) if name in decimals else value}
            for name, value in row.items()
        ]
        show(lines, output, columns=["", " "], title=title)


def _markdown(
    rows: Sequence[Mapping[str, Any]],
    names: list[str],
    title: str,
    digits: Mapping[str, int],
    headings: Mapping[str, str],
) -> None:
    """Prints the columns of a table as Markdown; an interval stands behind its number."""
    columns = _columns(rows, names, digits, headings)
    cells = [[_behind(text) if column.numeric else text for text in column.cells] for column in columns]
    numeric = [column.numeric for column in columns]
    print_markdown([column.header for column in columns], numeric, list(zip(*cells, strict=True)), title)


def _behind(number: str) -> str:
    value, line, ends = number.partition("\n")
    return f"{value} ({ends})" if line else value


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


def abandoned() -> bool:
    """Whether nobody reads stdout or stderr any longer, as when ``head`` has enough; what is still written is then dropped."""
    closed = [stream for stream in (sys.stdout, sys.stderr) if _is_unread(stream)]
    for stream in closed:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # the interpreter writes what is left when it ends
        os.close(nowhere)
    return bool(closed)


def _is_unread(stream: IO[str]) -> bool:
    import select

    try:
        poll = select.poll()
        poll.register(stream.fileno(), 0)
    except OSError:  # it has no file
        return False
    return any(events & select.POLLERR for _, events in poll.poll(0))


_SYMBOLS = {"d_o_plus": "D_O+", "d_o_minus": "D_O-", "o_plus": "O+", "o_minus": "O-", "d_r": "D_R", "percent": "%"}
_SYMBOL = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(_SYMBOLS)})(?![a-z0-9])")
_NAME = re.compile(r"[a-z0-9@]+(?:_[a-z0-9@]+)*")


def heading(column: str) -> str:
    """The heading of a column: ``O- change`` for ``o_minus_change``, ``D_R`` for ``d_r``, ``polarised %``.

    A name of another form, such as that of a relation, stays as it is.
    """
    if not _NAME.fullmatch(column):
        return column
    parts = _SYMBOL.split(column)
    symbols = [_SYMBOLS[found] for found in _SYMBOL.findall(column)]
    return "".join(part.replace("_", " ") + symbol for part, symbol in zip(parts, [*symbols, ""], strict=True))


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
    if _fit(columns, console.width, WHOLE) is None:
        if len(rows) == 1 and len(columns) > 2:
            _print_records(console, columns)
            return
        columns, alike = _apart(columns)
        if alike:
            console.print(Text(wrapped(f"in every row: {'; '.join(alike)}", console.width)), soft_wrap=True)
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

    gap, breaks = _fit(columns, console.width) or (GAPS[-1], HARD)
    table = Table(
        box=SIMPLE_HEAD,
        show_header=any(column.header.strip() for column in columns),
        pad_edge=False,
        padding=((0, 1), (0, 1, 0, 0), 0)[GAPS.index(gap)],
    )
    widths = _widths(columns, console.width, gap, breaks)
    for column, width in zip(columns, widths, strict=True):
        table.add_column(
            Text(wrapped(column.header, width)),
            justify="right" if column.numeric else "left",
            overflow="fold",
            width=width,
        )
    for cells in zip(*[column.cells for column in columns], strict=True):
        table.add_row(*[Text(wrapped(cell, width)) for cell, width in zip(cells, widths, strict=True)])
    console.print(table)


def _print_records(console: Console, columns: Sequence[_Column]) -> None:
    """Prints each row as a record, one line per column; used for one wide row, and if the keys leave no room for others."""
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
        solid: width of its longest line if its lines are never broken, as those of numbers and times; else 0.
        narrowest: the narrowest width by how words are broken; see ``WHOLE``, ``SOFT`` and ``HARD``.
    """

    name: str
    header: str
    numeric: bool
    cells: tuple[str, ...]
    solid: int
    narrowest: tuple[int, int, int]

    def width(self, breaks: int) -> int:
        """The narrowest width at which words are broken in this way only."""
        return max(self.solid, self.narrowest[breaks], 1)


WHOLE, SOFT, HARD = range(3)
"""How words are broken: not, up to ``LONGEST`` characters; behind a mark within them, such as ``disparity.d_r``; anywhere."""
LONGEST = 32  # a longer word is always broken, behind a mark where there is one
SHORTEST = 16  # words of at most this many characters are never broken
GAPS = (3, 2, 1)  # spaces between two columns, tried in this order
KEY = 32  # a key of at most this many characters stays on one line when a table is split
SAID_ONCE = 40  # longest value that is printed once if it is the same in every row
_PARTS = (  # where a long word is broken: between its parts first, then within them
    re.compile(r"(?<=[A-Za-z][.,:;|])(?=\w)|(?<=\w)(?=/)"),
    re.compile(r"(?<=[A-Za-z][_-])(?=\w)"),
    re.compile(r"(?<=.)(?=.)", re.DOTALL),
)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_UTC = ("Z", "+00:00", "+0000")


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
        values = [row.get(name) for row in rows]
        numeric = all(map(_is_number, values))
        cells = tuple(cell(row.get(name), digits.get(name)) + _interval(row, name, digits.get(name)) for row in rows)
        solid = numeric or all(value in (None, "") or _TIME.fullmatch(str(value)) for value in values)
        columns.append(_column(name, headings.get(name, heading(name)), numeric, cells, solid=solid))
    return columns


def _column(name: str, header: str, numeric: bool, cells: tuple[str, ...], *, solid: bool) -> _Column:
    words = {word for text in (header, *(() if solid else cells)) for word in text.split()}
    lines = [line for cell in cells for line in cell.split("\n")] if solid else []
    lengths = {word: (cell_len(word), max(map(cell_len, _broken(word, 0, _PARTS[:-1])))) for word in words}
    whole = max((word if word <= LONGEST else min(piece, LONGEST) for word, piece in lengths.values()), default=0)
    soft = max((min(piece, LONGEST) for _, piece in lengths.values()), default=0)
    hard = max((min(word, SHORTEST) for word, _ in lengths.values()), default=0)
    return _Column(name, clean(header), numeric, cells, max(map(cell_len, lines), default=0), (whole, soft, hard))


def cell_len(text: str) -> int:
    """How many columns of the terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len as measured

    return measured(text)


def _broken(word: str, width: int, parts: Sequence[re.Pattern[str]] = _PARTS) -> list[str]:
    """The word in pieces that are no wider than a line, or that cannot be broken in one of these ways."""
    if cell_len(word) <= width or not parts:
        return [word]
    return [piece for part in parts[0].split(word) for piece in _broken(part, width, parts[1:])]


def wrapped(text: str, width: int) -> str:
    """The text with line breaks at spaces, in a longer word behind a mark, and only in a longer piece anywhere."""
    return "\n".join(line for part in text.split("\n") for line in _wrapped(part, width))


def _wrapped(line: str, width: int) -> list[str]:
    if cell_len(line) <= width:
        return [line]
    lines = [""]
    for word in line.split(" "):
        space = " " if lines[-1] else ""
        if cell_len(lines[-1] + space + word) <= width:
            lines[-1] += space + word
            continue
        if lines[-1]:
            lines.append("")
        for piece in _broken(word, width):
            if lines[-1] and cell_len(lines[-1] + piece) > width:
                lines.append("")
            lines[-1] += piece
    return lines


def _fit(columns: Sequence[_Column], width: int, breaks: int = HARD) -> tuple[int, int] | None:
    """The gap, and how words are broken, with which the columns fit side by side; None if they do not.

    Args:
        breaks: the worst way to break words that is tried.
    """
    for way in range(breaks + 1):
        taken = sum(column.width(way) for column in columns) + 1
        for gap in GAPS:
            if taken + gap * len(columns) <= width:
                return gap, way
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
    longest = max(map(cell_len, column.cells), default=0)
    return replace(column, solid=longest) if longest <= KEY else column


def _torn(column: _Column) -> _Column:
    """A column of numbers whose intervals are broken into two lines."""
    if not column.numeric:
        return column
    cells = tuple(cell.replace(DASH, f"{DASH}\n").replace(TO, f"{TO.rstrip()}\n") for cell in column.cells)
    return _column(column.name, column.header, True, cells, solid=True)


def _blocks(columns: list[_Column], width: int, keys: Sequence[str], first: Sequence[str]) -> list[list[_Column]]:
    """The columns as one table, or split into several that fit, each with the keys.

    One table with whole words is the best. Then come several, if none has a single column beside the keys; then one whose
    words or intervals are broken; then several with a column that was moved to the single one, or with broken words.

    Returns:
        The columns of each table; empty if the keys and some other column do not fit side by side.
    """
    if _fit(columns, width, WHOLE) is not None or len(columns) < 2:
        return [columns]
    key_columns = [column for column in columns if column.name in keys] or columns[:1]
    others = [column for column in columns if column not in key_columns]
    places = {name: place for place, name in enumerate(first)}
    others.sort(key=lambda column: places.get(column.name, len(places)))
    split = _filled([_on_one_line(column) for column in key_columns], others, width, WHOLE)
    if split and len(split[-1]) > len(key_columns) + 1:
        return split
    widest = sorted(columns, key=lambda column: _torn(column).solid - column.solid)
    for breaks in (WHOLE, SOFT):
        for tearing in range(len(widest) + 1):
            one = [_torn(column) if column in widest[:tearing] else column for column in columns]
            if _fit(one, width, breaks) is not None:
                return [one]
    torn = [_torn(column) for column in others]
    for keys_tried, others_tried, breaks in (
        ([_on_one_line(column) for column in key_columns], others, WHOLE),
        (key_columns, others, WHOLE),
        (key_columns, others, SOFT),
        (key_columns, torn, SOFT),
        (key_columns, others, HARD),
        (key_columns, torn, HARD),
    ):
        split = _filled(keys_tried, others_tried, width, breaks)
        if split:
            return _balanced(split, len(key_columns), width, breaks)
    return []


def _filled(key_columns: list[_Column], others: list[_Column], width: int, breaks: int) -> list[list[_Column]]:
    """The tables if each takes as many columns as fit beside the keys; empty if some column does not fit beside them."""
    if any(_fit([*key_columns, column], width, breaks) is None for column in others):
        return []
    blocks = [[*key_columns]]
    for column in others:
        if _fit([*blocks[-1], column], width, breaks) is None:
            blocks.append([*key_columns])
        blocks[-1].append(column)
    return blocks


def _balanced(blocks: list[list[_Column]], keys: int, width: int, breaks: int) -> list[list[_Column]]:
    """The tables, with a second column in the last one if that had a single column and the one before has some to spare."""
    if len(blocks) < 2 or len(blocks[-1]) != keys + 1 or len(blocks[-2]) < keys + 3:
        return blocks
    last = [*blocks[-1][:keys], blocks[-2][-1], *blocks[-1][keys:]]
    if _fit(last, width, breaks) is None:
        return blocks
    return [*blocks[:-2], blocks[-2][:-1], last]


def _widths(columns: Sequence[_Column], width: int, gap: int, breaks: int) -> list[int]:
    """The width of each column: the narrowest, plus a share of the remaining room for columns with longer lines."""
    widths = [column.width(breaks) for column in columns]
    left = width - sum(widths) - gap * len(columns) - 1
    longest = [
        max(map(cell_len, (line for cell in column.cells for line in cell.split("\n"))), default=0)
        for column in columns
    ]
    wanting = sorted((wish, at) for at, wish in enumerate(longest) if wish > widths[at])
    for served, (wish, at) in enumerate(wanting):
        more = min(wish - widths[at], max(left, 0) // (len(wanting) - served))
        widths[at] += more
        left -= more
    return widths


DASH, TO = "–", " to "  # between the ends of an interval; the second where an end is negative


def _has_interval(name: str, names: list[str]) -> bool:
    return f"{name}_low" in names and f"{name}_high" in names


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _interval(row: Mapping[str, Any], name: str, digits: int | None) -> str:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    if low is None or high is None:
        return ""
    start = cell(low, digits)  # a caller may have written the number already
    return f"\n{start}{TO if start.startswith('-') else DASH}{cell(high, digits)}"


def cell(value: Any, digits: int | None = None) -> str:
    """A value as a cell of a table shows it: ``1,234``, ``0.12``, ``yes``; empty for None."""
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
        return ", ".join(cell(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {cell(item)}" for key, item in value.items())
    text = str(value)
    time = _TIME.fullmatch(text)
    if time:
        day, clock, zone = time.groups()
        text = f"{day} {clock}" + (f" {zone}" if zone and zone not in _UTC else "")
    return clean(text)
