"""The triple itself, for knowledge bases whose statements have neither an id nor a place of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harmgraph.common.errors import BadName
from harmgraph.graph.records import RELATIONSHIP_TYPE, relation_type
from harmgraph.loader.corrections.form import TRIPLE, Corrections, Finding, Key, NotHandedBack, StatementPlace
from harmgraph.loader.corrections.rows import escaped, unescaped

PREFIX = "freebase/"


@dataclass(frozen=True, slots=True)
class Triples(Corrections):
    """``en/lawyer TAB IS_A TAB en/liar``: the keys of the graph, and the relationship type."""

    name = "triples"
    taken = "triples, separated by tabs"

    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """See ``Corrections.lines``."""
        if not finding.head:
            raise NotHandedBack("a sentence, not a triple")
        return ("\t".join(escaped(part) for part in (finding.head, finding.type, finding.tail)),)

    def keys(self, line: str) -> tuple[Key, ...]:
        """See ``Corrections.keys``."""
        cells = [unescaped(cell) for cell in line.split("\t")]
        if (
            len(cells) != 3
            or not RELATIONSHIP_TYPE.fullmatch(cells[1])
            or not all("/" in cell for cell in (cells[0], cells[2]))
        ):
            return ()
        return ((TRIPLE, *cells),)


@dataclass(frozen=True, slots=True)
class FreebaseTriples(Corrections):
    """``/m/027rn TAB /location/country/form_of_government TAB /m/06cx9``, as in the files of FB15k-237; in whatever split."""

    name = "freebase triples"
    taken = (
        "triples of ids, separated by tabs, as in the files; Freebase itself is closed, so to who publishes the subset"
    )

    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """See ``Corrections.lines``."""
        ends = finding.head, finding.tail
        if not all(end.startswith(PREFIX) for end in ends):
            raise NotHandedBack("its ends are not entities of Freebase")
        head, tail = ("/" + end.removeprefix(PREFIX).replace(".", "/") for end in ends)
        return (f"{head}\t{finding.relation}\t{tail}",)

    def keys(self, line: str) -> tuple[Key, ...]:
        """See ``Corrections.keys``."""
        cells = [cell.strip(" ") for cell in line.split("\t")]
        if len(cells) != 3 or not all(cell.startswith("/") for cell in cells):
            return ()
        head, tail = (PREFIX + cell.strip("/").replace("/", ".") for cell in (cells[0], cells[2]))
        try:
            return ((TRIPLE, head, relation_type(cells[1]), tail),)
        except BadName:
            return ()
