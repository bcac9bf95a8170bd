"""GLUCOSE: what causes and what follows from a sentence of a story, in ten dimensions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Scalar
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.event_triples import OPTIONS, PROPERTIES, EventTriples
from harmgraph.loader.formats.events import PEOPLES, PERSONS, Aligned, align_sentences, words
from harmgraph.loader.formats.header import table_row
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines

LEVEL = Option(
    "level",
    "general",
    "general: rules about SomeoneA; specific: statements about the story",
    choices=("general", "specific"),
)
SENTENCE_IDS = ("unique_id", "experiment_id")
NOT_GIVEN = ("escaped", "")
_COLUMN = re.compile(r"(10|[1-9])_(general|specific)Structured")
_CONNECTIVE = re.compile(r">([^<>]{1,40})>")
_SLOT = re.compile(r"\{([^{}]*)\}_\[[A-Za-z0-9]+\]")
_ATTRIBUTE = re.compile(r"\|\|.*?\|\|")
FIRST_PERSONS = (PERSONS[0], PEOPLES[0])


class Glucose(Importer):
    """The training table, with all ten dimensions in a row, or a table of one dimension (``dim_1.csv``), told by their headers.

    Of a rule the structured column is read, without the attributes of its people and things (``||who is tall||``).
    """

    name = "glucose"
    about = About(
        title="GLUCOSE",
        home="https://github.com/ElementalCognition/glucose",
        licence="CC-BY-NC-4.0",
        citation="Mostafazadeh et al. 2020, GLUCOSE: GeneraLized and COntextualized Story Explanations",
        version="2020",
        kind="events",
    )
    gives = "triples"
    properties = (*PROPERTIES, "dimension", "sentence_id")
    options = (*OPTIONS, LEVEL)
    corrections = Rows()
    example = (
        "{Someone_A}_[subject] {gets}_[verb] {exercise}_[object1] >Causes/Enables> "
        "{Someone_A}_[subject] {gets}_[verb] {tired}_[object1]"
    )

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``. A file without a header has one structured rule of dimension 1 a line.

        Raises:
            UnreadableFile: the header names no structured column of the level.
        """
        header = _header(lines, options[LEVEL.name])

        def parse(line: str, line_number: int) -> Record | list[Record]:
            if header is None:
                return _one(line, line_number, options, lines.name)
            columns, rules = header
            if line_number == 1:
                raise LeftOut("header")
            row = table_row(line, columns)
            records: list[Record] = []
            for dimension, column in rules:
                if row[column].strip() not in NOT_GIVEN:
                    records += _rule(row[column], dimension, row, line_number, options, lines.name)
            if not records:
                raise LeftOut("no rule")
            return records

        return parse


def _header(lines: Lines, level: str) -> tuple[Sequence[str], list[tuple[int, str]]] | None:
    first = lines.first()
    if first is None or first.problem or not first.text.startswith(SENTENCE_IDS):
        return None
    columns = first.text.split(",")
    rules = [
        (int(match[1]), column) for column in columns if (match := _COLUMN.fullmatch(column)) and match[2] == level
    ]
    if not rules:
        raise UnreadableFile(
            lines.path,
            f"has no column such as 1_{level}Structured",
            remedy="load the files that GLUCOSE's authors published",
        )
    return columns, rules


def _one(line: str, line_number: int, options: Mapping[str, Any], file: str) -> list[Record]:
    if not _SLOT.search(line):
        raise BadLine("no structured rule, such as {Someone_A}_[subject] {sleeps}_[verb] >Causes> …")
    return _rule(line, 1, {}, line_number, options, file)


def _rule(
    text: str, dimension: int, row: Mapping[str, str], line_number: int, options: Mapping[str, Any], file: str
) -> list[Record]:
    parts = _CONNECTIVE.split(text)
    if len(parts) != 3:
        raise BadLine(f"dimension {dimension}: expected two events and what connects them, such as >Causes>")
    head, tail = _sentence(parts[0]), _sentence(parts[2])
    if dimension == 2:  # the second event is motivated by the first: head and tail change places
        head, tail = tail, head
    properties: dict[str, Scalar] = {"dimension": dimension}
    sentence = next((row[name] for name in SENTENCE_IDS if row.get(name)), "")
    if sentence:
        properties["sentence_id"] = sentence

    def form(head: str, _: str, tail: str, longest: int) -> Aligned:
        aligned = align_sentences(head, tail, longest=longest)
        return Aligned(aligned.head, relation_of(dimension, aligned.head, aligned.tail()), aligned.tails)

    name = "" if not options["as_written"] else relation_of(dimension, " ".join(words(head)), " ".join(words(tail)))
    return EventTriples(options, form).triples(head, [(name, tail)], line_number, file, properties)


def _sentence(part: str) -> str:
    slots = _SLOT.findall(part)
    if not slots:
        raise BadLine("an event without slots, such as {Someone_A}_[subject]")
    return " ".join(" ".join(_ATTRIBUTE.sub(" ", slot) for slot in slots).split())


def relation_of(dimension: int, head: str, tail: str) -> str:
    """The relation of ATOMIC 2020 for a dimension and its aligned ends (Fang et al. 2021, table 1, as its code has it).

    Args:
        dimension: 1 to 10; the ends of dimension 2 have changed places already.
    """
    if dimension == 2:
        return "xAttr" if "feel" in tail.split() else "xIntent"
    if dimension in (3, 4, 8, 9):
        return "Causes"
    kind = {1: "Effect", 6: "Effect", 5: "Want", 10: "Want", 7: "React"}[dimension]
    if head.startswith(FIRST_PERSONS) and tail.startswith(FIRST_PERSONS):
        return f"x{kind}"
    return f"o{kind}" if tail.startswith((*PERSONS, *PEOPLES)) and not tail.startswith(FIRST_PERSONS) else f"g{kind}"


IMPORTER = Glucose()
