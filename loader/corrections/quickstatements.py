"""Commands of QuickStatements, the tool for many edits of Wikidata (https://www.wikidata.org/wiki/Help:QuickStatements)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harmgraph.graph.records import relation_type
from harmgraph.loader.corrections.form import ID, TRIPLE, Corrections, Finding, Key, NotHandedBack, StatementPlace

PREFIX = "wikidata/"
_COMMENT = re.compile(r"\s*/\*.*?\*/\s*$")
_SEPARATOR = re.compile(r"[\t|]")
_ENTITY = re.compile(r"[QPL]\d+(?:-[FS]\d+)?", re.IGNORECASE)
_PROPERTY = re.compile(r"P\d+")
_STATEMENT = re.compile(r"[QPL]\d+(?:-[FS]\d+)?\$\S+", re.IGNORECASE)
DEPRECATED = "R-"


@dataclass(frozen=True, slots=True)
class QuickStatements(Corrections):
    """``-STATEMENT TAB Q42$id`` removes a statement by its id, ``-Q42 TAB P31 TAB Q5`` by its value.

    The comment behind it is the summary of the edit. ``|`` may stand for the tab, and ``Q42 TAB P31 TAB Q5 TAB R-``, which
    deprecates a statement, leaves it out too.
    """

    name = "quickstatements"
    taken = "QuickStatements' commands, run with an account of your own once somebody has looked at each"

    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """See ``Corrections.lines``."""
        if _STATEMENT.fullmatch(finding.assertion):
            return (f"-STATEMENT\t{finding.assertion}",)
        ends = finding.head.removeprefix(PREFIX), finding.tail.removeprefix(PREFIX)
        if not all(map(_ENTITY.fullmatch, ends)) or not _PROPERTY.fullmatch(finding.type):
            raise NotHandedBack("neither a statement id nor entities and a property of Wikidata")
        return (f"-{ends[0]}\t{finding.type}\t{ends[1]}",)

    def keys(self, line: str) -> tuple[Key, ...]:
        """See ``Corrections.keys``."""
        cells = [cell.strip() for cell in _SEPARATOR.split(_COMMENT.sub("", line))]
        if cells[0].upper() == "-STATEMENT":
            return ((ID, cells[1]),) if len(cells) == 2 and _STATEMENT.fullmatch(cells[1]) else ()
        removed = len(cells) == 3 and cells[0].startswith("-")
        if not removed and not (len(cells) == 4 and cells[3] == DEPRECATED):
            return ()
        head, name, tail = cells[0].removeprefix("-"), cells[1], cells[2]
        if not _ENTITY.fullmatch(head) or not _PROPERTY.fullmatch(name) or not _ENTITY.fullmatch(tail):
            return ()
        return ((TRIPLE, f"{PREFIX}{head}", relation_type(name), f"{PREFIX}{tail}"),)

    def ignored(self, line: str) -> bool:
        """See ``Corrections.ignored``."""
        return Corrections.ignored(self, line) or not _COMMENT.sub("", line).strip()

    def opening(self, remarks: Iterable[str]) -> list[str]:
        """None: QuickStatements has no comment on a line of its own."""
        return []

    def remarked(self, lines: Sequence[str], remarks: Sequence[str]) -> list[str]:
        """Each line with the remarks behind it, which become the summary of the edit."""
        summary = "; ".join(remarks).replace("*/", "* /")
        return [f"{line} /* {summary} */" for line in lines]
