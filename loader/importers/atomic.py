"""ATOMIC: what people do, and what follows for them and for others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.event_relations import ATOMIC, relation_name
from harmgraph.graph.records import Record, Scalar
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.event_triples import OPTIONS, PROPERTIES, EventTriples
from harmgraph.loader.formats.events import align
from harmgraph.loader.formats.header import table_row
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SPLIT, chosen_split, long_name

COLUMNS = ("event", *ATOMIC, "prefix", "split")
NAMES = ((re.compile(r"\bjohn\b", re.IGNORECASE), "PersonX"), (re.compile(r"\btom\b", re.IGNORECASE), "PersonY"))
_REMOVED_BLANK = re.compile(r"  | $")  # the form with names has lost its blanks, but not the spaces around them


class Atomic(Importer):
    """The table ``v4_atomic_*.csv`` (an event, and its tails as JSON lists by relation), or ``head TAB relation TAB tail``.

    The second form occurs with the names John and Tom for PersonX and PersonY, and with ``~`` for a space.
    """

    name = "atomic"
    about = About(
        title="ATOMIC",
        home="https://homes.cs.washington.edu/~msap/atomic/",
        licence="CC-BY-4.0",
        citation="Sap et al. 2019, ATOMIC: An Atlas of Machine Commonsense for If-Then Reasoning",
        version="4",
        kind="events",
    )
    gives = "triples"
    properties = (*PROPERTIES, "split")
    options = (*OPTIONS, SPLIT)
    corrections = Rows()
    example = "PersonX gets exercise\txReact\ttired"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``.

        Raises:
            UnreadableFile: the table lacks a column.
        """
        maker = EventTriples(options, align)
        split = chosen_split(lines.path, options)
        header = _header(lines)

        def parse(line: str, line_number: int) -> Record | list[Record]:
            if header and line_number == header[0]:
                raise LeftOut("header")
            if line.count("\t") == 2 and not header:
                return _preprocessed(line, line_number, maker, {"split": split} if split else {})
            row = table_row(line, header[1] if header else COLUMNS)
            part = split if options["split"] != "auto" else long_name(row["split"])
            properties: dict[str, Scalar] = {"split": part} if part else {}
            return maker.triples(row["event"], _tails(row), line_number, lines.name, properties)

        return parse


def _header(lines: Lines) -> tuple[int, Sequence[str]] | None:
    first = lines.first()
    if first is None or first.problem or not first.text.startswith("event,"):
        return None
    columns = first.text.split(",")
    missing = [column for column in COLUMNS if column not in columns and column != "prefix"]
    if missing:
        raise UnreadableFile(
            lines.path,
            f"lacks the columns {', '.join(missing)}",
            remedy="load the file as ATOMIC's authors published it",
        )
    return first.number, columns


def _preprocessed(line: str, line_number: int, maker: EventTriples, properties: Mapping[str, Scalar]) -> Record:
    head, name, tail = line.split("\t")
    relation = relation_name(name)
    if relation not in ATOMIC:
        raise BadLine(f"the relation {name[:40]!r} is not one of ATOMIC's")
    if "person" not in head.lower():
        if _REMOVED_BLANK.search(head):
            raise LeftOut("blank (___)")
        for pattern, placeholder in NAMES:
            head, tail = pattern.sub(placeholder, head), pattern.sub(placeholder, tail)
    return maker.triple(head, relation, tail, line_number, properties)


def _tails(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for relation in ATOMIC:
        tails = json_value(row[relation], f"the tails of {relation} are not a JSON list")
        if not isinstance(tails, list) or not all(isinstance(tail, str) for tail in tails):
            raise BadLine(f"the tails of {relation} are not a JSON list of texts")
        for tail in tails:
            yield relation, tail


IMPORTER = Atomic()
