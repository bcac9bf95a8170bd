"""A first line that names the columns: seen by its cells, or said by ``--header`` and ``--no-header``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harmgraph.loader.formats.importer import BadLine, LeftOut, Option
from harmgraph.loader.formats.lines import Line, Lines

SHOWN = 80  # characters of a header in the report
OPTION = Option(
    "header",
    None,
    "whether the first line names the columns and is left out; by default where its cells are such names",
)
NAMES = {
    "head": frozenset(("head", "h", "head_id", "head_name", "subject", "subj", "s", "start", "arg1")),
    "relation": frozenset(("relation", "rel", "r", "relation_id", "relation_name", "relation_type", "predicate", "p")),
    "tail": frozenset(("tail", "t", "tail_id", "tail_name", "object", "obj", "o", "end", "arg2")),
}
"""What files call the columns of a triple."""


def names_columns(columns: Mapping[str, str]) -> bool:
    """Whether cells are names of columns and no triple: the text of each by what it would be, head, relation or tail."""
    return all(text.strip().lower() in NAMES[role] for role, text in columns.items())


def header_at(
    lines: Lines, options: Mapping[str, Any], looks_so: Callable[[str], bool], *, comment: str | None = None
) -> int:
    """The number of the line that is the header, 0 where there is none. The first that is neither empty nor a comment may be.

    Args:
        looks_so: whether the text of a line is a header by its look; may raise ``BadLine``, then it is none.
        comment: start of lines that are comments.
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
                pass  # it will be told when the line is read
            break
    lines.put_back(*taken)
    return number


def left_out(line: str) -> LeftOut:
    """A header as what it is counted under: it is named, so that nobody loses a triple unseen."""
    return LeftOut(f"header: {' '.join(line.split())[:SHOWN]}")
