"""Any delimited file of triples."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import methodcaller
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.header import HEADER, NAMES, header_at, left_out, names_columns
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import DELIMITERS as TABLES
from harmgraph.loader.formats.sample import EVEN, FileSample
from harmgraph.loader.formats.terms import LANGUAGE, chosen_language, concept, number, relation

DELIMITERS = {"tab": "\t", "space": " ", "comma": ",", "semicolon": ";", "pipe": "|", "\\t": "\t"}
COLUMNS = ("head", "relation", "tail", "weight", "-")
NEEDED = ("head", "relation", "tail")
HEADERS = (("head", "tail"), ("subject", "object"))  # these are a header whatever the relation is called

_SPACED = re.compile(r"\S+ (/r/\w+|[A-Z]\w*[a-z]\w*) \S")
_RELATED = re.compile(r"[^\W\d_][\w/:.' -]{0,60}|/[\w/.-]+")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)

Cells = Callable[[str], list[str]]


class Triples(Importer):
    """Columns in any order. With the delimiter space the last column is the rest of the line."""

    name = "triples"
    about = About(
        title="any delimited triples",
        home="https://en.wikipedia.org/wiki/Delimiter-separated_values",
        licence="that of the file",
        citation="that of the file",
        version="that of the file",
        kind="files of yours",
    )
    gives = "triples"
    general = 1
    properties = ("weight",)
    options = (
        Option("delimiter", "tab", "tab, space, comma, semicolon, pipe, or the characters themselves"),
        Option("columns", "head,relation,tail", "columns in order: head, relation, tail, weight; - ignores a column"),
        Option("quotes", False, 'cells can be in double quotes, with "" for a quote, as in CSV'),
        Option("underscores", False, "read underscores in relations as spaces; those in heads and tails always are"),
        Option("skip_relations", "ExternalURL,dbpedia", "relations to leave out and count, separated by commas"),
        LANGUAGE,
        HEADER,
    )
    corrections = Rows()
    example = "lawyer\tIsA\tprofessional"

    def advice(self, rejected: Sequence[str], options: Mapping[str, Any]) -> str:
        """See ``Importer.advice``: by which delimiter most of the lines have columns."""
        columns = [name.strip() for name in options["columns"].split(",")]
        fewest = max(columns.index(name) for name in NEEDED) + 1
        given = DELIMITERS.get(options["delimiter"], options["delimiter"])
        # The space comes last: terms of a file with another delimiter have spaces too.
        for name, delimiter in sorted(DELIMITERS.items(), key=lambda named: named[1] == " "):
            counts = Counter(_count(line, delimiter, len(columns)) for line in rejected)
            ((several, times),) = counts.most_common(1) or [(0, 0)]
            if delimiter == given or several == 1 or 2 * times <= len(rejected):
                continue
            quotes = " --quotes" if delimiter != " " and any('"' in line for line in rejected) else ""
            if fewest <= several <= len(columns):
                return f"looks {name} separated: --delimiter {name}{quotes}"
            if several > fewest:
                return (
                    f"looks {name} separated: --delimiter {name}{quotes}, and --columns with the {several} that it has"
                )
        return ""

    def guesses(self, sample: FileSample) -> Iterator[Mapping[str, Any]]:
        """See ``Importer.guesses``: delimiters by which the lines have columns, one of which repeats as relations do."""
        for name, delimiter in TABLES.items():
            if name == "space":
                # Terms have spaces, so the last column is the rest of the line.
                if sample.share([bool(_SPACED.match(text)) for text in sample.texts]) >= EVEN:
                    yield {"delimiter": "space"}
                continue
            several = sample.columns(delimiter)
            if not several:
                continue
            rows = [row for row in sample.rows(delimiter) if len(row) == several]
            columns = _guessed(rows) if several >= len(NEEDED) else []
            if columns:
                quoted = delimiter != "\t" and any('"' in text for text in sample.texts)
                options: dict[str, Any] = {} if name == "tab" else {"delimiter": name}
                options |= {} if columns == list(NEEDED) else {"columns": ",".join(columns)}
                yield options | ({"quotes": True} if quoted else {})
            return  # a later delimiter would be part of the cells

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        columns = _columns(lines, options)
        cells = _cells(lines, options, len(columns))
        head_at, relation_at, tail_at = (columns.index(name) for name in NEEDED)
        weight_at = columns.index("weight") if "weight" in columns else len(columns)
        fewest = max(head_at, relation_at, tail_at) + 1
        skipped = frozenset(name.strip() for name in options["skip_relations"].split(",") if name.strip())
        language = chosen_language(options)
        spaces: bool = options["underscores"]

        @lru_cache(maxsize=10_000)
        def named(name: str) -> str:
            """Cached, because many lines share the same relations."""
            if name in skipped or name.removeprefix("/r/").split("/", 1)[0] in skipped:
                raise LeftOut(f"relation {name[:100]}")
            return relation(name.replace("_", " ") if spaces else name)

        def looks_so(line: str) -> bool:
            parts = cells(line)
            if len(parts) < fewest:
                return False
            head, tail = parts[head_at].strip().lower(), parts[tail_at].strip().lower()
            return (head, tail) in HEADERS or names_columns({name: parts[columns.index(name)] for name in NEEDED})

        header = header_at(lines, options, looks_so)

        def parse(line: str, line_number: int) -> Record:
            if line_number == header:
                raise left_out(line)
            parts = cells(line)
            if not fewest <= len(parts) <= len(columns):
                raise BadLine(f"{len(parts)} columns where {len(columns)} are expected")
            name = named(parts[relation_at])
            properties: dict[str, Scalar] = {"weight": number(parts[weight_at])} if weight_at < len(parts) else {}
            return Triple(
                concept(parts[head_at], language, "head"),
                name,
                concept(parts[tail_at], language, "tail"),
                properties=properties,
                line=line_number,
            )

        return parse


def _guessed(rows: Sequence[Sequence[str]]) -> list[str]:
    """What the columns of a table are; empty if none of them looks like relations."""
    first = [cell.strip().lower() for cell in rows[0]]
    titled = [next((role for role in NEEDED if cell in NAMES[role]), "") for cell in first]
    if sorted(filter(None, titled)) == sorted(NEEDED):
        return [role or ("weight" if cell == "weight" else "-") for role, cell in zip(titled, first, strict=True)]
    numeric = [all(_NUMBER.fullmatch(cell.strip()) for cell in column) for column in zip(*rows, strict=True)]
    texts = [at for at, is_number in enumerate(numeric) if not is_number]
    if len(texts) != len(NEEDED):
        return []
    distinct = {at: len({row[at] for row in rows}) for at in texts}
    related = [at for at in texts if all(_RELATED.fullmatch(row[at].strip()) for row in rows)]
    if not related:
        return []
    # Of equally varied ones the middle.
    relation_at = min(related, key=lambda at: (distinct[at], at != texts[1]))
    names = ["weight" if is_number else "" for is_number in numeric]
    head_at, tail_at = (at for at in texts if at != relation_at)
    names[head_at], names[relation_at], names[tail_at] = NEEDED
    return ["-" if name == "weight" and "weight" in names[:at] else name for at, name in enumerate(names)]


def _columns(lines: Lines, options: Mapping[str, Any]) -> list[str]:
    """The names of the columns, checked.

    Raises:
        UnreadableFile: one is unknown, missing or named twice.
    """
    columns = [name.strip() for name in options["columns"].split(",")]
    odd = [name for name in columns if name not in COLUMNS]
    if odd or any(columns.count(name) != 1 for name in NEEDED) or columns.count("weight") > 1:
        raise UnreadableFile(
            lines.path,
            f"cannot be read with the columns {options['columns']!r}",
            remedy="name head, relation and tail once each, such as --columns relation,head,tail,weight",
        )
    return columns


def _cells(lines: Lines, options: Mapping[str, Any], columns: int) -> Cells:
    """A function that splits a line into cells.

    Raises:
        UnreadableFile: the delimiter is not usable.
    """
    delimiter = DELIMITERS.get(options["delimiter"], options["delimiter"])
    if not delimiter or "\n" in delimiter or (options["quotes"] and (len(delimiter) != 1 or delimiter in '"\r')):
        raise UnreadableFile(
            lines.path,
            f"cannot be read with the delimiter {options['delimiter']!r}",
            remedy=f"name one of {', '.join(list(DELIMITERS)[:5])}, or give the characters as they are in the file",
        )
    if options["quotes"]:
        return lambda line: _quoted(line, delimiter)
    if delimiter == " ":
        # Terms have spaces, relations do not: the last column is the rest of the line.
        return methodcaller("split", " ", columns - 1)
    return methodcaller("split", delimiter)


def _count(line: str, delimiter: str, columns: int) -> int:
    """How many cells a line has by a delimiter. Terms have spaces, so by spaces it has at most as many as there are columns."""
    if delimiter == " ":
        return len(line.split(" ", columns - 1))
    try:
        return len(_quoted(line, delimiter))
    except BadLine:
        return line.count(delimiter) + 1


def _quoted(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise BadLine(f"the quotes do not match ({error})") from error


IMPORTER = Triples()
