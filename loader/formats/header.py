"""Header lines, recognised by their cells or declared with ``--header`` and ``--no-header``, and rows of tables that have one."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harmgraph.common.options import Option
from harmgraph.loader.formats.importer import BadLine, LeftOut
from harmgraph.loader.formats.lines import Line, Lines

SHOWN = 80  # characters of a header in the report
HEADER = Option(
    "header",
    None,
    "the first line is a header, and is left out; by default, if its cells are names of columns",
)
NAMES = {
    "head": frozenset(("head", "h", "head_id", "head_name", "subject", "subj", "s", "start", "arg1")),
    "relation": frozenset(("relation", "rel", "r", "relation_id", "relation_name", "relation_type", "predicate", "p")),
    "tail": frozenset(("tail", "t", "tail_id", "tail_name", "object", "obj", "o", "end", "arg2")),
}
"""Names that files use for the columns of a triple."""


def names_columns(columns: Mapping[str, str]) -> bool:
    """Whether the cells of a line are names of columns, not a triple.

    Args:
        columns: the text of each cell, by its column: head, relation or tail.
    """
    return all(text.strip().lower() in NAMES[role] for role, text in columns.items())


def header_at(
    lines: Lines, options: Mapping[str, Any], looks_so: Callable[[str], bool], *, comment: str | None = None
) -> int:
    """The number of the header line, 0 if there is none. Only the first line that is not empty or a comment can be one.

    Args:
        looks_so: whether the text of a line looks like a header; if it raises ``BadLine``, the line is none.
        comment: the start of comment lines.
    """
    if options["header"] is False:
        return 0
    taken: list[Line] = []
    number = 0
    for line in lines:
        taken.append(line)
        text = line.text.strip()
        if line.problem or (text and not (comment and text.startswith(comment))):
            try:
                if not line.problem and (options["header"] or looks_so(line.text)):
                    number = line.number
            except BadLine:
                pass  # it is reported when the line is read
            break
    lines.put_back(*taken)
    return number


def left_out(line: str) -> LeftOut:
    """The error that skips a header line; its reason quotes the line, so that a triple cannot be lost unseen."""
    return LeftOut(f"header: {' '.join(line.split())[:SHOWN]}")


def table_row(line: str, columns: Sequence[str]) -> dict[str, str]:
    """The cells of a line of a CSV table, by column.

    Raises:
        BadLine: it is not a line of CSV, or has another number of cells. A cell cannot go over several lines.
    """
    try:
        (cells,) = csv.reader([line], strict=True)
    except csv.Error as error:
        raise BadLine(f"no line of a CSV table ({error})") from error
    if len(cells) != len(columns):
        raise BadLine(f"{len(cells)} columns where {len(columns)} are expected")
    return dict(zip(columns, cells, strict=True))
