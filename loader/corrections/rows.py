"""Places in files: the name of the file, the number of the line, the statement, and the row as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harmgraph.loader.corrections.form import ROW, Corrections, Finding, Key, NotHandedBack, StatementPlace

COLUMNS = ("file", "line", "head", "relation", "tail", "id", "row")
LONGEST_ROW = 100_000
"""Characters of a row that are written: some files have all they say on one line, which each finding would repeat."""
CUT = " [cut here]"
_NUMBER = re.compile(r"[1-9][0-9]*")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(.)")
_LETTERS = {"t": "\t", "n": "\n", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Rows(Corrections):
    """Columns separated by tabs: ``file, line, head, relation, tail, id, row``.

    A row can make several statements, so head, relation, tail and id say which one is meant; for a sentence they are its term,
    nothing, the sentence, and its place in the row if it has one. ``row`` is the row as it stands in the file, tabs and all,
    cut after ``LONGEST_ROW``.
    """

    name = "rows"
    taken = (
        "rows of the files: file, number of the line, which statement of it, and the row, to who publishes the files"
    )
    needs_places = True

    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """See ``Corrections.lines``."""
        if not places:
            raise NotHandedBack("not found in the files of the source")
        return tuple(
            "\t".join(
                (
                    *(
                        escaped(cell)
                        for cell in (place.file, str(place.line), place.head, place.type, place.tail, place.id)
                    ),
                    place.row if len(place.row) <= LONGEST_ROW else place.row[:LONGEST_ROW] + CUT,
                )
            )
            for place in places
        )

    def keys(self, line: str) -> tuple[Key, ...]:
        """See ``Corrections.keys``: with the number of the line, and without it for loads that keep no equal lines apart."""
        cells = line.split("\t", len(COLUMNS) - 1)
        if len(cells) < len(COLUMNS) or not _NUMBER.fullmatch(cells[1]):
            return ()
        file, number, *statement = (unescaped(cell) for cell in cells[:-1])
        return tuple((ROW, file, at, *statement) for at in (number, ""))

    def opening(self, remarks: Iterable[str]) -> list[str]:
        """See ``Corrections.opening``; the last line names the columns."""
        return [*Corrections.opening(self, remarks), f"# {' | '.join(COLUMNS)}, separated by tabs"]


def escaped(cell: str) -> str:
    """A cell without tabs and line ends, and not like a comment."""
    plain = "".join(_ESCAPES.get(letter, letter) for letter in cell)
    return f"\\{plain}" if plain.lstrip().startswith("#") else plain


def unescaped(cell: str) -> str:
    """What ``escaped`` was given."""
    return _ESCAPED.sub(lambda match: _LETTERS.get(match[1], match[1]), cell) if "\\" in cell else cell
