"""Rows of CSV files whose cells can go over several lines, as posts of people do.

A quote that is never closed would take the rest of the file with it. So a row that begins on a line and cannot be read costs that
line alone: reading goes on with the next one.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from harmgraph.loader.formats.lines import Line, Lines

MOST_LINES = 200  # of a row
LONGEST = 200_000  # characters of a row of several lines


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row, or a line that is none.

    Attributes:
        line: the number of its first line.
        cells: its cells; None if it cannot be read, or if the line is empty.
        text: the row as in the file; if it cannot be read, its first line.
        lines: how many lines it has.
        problem: why it cannot be read; empty for a row and for an empty line.
    """

    line: int
    cells: tuple[str, ...] | None
    text: str
    lines: int = 1
    problem: str = ""


def csv_rows(lines: Lines, delimiter: str = ",") -> Iterator[CsvRow]:
    """The rows of a file, in order; memory does not grow with it."""
    left: deque[Line] = deque()  # lines that were looked at as parts of a row that cannot be read
    while True:
        line = left.popleft() if left else next(lines, None)
        if line is None:
            return
        if line.problem:
            yield CsvRow(line.number, None, line.text, problem=line.problem)
        elif not line.text.strip():
            yield CsvRow(line.number, None, line.text)
        else:
            yield _row(line, lines, left, delimiter)


def _row(line: Line, lines: Lines, left: deque[Line], delimiter: str) -> CsvRow:
    taken = [line]
    size, quotes = len(line.text), line.text.count('"')
    while quotes % 2 and len(taken) < MOST_LINES and size <= LONGEST:
        further = left.popleft() if left else next(lines, None)
        if further is None:
            break
        taken.append(further)
        if further.problem:
            break
        size += len(further.text)
        quotes += further.text.count('"')
    text = "\n".join(part.text for part in taken)
    problem = taken[-1].problem or ("a quote that is not closed" if quotes % 2 else "")
    cells: tuple[str, ...] = ()
    if not problem:
        try:
            ((*read,),) = csv.reader([text], delimiter=delimiter, strict=True)
            cells = tuple(read)
        except (csv.Error, ValueError) as error:
            problem = f"no row of a CSV table ({error})"
    if problem:
        left.extendleft(reversed(taken[1:]))
        return CsvRow(line.number, None, line.text, problem=problem)
    return CsvRow(line.number, cells, text, len(taken))
