"""Any sentences: lines of text, a column of a table, a key of JSON lines, or a column of a Parquet or Arrow file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadRecord, UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.contents.sentence_targets import NOT_YET, SEARCHED
from harmgraph.graph.records import Properties, Record, Rejection, Skip, Statement
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.columnar import columnar, columnar_form, parsed_rows, text_of
from harmgraph.loader.formats.csv_rows import csv_rows
from harmgraph.loader.formats.header import HEADER
from harmgraph.loader.formats.importer import MAX_REJECTED_TEXT, About, BadLine, Importer, LeftOut, Parser, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Line, Lines
from harmgraph.loader.formats.sample import DELIMITERS as TABLES
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.terms import SENTENCES, spoken

KNOWN = (
    "text",
    "sentence",
    "sentences",
    "statement",
    "post",
    "comment",
    "content",
    "body",
    "tweet",
    "message",
    "response",
)
"""Names by which the column of the sentences is found; the first of them that a file has."""
DELIMITERS = ("\t", ",", ";", "|")
SHOWN = 12  # columns in a message
GOES_ON = "line of a row of several lines"
FEWEST_WORDS = 3
_TITLE = re.compile(r"[^\W\d]{1,30}")
_QUOTED = re.compile(r'"(?:[^"]|"")*"', re.DOTALL)


class Sentences(Importer):
    """Each sentence is about all targets that stand in it (``graph.contents.sentence_targets``).

    A first line that is a JSON object makes a file one of JSON lines. One that names the column makes it a table, separated by
    tab, comma, semicolon or bar. Any other file has a sentence a line.
    """

    name = "sentences"
    about = About(
        title="any sentences: text, CSV, JSON lines, Parquet, Arrow",
        home="https://en.wikipedia.org/wiki/Text_corpus",
        licence="that of the file",
        citation="that of the file",
        version="that of the file",
        kind="files of yours",
    )
    gives = "statements"
    data_sets = True
    general = 2
    divisible = False
    properties = (SEARCHED, "language")
    options = (
        Option(
            "column",
            "",
            f"column or key of the sentences, by name or number (from 1); by default {KNOWN[0]}, {KNOWN[1]} and the like",
        ),
        SENTENCES,
        HEADER,
    )
    corrections = Rows()
    example = '{"text": "The lawyer greeted two nurses."}'

    def guesses(self, sample: FileSample) -> tuple[Mapping[str, Any], ...]:
        """See ``Importer.guesses``: where no column has a known name, the one with most words."""
        first = sample.texts[0] if sample.texts else ""
        if first.lstrip().startswith("{"):
            try:
                facts = dict(json_value(first, "no JSON object"))
            except (BadLine, ValueError, TypeError):
                return ()
            lengths = {key: len(value.split()) for key, value in facts.items() if isinstance(value, str)}
            if any(name in lengths for name in KNOWN):
                return ({},)
            longest = max(lengths, key=lambda key: lengths[key], default="")
            return ({"column": longest},) if lengths.get(longest, 0) >= FEWEST_WORDS else ()
        delimiter = TABLES.get(sample.delimiter, "")
        if not delimiter or (delimiter != "\t" and ".csv" not in sample.path.name.lower()):
            return ({},)
        rows = sample.rows(delimiter)
        if _place([cell.strip() for cell in rows[0]], "", None) is not None:
            return ({},)
        several = sample.columns(delimiter)
        words = [sum(len(row[at].split()) for row in rows if len(row) == several) for at in range(several)]
        if max(words) < FEWEST_WORDS * len(rows):
            return ()
        at = words.index(max(words))
        header = len(rows[0]) == several and all(_TITLE.fullmatch(cell) for cell in rows[0])
        return ({"column": rows[0][at] if header else str(at + 1)},)

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: most lines have several words."""
        if not sample.texts:
            return 1.0
        return 1.0 if sample.share([len(text.split()) >= FEWEST_WORDS for text in sample.texts]) > 0.5 else 0.0

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; tables with rows of several lines, and Parquet files, are read by ``read``."""
        raise UnreadableFile(lines.path, "may have rows of several lines", remedy="read it with records()")

    def of_whole(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record] | None:
        """See ``Importer.of_whole``; of Parquet and Arrow files."""
        if not columnar_form(lines.start):
            return None
        return _of_columns(lines, options["column"].strip(), {SEARCHED: NOT_YET, **spoken(options)})

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """See ``Importer.read``.

        Raises:
            UnreadableFile: the file has no such column.
            MissingExtra: it is a Parquet or Arrow file, and pyarrow is not installed.
        """
        column: str = options["column"].strip()
        properties = {SEARCHED: NOT_YET, **spoken(options)}
        if (rows := self.of_whole(lines, options)) is not None:
            yield from rows
            return
        first = _first(lines)
        if first is None or first.problem or (options["header"] is False and not column):
            yield from self.parsed(lines, _texts(0, properties))
        elif first.text.lstrip().startswith("{"):
            yield from self.parsed(lines, _objects(column, properties))
        else:
            delimiter = _delimiter(first.text)
            cells = [cell.strip() for cell in _cells(first.text, delimiter)]
            at = _place(cells, column, options["header"])
            if at is None and column:
                raise _no_column(lines.path, column, cells, first.number)
            header = first.number if _is_header(cells, column, options["header"]) else 0
            if at is None or (len(cells) == 1 and ".csv" not in lines.path.name.lower()):
                yield from self.parsed(lines, _texts(header, properties))
            elif delimiter == "\t":
                yield from self.parsed(lines, _tabbed(at, len(cells), header, properties))
            else:
                yield from _of_table(lines, delimiter, at, len(cells), header, properties)


def _first(lines: Lines) -> Line | None:
    """The first line that is not empty, without consuming any."""
    taken: list[Line] = []
    for line in lines:
        taken.append(line)
        if line.problem or line.text.strip():
            break
    lines.put_back(*taken)
    return taken[-1] if taken and (taken[-1].problem or taken[-1].text.strip()) else None


def _delimiter(line: str) -> str:
    """The delimiter by which a line has most cells; the comma if none occurs."""
    if "\t" in line:
        return "\t"
    return max((",", ";", "|"), key=lambda delimiter: len(_cells(line, delimiter)))


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter=delimiter), [line])
    except csv.Error:
        return line.split(delimiter)


def _place(cells: Sequence[str], column: str, header: bool | None) -> int | None:
    """Which cell has the sentence, from 0; None if the line does not tell."""
    lower = [cell.lower() for cell in cells]
    if not column:
        return next((lower.index(name) for name in KNOWN if name in lower), None)
    if header is not False and column.lower() in lower:
        return lower.index(column.lower())
    number = int(column) if column.isdecimal() and column.isascii() and len(column) < 6 else 0
    return number - 1 if 0 < number <= len(cells) else None


def _is_header(cells: Sequence[str], column: str, header: bool | None) -> bool:
    lower = {cell.lower() for cell in cells}
    return header is True or (header is None and bool(lower & {*KNOWN, column.lower()}))


def _no_column(path: Path, column: str, columns: Sequence[str], line: int = 0) -> UnreadableFile:
    known = ", ".join(name[:40] for name in columns[:SHOWN]) + (" …" if len(columns) > SHOWN else "")
    return UnreadableFile(
        path, f"has no column {column!r}; it has {known}", line=line, remedy="name one with --column, or its number"
    )


def _statement(text: str, properties: Properties, line: int) -> Statement:
    sentence = text.strip()
    if not sentence:
        raise BadLine("the sentence is empty")
    return Statement(sentence, properties=properties, line=line)


def _texts(header: int, properties: Properties) -> Parser:
    def parse(line: str, line_number: int) -> Record:
        if line_number == header:
            raise LeftOut("header")
        return _statement(line, properties, line_number)

    return parse


def _objects(column: str, properties: Properties) -> Parser:
    def parse(line: str, line_number: int) -> Record:
        facts = json_value(line, "no JSON object on one line")
        if not isinstance(facts, dict):
            raise BadLine("no JSON object on one line")
        key = column or next((name for name in KNOWN if name in facts), "")
        if key not in facts:
            raise BadLine(f"the JSON object has no {key or KNOWN[0]!r}: name the key of the sentences with --column")
        if not isinstance(facts[key], str):
            raise BadLine(f"{key[:60]!r} is not a text")
        return _statement(facts[key], properties, line_number)

    return parse


def _tabbed(at: int, columns: int, header: int, properties: Properties) -> Parser:
    def parse(line: str, line_number: int) -> Record:
        if line_number == header:
            raise LeftOut("header")
        cells = line.split("\t")
        if len(cells) != columns:
            raise BadLine(f"{len(cells)} columns where {columns} are expected")
        text = cells[at].strip()
        return _statement(text[1:-1].replace('""', '"') if _QUOTED.fullmatch(text) else text, properties, line_number)

    return parse


def _of_table(
    lines: Lines, delimiter: str, at: int, columns: int, header: int, properties: Properties
) -> Iterator[Record]:
    for row in csv_rows(lines, delimiter):
        lines.rows = row.line + row.lines - 1
        if row.problem:
            yield Rejection(lines.name, row.line, row.problem, row.text[:MAX_REJECTED_TEXT])
        elif row.cells is None:
            yield Skip(row.line, "empty line")
        elif row.line == header:
            yield Skip(row.line, "header")
        else:
            if row.lines > 1:
                yield Skip(row.line, GOES_ON, row.lines - 1)
            try:
                if len(row.cells) != columns:
                    raise BadLine(f"{len(row.cells)} columns where {columns} are expected")
                yield _statement(row.cells[at], properties, row.line)
            except BadRecord as bad:
                yield rejected(lines.name, row.line, bad, row.text)


def _of_columns(lines: Lines, column: str, properties: Properties) -> Iterator[Record]:
    with columnar(lines) as file:
        at = _place(file.names, column, None)
        if at is None:
            raise _no_column(lines.path, column or KNOWN[0], file.names)
        name = file.names[at][:60]

        def parse(cells: tuple[Any, ...], number: int) -> Record:
            (value,) = cells
            return _statement(text_of(value, "the cell" if value is None else repr(name)), properties, number)

        yield from parsed_rows(lines, file, [at], parse)


IMPORTER = Sentences()
