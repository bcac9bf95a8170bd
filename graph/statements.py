"""The statements of ``cypher/``: text with a header that is its signature.

A file holds one statement, which runs as it stands in Neo4j Browser once its parameters are set, under a header:

    // Title
    // What it does, in a line or more.
    // takes: $source string = null: name of the source, every source where null
    // returns: target string: name of the target
    // cites: Mehrabi et al. 2021, equation 1

Four further lines say how a table of its rows reads; JSON and CSV keep the columns' own names and order:

    // keys: target category           columns that tell rows apart: no table is without them, however narrow
    // first: n o_minus                what the statement is for: beside the keys where a narrow table is folded
    // heading: other_n = $other n     what a table calls a column; $other is the value of that parameter
    // table: $source and $other       title of the table, the statement's own by default

Any other ``// word: text`` line is kept in ``notes``. A load statement is written for the relationship type
``RELATED_TO``; ``with_type`` puts a checked type in its place, because a dynamic type would plan a full scan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import BadName, DuplicateMember, NotFound, UnreadableFile
from harmgraph.graph.common.registry import package_of, plugins, tell_failure

TYPE_PLACEHOLDER = "RELATED_TO"
STATISTICS = "statistics"
TABLE_LINES = ("keys", "first", "heading", "table")
_TAKES = re.compile(r"\$(\w+)\s+([\w\[\]<>|]+)(?:\s*=\s*(.+?))?\s*:\s+(.*)")
_RETURNS = re.compile(r"(\w+)\s+([\w\[\]<>|]+)\s*:\s+(.*)")
_NOTE = re.compile(r"([a-z_]+):\s+(.*)")
_TYPE = re.compile(r"[A-Z][A-Z0-9_]*")
_PARAMETER = re.compile(r"\$(\w+)")
_LITERAL = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)

MAX_TYPE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a statement takes: ``required`` ones have no default."""

    name: str
    type: str
    default: Any
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Column:
    """What a statement returns."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of ``cypher/``, or of a user's file.

    Attributes:
        name: folder and file name without the ending, such as ``statistics/disparity``.
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

    def with_type(self, relation_type: str) -> Statement:
        """The same statement for another relationship type.

        Raises:
            BadName: the type does not match ``[A-Z][A-Z0-9_]*`` or is longer than 200 characters.
        """
        return self.with_types({TYPE_PLACEHOLDER: relation_type})

    def with_types(self, types: Mapping[str, str]) -> Statement:
        """The same statement with other relationship types in the place of those that it names.

        Args:
            types: the type that stands in the text, and the one to put there; all are replaced at once.

        Raises:
            BadName: as of ``with_type``.
        """
        for kind in types.values():
            checked_type(kind)
        named = "|".join(map(re.escape, types))
        return replace(self, text=re.sub(rf"(?<=:)(?:{named})\b", lambda match: types[match[0]], self.text))

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that tell rows apart; none where the header does not say."""
        return _words(self.notes, "keys")

    @property
    def first(self) -> tuple[str, ...]:
        """The columns that a narrow table shows beside the keys, in this order, before the others."""
        return _words(self.notes, "first")

    def table_title(self, given: Mapping[str, Any]) -> str:
        """Title of a table of the rows, the values of parameters in it."""
        return _with_values(self.notes.get("table", (self.title,))[-1], given)

    def headings(self, given: Mapping[str, Any]) -> dict[str, str]:
        """What a table calls columns whose own names would say too little, the values of parameters in it."""
        return {
            column: _with_values(text, given)
            for column, text in (_heading(self.name, note) for note in self.notes.get("heading", ()))
        }

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """The parameters to send: those given, and the defaults of the others.

        Raises:
            BadName: a name that the statement does not take, or a required one that is missing.
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
        """The statement with one ``:param`` line a parameter, ready to paste into Neo4j Browser."""
        lines = [f":param {name} => {literal(value)};" for name, value in self.arguments(given).items()]
        return "\n".join([*lines, self.text.strip() + ";"])


def checked_type(relation_type: str) -> str:
    """The type itself, where it may stand in a statement.

    Raises:
        BadName: otherwise. The types of relationships are the only names of a file that ever enter a statement's text.
    """
    if not _TYPE.fullmatch(relation_type) or len(relation_type) > MAX_TYPE_LENGTH:
        raise BadName("relationship type", relation_type, "is not of the form [A-Z][A-Z0-9_]*, 200 characters at most")
    return relation_type


def literal(value: Any) -> str:
    """A value as Cypher writes it. Strings are quoted as JSON does, which Cypher reads alike."""
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


def parse(name: str, source: str) -> Statement:
    """A statement from the text of its file. See the module for the header.

    Raises:
        UnreadableFile: a header line of the wrong form, or a ``$parameter`` that the header does not declare.
    """
    header: list[str] = []
    body: list[str] = []
    for line in source.split("\n"):  # not splitlines: a string of the statement may hold U+2028 and the like
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
    return Statement(name, title, " ".join(description), tuple(parameters), tuple(columns), tuple(cites), text, notes)


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
    """The notes, those about the table checked; without a signature lines of their form are remarks, and left out.

    Raises:
        UnreadableFile: one names a column or a parameter which the header does not declare.
    """
    if not columns:
        return {word: lines for word, lines in notes.items() if word not in TABLE_LINES}
    headings = [_heading(name, note) for note in notes.get("heading", ())]
    for word, named in (
        ("keys", _words(notes, "keys")),
        ("first", _words(notes, "first")),
        ("heading", [column for column, _ in headings]),
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
        value = json.loads(default.replace("'", '"'))
    except json.JSONDecodeError as error:
        raise UnreadableFile(name, f"the default of ${parameter} is not a JSON value: {default}") from error
    return Parameter(parameter, kind, value, False, meaning)


@cache
def statement(name: str) -> Statement:
    """The statement ``cypher/<name>.cypher``.

    Raises:
        NotFound: there is none of that name; lists near names.
    """
    file = resources.files("harmgraph.cypher").joinpath(*f"{name}.cypher".split("/"))
    if ".." not in name and file.is_file():
        return parse(name, file.read_text(encoding="utf-8"))
    if name in statistics_of_plugins():
        return parse(name, statistics_of_plugins()[name])
    raise NotFound("statement", name, names())


@cache
def statistics_of_plugins() -> Mapping[str, str]:
    """The text of each statistic that another package brought, by its name such as ``statistics/insults``.

    Such a package names, at the entry points ``harmgraph.statistics``, a package of its own with ``.cypher`` files in it.

    Raises:
        DuplicateMember: two statistics have one name; of one of ours, that of the other package is refused.
    """
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    ours = resources.files("harmgraph.cypher").joinpath(STATISTICS)
    for point in plugins(STATISTICS):
        try:
            package = point.load()
            files = [file for file in resources.files(package).iterdir() if file.name.endswith(".cypher")]
            read = {file.name.removesuffix(".cypher"): file.read_text(encoding="utf-8") for file in files}
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code is not ours, and harms nothing but itself
            tell_failure("statistic", point, error)
            continue
        for stem, text in read.items():
            place = f"{point.value} of {package_of(point)}"
            if stem in places or ours.joinpath(f"{stem}.cypher").is_file():
                raise DuplicateMember("statistic", stem, (places.get(stem, "harmgraph"), place))
            places[stem], texts[f"{STATISTICS}/{stem}"] = place, text
    return texts


def from_file(path: Path) -> Statement:
    """A statement from a user's own file; a header is welcome and not needed.

    Raises:
        UnreadableFile: the file cannot be read.
    """
    try:
        return parse(path.name, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(path, f"cannot be read ({error})") from error


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
    """The names of the statements that answer a question of a user's; the others belong to commands."""
    return tuple(name for name in names() if "readers" in statement(name).notes.get("for", ()))


def from_name(name: str) -> Statement:
    """A file of the user's own, or a statement of ``cypher/``.

    Raises:
        UnreadableFile, NotFound: neither.
    """
    if Path(name).is_file():
        return from_file(Path(name))
    if name.removesuffix(".cypher") not in names() and (name.endswith(".cypher") or " " in name):
        raise UnreadableFile(name[:80], "no such file", remedy="name a file, or one of 'harmgraph query --list'")
    return statement(name.removesuffix(".cypher"))
