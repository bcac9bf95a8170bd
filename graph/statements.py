"""The statements of ``cypher/``: each is Cypher text with a header that describes its parameters and columns.

A file contains one statement, which runs unchanged in Neo4j Browser once its parameters are set, below a header:

    // Title
    // What it does, in a line or more.
    // takes: $source string = null: name of the source, all sources unless given
    // returns: target string: name of the target
    // cites: Mehrabi et al. 2021, equation 1

A type is ``string``, ``int``, ``float``, ``bool``, ``map``, ``list``, ``node``, ``path`` or ``datetime``; ``list<string>`` says
what is in a list, and ``float|null`` that a column may be null. ``graph/typed/rows.py`` is written from these lines.

Five further lines describe how its rows are shown as a table; JSON and CSV keep the names and order of the columns:

    // keys: target category           columns that identify a row; every table has them, however narrow
    // first: n o_minus                the main columns: next to the keys when a narrow table is split
    // heading: other_n = $other n     heading of a column; $other is the value of that parameter
    // table: $source and $other       title of the table, the title of the statement by default
    // says: {beyond} of {words} words  a line under the table, with columns that are alike in all rows and not in the table

Three lines say on what parts of the graph (``kept_file.PARTS``) it depends, and what it makes:

    // kept: until the triples change  its rows are kept until these parts change
    // changes: labels                 all that a writing statement changes; it may change everything if it does not say
    // properties: $label sentence     properties that it may be the first to write; $label is the value of that parameter

Any other ``// word: text`` line is kept in ``notes``. A load statement is written for the relationship type
``RELATED_TO``; ``with_type`` replaces it with another, checked type, since a dynamic type would lead to a full scan.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName, DuplicateMember, NotFound, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.registry import package_of, plugins, tell_failure
from harmgraph.common.user_file import decoded, read_text
from harmgraph.graph.records import RELATIONSHIP_TYPE

TYPE_PLACEHOLDER = "RELATED_TO"
STATISTICS = "statistics"
NULLABLE = "|null"
TABLE_LINES = ("keys", "first", "heading", "table", "says")
_TAKES = re.compile(r"\$(\w+)\s+([\w\[\]<>|]+)(?:\s*=\s*(.+?))?\s*:\s+(.*)")
_RETURNS = re.compile(r"(\w+)\s+([\w\[\]<>|]+)\s*:\s+(.*)")
_NOTE = re.compile(r"([a-z_]+):\s+(.*)")
_PARAMETER = re.compile(r"\$(\w+)")
_SAID = re.compile(r"\{(\w+)\}")
OPAQUE = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/"
"""What is no part of a statement's own words: texts, quoted names, comments."""
LAST_RETURN = re.compile(r"(?ms)^RETURN (?P<items>(?:(?!^RETURN ).)*?)(?P<rest>^(?:ORDER BY|SKIP|LIMIT)\b.*)?\Z")
_LITERAL = re.compile(OPAQUE, re.DOTALL)
_BETWEEN = re.compile(rf"{OPAQUE}|[(\[{{]|[)\]}}]|,", re.DOTALL)

MAX_TYPE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a statement; ``required`` ones have no default."""

    name: str
    type: str
    default: Any
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a statement returns."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class CypherStatement:
    """A statement of ``cypher/``, or of a user's file.

    Attributes:
        name: folder and file name without the suffix, such as ``statistics/disparity``.
        text: the Cypher without the header.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    cites: tuple[str, ...]
    text: str
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def with_type(self, relation_type: str) -> CypherStatement:
        """The same statement for another relationship type.

        Raises:
            BadName: the type does not match ``[A-Z][A-Z0-9_]*`` or is longer than 200 characters.
        """
        return self.with_types({TYPE_PLACEHOLDER: relation_type})

    def with_types(self, types: Mapping[str, str]) -> CypherStatement:
        """The same statement with other relationship types.

        Args:
            types: new type by the type in the text; all are replaced at once.

        Raises:
            BadName: as for ``with_type``.
        """
        for kind in types.values():
            checked_type(kind)
        named = "|".join(map(re.escape, types))
        return replace(self, text=re.sub(rf"(?<=:)(?:{named})\b", lambda match: types[match[0]], self.text))

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that identify a row; empty if the header does not name any."""
        return _words(self.notes, "keys")

    @property
    def first(self) -> tuple[str, ...]:
        """The columns that a narrow table shows first after the keys, in this order."""
        return _words(self.notes, "first")

    @property
    def raw(self) -> tuple[str, ...]:
        """The columns that only a computation needs, such as the counts of each target for the bootstrap."""
        return tuple(note.partition("=")[0].strip() for note in self.notes.get("bootstrap", ()))

    def for_reading(self) -> CypherStatement:
        """The same statement without its raw columns."""
        match = LAST_RETURN.search(self.text) if self.raw else None
        if not match:
            return self
        kept = [item for item in items(match["items"]) if item.rpartition(" AS ")[2].strip() not in self.raw]
        text = self.text[: match.start("items")] + ",".join(kept).rstrip() + "\n" + (match["rest"] or "")
        return replace(self, text=text, columns=tuple(column for column in self.columns if column.name not in self.raw))

    def table_title(self, given: Mapping[str, Any]) -> str:
        """Title of a table of the rows, with the values of parameters filled in."""
        return _with_values(self.notes.get("table", (self.title,))[-1], given)

    @property
    def said(self) -> tuple[str, ...]:
        """The columns that the line under a table says, and the table therefore leaves out."""
        return tuple(name for text in self.notes.get("says", ()) for name in _SAID.findall(text))

    def says(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """The lines under a table of these rows; none without rows."""
        texts = self.notes.get("says", ()) if rows else ()
        return tuple(_SAID.sub(lambda match: f"{rows[0][match[1]]:,}", text) for text in texts)

    def headings(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Table headings of columns whose names say too little, with the values of parameters filled in."""
        return {
            column: _with_values(text, given)
            for column, text in (_heading(self.name, note) for note in self.notes.get("heading", ()))
        }

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """The parameters to send: the given ones, and the defaults of the others.

        Raises:
            BadName: the statement does not take a parameter, or a required one is missing.
        """
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise BadName(
                    "parameter", name, f"is not taken by {self.name}; it takes {', '.join(sorted(known)) or 'none'}"
                )
        sent = {parameter.name: parameter.default for parameter in self.parameters}
        sent.update(given)
        for parameter in self.parameters:
            if parameter.required and parameter.name not in given:
                meaning = f" ({parameter.meaning})" if parameter.meaning else ""
                why = f"is needed by {self.name}{meaning}: give it as --param {parameter.name}=VALUE"
                raise BadName("parameter", parameter.name, why)
        return sent

    def pasteable(self, given: dict[str, Any]) -> str:
        """The statement with a ``:param`` line for each parameter and no raw column, ready to paste into Neo4j Browser."""
        lines = [f":param {name} => {literal(value)};" for name, value in self.arguments(given).items()]
        return "\n".join([*lines, self.for_reading().text.strip() + ";"])


def items(text: str) -> Iterator[str]:
    """The parts of a RETURN clause between commas that are not inside brackets."""
    depth = start = 0
    for match in _BETWEEN.finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif match[0] == "," and depth == 0:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def checked_type(relation_type: str) -> str:
    """Returns the type if it may be used in a statement.

    Raises:
        BadName: it may not. Relationship types are the only names from files that are inserted into a statement's text.
    """
    if not RELATIONSHIP_TYPE.fullmatch(relation_type) or len(relation_type) > MAX_TYPE_LENGTH:
        raise BadName("relationship type", relation_type, "is not of the form [A-Z][A-Z0-9_]*, 200 characters at most")
    return relation_type


def literal(value: Any) -> str:
    """A value as a Cypher literal. Strings are quoted as in JSON, which Cypher reads in the same way."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, dict):
        inner = ", ".join(f"`{str(key).replace('`', '``')}`: {literal(item)}" for key, item in value.items())
        return "{" + inner + "}"
    raise TypeError(f"no Cypher literal for {type(value).__name__}")


def parse(name: str, source: str) -> CypherStatement:
    """Parses the text of a statement's file. See the module for the header.

    Raises:
        UnreadableFile: a header line has the wrong form, or the header and the text have different parameters.
    """
    header: list[str] = []
    body: list[str] = []
    for line in source.split("\n"):  # not splitlines: a string in the statement may contain U+2028 and the like
        if not body and line.startswith("//"):
            header.append(line[2:].strip())
        elif body or line.strip():
            body.append(line)
    title = header[0] if header else name
    description: list[str] = []
    parameters: list[Parameter] = []
    columns: list[Column] = []
    cites: list[str] = []
    notes: dict[str, tuple[str, ...]] = {}
    for line in header[1:]:
        note = _NOTE.fullmatch(line)
        word, rest = note.groups() if note else ("", line)
        if word == "takes":
            parameters.append(_parameter(name, rest))
        elif word == "returns":
            match = _RETURNS.fullmatch(rest)
            if not match:
                raise UnreadableFile(name, f"cannot read the header line 'returns: {rest}'")
            columns.append(Column(*match.groups()))
        elif word == "cites":
            cites.append(rest)
        elif word:
            notes[word] = (*notes.get(word, ()), rest)
        else:
            description.append(line)
    text = "\n".join(body).strip().removesuffix(";") + "\n"
    declared = {parameter.name for parameter in parameters}
    used = set(_PARAMETER.findall(_LITERAL.sub("", text)))
    if (parameters or columns) and used != declared:
        odd = ", ".join(sorted(used ^ declared))
        raise UnreadableFile(name, f"the header and the statement disagree about the parameters {odd}")
    notes = _checked_table_lines(name, notes, {column.name for column in columns}, declared)
    if not (parameters or columns):
        parameters = [Parameter(used_name, "any", None, True, "") for used_name in sorted(used)]
    return CypherStatement(
        name, title, " ".join(description), tuple(parameters), tuple(columns), tuple(cites), text, notes
    )


def _words(notes: Mapping[str, tuple[str, ...]], word: str) -> tuple[str, ...]:
    return tuple(" ".join(notes.get(word, ())).split())


def _heading(name: str, note: str) -> tuple[str, str]:
    column, equals, text = (part.strip() for part in note.partition("="))
    if not (column and equals and text):
        raise UnreadableFile(name, f"cannot read the header line 'heading: {note}'")
    return column, text


def _with_values(text: str, values: Mapping[str, Any]) -> str:
    return _PARAMETER.sub(lambda match: str(values.get(match[1], match[0])), text)


def _checked_table_lines(
    name: str, notes: dict[str, tuple[str, ...]], columns: set[str], parameters: set[str]
) -> dict[str, tuple[str, ...]]:
    """The notes, after checking those about the table. Without declared columns, table notes are comments and left out.

    Raises:
        UnreadableFile: a note names a column or parameter that the header does not declare.
    """
    if not columns:
        return {word: lines for word, lines in notes.items() if word not in TABLE_LINES}
    headings = [_heading(name, note) for note in notes.get("heading", ())]
    for word, named in (
        ("keys", _words(notes, "keys")),
        ("first", _words(notes, "first")),
        ("heading", [column for column, _ in headings]),
        ("says", [column for text in notes.get("says", ()) for column in _SAID.findall(text)]),
    ):
        odd = [listed for listed in named if listed not in columns]
        if odd:
            raise UnreadableFile(name, f"the header line '{word}:' names no column of its own: {', '.join(odd)}")
    for word, texts in (("heading", [text for _, text in headings]), ("table", notes.get("table", ()))):
        odd = [listed for text in texts for listed in _PARAMETER.findall(text) if listed not in parameters]
        if odd:
            raise UnreadableFile(name, f"the header line '{word}:' names no parameter of its own: {', '.join(odd)}")
    return notes


def _parameter(name: str, line: str) -> Parameter:
    match = _TAKES.fullmatch(line)
    if not match:
        raise UnreadableFile(name, f"cannot read the header line 'takes: {line}'")
    parameter, kind, default, meaning = match.groups()
    if default is None:
        return Parameter(parameter, kind, None, True, meaning)
    try:
        value = from_json(default.replace("'", '"'))
    except ValueError as error:
        raise UnreadableFile(name, f"the default of ${parameter} is not a JSON value: {default}") from error
    return Parameter(parameter, kind, value, False, meaning)


@cache
def statement(name: str) -> CypherStatement:
    """The statement ``cypher/<name>.cypher``.

    Raises:
        NotFound: there is no statement of that name; lists similar names.
    """
    found = of_harmgraph(name)
    if found:
        return found
    if name in statistics_of_plugins():
        return parse(name, statistics_of_plugins()[name])
    raise NotFound("statement", name, names())


@cache
def of_harmgraph(name: str) -> CypherStatement | None:
    """The statement ``cypher/<name>.cypher``; None if there is no such file, as for a statistic of another package."""
    file = resources.files("harmgraph.cypher").joinpath(*f"{name}.cypher".split("/"))
    return parse(name, file.read_text(encoding="utf-8")) if ".." not in name and file.is_file() else None


@cache
def statistics_of_plugins() -> Mapping[str, str]:
    """The texts of statistics from other packages, by name, such as ``statistics/insults``.

    Such a package has an entry point in ``harmgraph.statistics`` that names a package with ``.cypher`` files.

    Raises:
        DuplicateMember: two statistics have the same name, or one has the name of a statistic of harmgraph.
    """
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    ours = resources.files("harmgraph.cypher").joinpath(STATISTICS)
    for point in plugins(STATISTICS):
        try:
            package = point.load()
            files = [file for file in resources.files(package).iterdir() if file.name.endswith(".cypher")]
            read = {file.name.removesuffix(".cypher"): file.read_text(encoding="utf-8") for file in files}
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in's failure must not affect anything else
            tell_failure("statistic", point, error)
            continue
        for stem, text in read.items():
            place = f"{point.value} of {package_of(point)}"
            if stem in places or ours.joinpath(f"{stem}.cypher").is_file():
                raise DuplicateMember("statistic", stem, (places.get(stem, "harmgraph"), place))
            places[stem], texts[f"{STATISTICS}/{stem}"] = place, text
    return texts


def from_file(path: Path) -> CypherStatement:
    """A statement from a user's own file; a header is optional.

    Raises:
        UnreadableFile: the file cannot be read.
    """
    return parse(path.name, read_text(path))


@cache
def names(folder: str = "") -> tuple[str, ...]:
    """The names of all statements, or of those in one folder of ``cypher/``."""
    root = resources.files("harmgraph.cypher")
    listed: list[str] = []
    for part in sorted(root.iterdir(), key=lambda part: part.name):
        if part.is_dir() and (not folder or part.name == folder):
            listed += [f"{part.name}/{file.name[:-7]}" for file in part.iterdir() if file.name.endswith(".cypher")]
    if folder in ("", STATISTICS):
        listed += statistics_of_plugins()
    return tuple(sorted(listed))


def for_readers() -> tuple[str, ...]:
    """The names of the statements for users; the others are used by commands."""
    return tuple(name for name in names() if "readers" in statement(name).notes.get("for", ()))


TEXT, STDIN = "your statement", "-"
_CYPHER = re.compile(r"[\s({]")  # what stands in every statement and in no name of one


def from_name(name: str) -> CypherStatement:
    """The statement in a user's file, one of ``cypher/``, the text of a statement, or ``-`` for that on stdin.

    Raises:
        UnreadableFile, NotFound: the name is none of these, or what is on stdin is not a text.
    """
    if name == STDIN:
        text = decoded(Path("stdin"), sys.stdin.buffer.read())
        if not text.strip():
            raise UnreadableFile("stdin", "holds no statement", remedy="pipe one into 'harmgraph query -'")
        return parse(TEXT, text)
    if Path(name).is_file():
        return from_file(Path(name))
    if name.removesuffix(".cypher") not in names():
        if name.endswith(".cypher"):
            raise UnreadableFile(name[:80], "no such file", remedy="name a file, or one of 'harmgraph query --list'")
        if _CYPHER.search(name.strip()):
            return parse(TEXT, name)
    return statement(name.removesuffix(".cypher"))
