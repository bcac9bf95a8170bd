"""Any file of triples: delimited, Parquet or Arrow."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from operator import methodcaller
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.columnar import columnar, columnar_form, parsed_rows, text_of
from harmgraph.loader.formats.header import HEADER, NAMES, header_at, left_out, names_columns
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import DELIMITERS as TABLES
from harmgraph.loader.formats.sample import EVEN, FileSample
from harmgraph.loader.formats.terms import LANGUAGE, chosen_language, concept, number, relation

DELIMITERS = {"tab": "\t", "space": " ", "comma": ",", "semicolon": ";", "pipe": "|", "\\t": "\t"}
SHOWN = 12  # columns in a message
COLUMNS = ("head", "relation", "tail", "weight", "-")
NEEDED = ("head", "relation", "tail")
HEADERS = (("head", "tail"), ("subject", "object"))  # these are a header whatever the relation is called

_SPACED = re.compile(r"\S+ (/r/\w+|[A-Z]\w*[a-z]\w*) \S")
_RELATED = re.compile(r"[^\W\d_][\w/:.' -]{0,60}|/[\w/.-]+")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)

Cells = Callable[[str], list[str]]


class Triples(Importer):
    """Columns in any order. With the delimiter space the last column is the rest of the line.

    The columns of Parquet and Arrow files are found by their names, such as ``subject``, unless ``--columns`` says what each is.
    """

    name = "triples"
    about = About(
        title="any triples: delimited, Parquet, Arrow",
        home="https://en.wikipedia.org/wiki/Delimiter-separated_values",
        licence="that of the file",
        citation="that of the file",
        version="that of the file",
        kind="files of yours",
    )
    gives = "triples"
    data_sets = True
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
        if not sample.content:
            yield {}  # a file of columns
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

    def of_whole(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record] | None:
        """See ``Importer.of_whole``.

        Raises:
            UnreadableFile: its columns are not those of a triple.
            MissingExtra: pyarrow is not installed.
        """
        return _of_columns(lines, options) if columnar_form(lines.start) else None

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        columns = _columns(lines, options)
        cells = _cells(lines, options, len(columns))
        fewest = max(map(columns.index, NEEDED)) + 1
        make = _maker(columns, options)

        def looks_so(line: str) -> bool:
            parts = cells(line)
            if len(parts) < fewest:
                return False
            texts = {name: parts[columns.index(name)] for name in NEEDED}
            ends = texts["head"].strip().lower(), texts["tail"].strip().lower()
            return ends in HEADERS or names_columns(texts)

        header = header_at(lines, options, looks_so)

        def parse(line: str, line_number: int) -> Record:
            if line_number == header:
                raise left_out(line)
            parts = cells(line)
            if not fewest <= len(parts) <= len(columns):
                raise BadLine(f"{len(parts)} columns where {len(columns)} are expected")
            return make(parts, line_number)

        return parse


def _maker(columns: Sequence[str], options: Mapping[str, Any]) -> Callable[[Sequence[str], int], Triple]:
    """A function that makes a triple of the cells of a row, and its number."""
    head_at, relation_at, tail_at = (columns.index(name) for name in NEEDED)
    weight_at = columns.index("weight") if "weight" in columns else len(columns)
    skipped = frozenset(name.strip() for name in options["skip_relations"].split(",") if name.strip())
    language = chosen_language(options)
    spaces: bool = options["underscores"]

    @lru_cache(maxsize=10_000)
    def named(name: str) -> str:
        """Cached, because many lines share the same relations."""
        if name in skipped or name.removeprefix("/r/").split("/", 1)[0] in skipped:
            raise LeftOut(f"relation {name[:100]}")
        return relation(name.replace("_", " ") if spaces else name)

    def make(parts: Sequence[str], number_of_row: int) -> Triple:
        name = named(parts[relation_at])
        properties: dict[str, Scalar] = {"weight": number(parts[weight_at])} if weight_at < len(parts) else {}
        return Triple(
            concept(parts[head_at], language, "head"),
            name,
            concept(parts[tail_at], language, "tail"),
            properties=properties,
            line=number_of_row,
        )

    return make


def _of_columns(lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
    with columnar(lines) as file:
        places = {name: at for at, name in enumerate(_named_columns(lines, file.names, options)) if name != "-"}
        chosen = [name for name in (*NEEDED, "weight") if name in places]
        make = _maker(chosen, options)

        def parse(cells: tuple[Any, ...], row: int) -> Record:
            texts = [_cell_text(value, name) for value, name in zip(cells, chosen, strict=True)]
            return make(texts if texts[-1] or len(texts) == len(NEEDED) else texts[:-1], row)

        yield from parsed_rows(lines, file, [places[name] for name in chosen], parse)


def _cell_text(value: Any, name: str) -> str:
    """A cell as a line would have it: empty where it is missing, and a number as its digits.

    Raises:
        BadLine: it is anything else than a text or a number.
    """
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float | Decimal) else text_of(value, f"the {name}")


def _named_columns(lines: Lines, names: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """What each column of a file is: by its name, or in the order of ``--columns`` where that is given.

    Raises:
        UnreadableFile: a part of a triple has no column, or several.
    """
    given = _columns(lines, options)
    if given != list(NEEDED):
        found = given if len(given) == len(names) else []
    else:
        lower = [name.strip().lower() for name in names]
        roles = [next((role for role in NEEDED if name in NAMES[role]), "-") for name in lower]
        found = ["weight" if name == "weight" else role for name, role in zip(lower, roles, strict=True)]
        if not set(NEEDED) & set(found) and len(names) == len(NEEDED):
            found = given
    if any(found.count(role) != 1 for role in NEEDED) or found.count("weight") > 1:
        known = ", ".join(name[:40] for name in names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
        raise UnreadableFile(
            lines.path,
            f"does not say which of its {len(names)} columns are head, relation and tail; it has {known}",
            remedy="say what each is, in their order, such as --columns relation,head,tail,-",
        )
    return found


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
