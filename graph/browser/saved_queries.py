"""The statements of ``cypher/`` as saved queries of Neo4j Browser, each of which runs with one click.

Neo4j Browser loses its parameters with every reload, and a saved query that sets them first is a script, which shows no graph.
So the values are written into the text, and the header says what can be changed. The text is what a person would write for
these values: ``r.sentiment`` for ``r[$measure]``, no ``coalesce(null, ...)``.

The saved queries are ``cypher/explore``, ``cypher/statistics`` and every other statement whose header has a line
``// favourite: FOLDER``.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any

from harmgraph.graph.statements import LAST_RETURN, NULLABLE, OPAQUE, CypherStatement, items, literal, names, statement

FOLDERS = ("explore", "statistics")
MAX_SHOWN = 60
"""Maximum number of characters of a value shown in the header."""
DIGITS = 3
"""Decimal places of numbers in a saved query."""
_OF_A_MEASURE = r"\[\$\w+(?: \+ '\w+')?\]"
_TO_FILL = re.compile(
    rf"{OPAQUE}"
    # A condition that is true for all if the parameter is null: t.category = coalesce($category, t.category)
    rf"|(?<![\w.])(?P<left>\w+(?:\.\w+|{_OF_A_MEASURE})?) = coalesce\(\$(?P<only>\w+), (?P=left)\)"
    r"|coalesce\(\$(?P<given>\w+), (?P<otherwise>[^()]*)\)"
    # A list of names, and what stands in its place where none is given: coalesce(list.name IN $lists, list.of IS NULL)
    r"|coalesce\((?P<member>[\w.]+) IN \$(?P<lists>\w+), (?P<usual>[^()]*)\)"
    # A property whose name is in a parameter: r[$measure], r[$measure + '_score']
    r"|(?<=[\w\])])\[\$(?P<property>\w+)(?: \+ '(?P<suffix>\w+)')?\]"
    r"|\$(?P<name>\w+)",
    re.DOTALL,
)
_CONDITION = re.compile(rf"(?<![\w.])(\w+(?:\.\w+|{_OF_A_MEASURE})?) = coalesce\(\$(\w+), \1\)")
_PLAIN = re.compile(r"[A-Za-z_]\w*")
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""A fixed time, so that the same queries give the same bytes."""


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A statement with values in place of its parameters.

    Attributes:
        id: stable, so that a later version replaces an earlier one.
        folder: folder shown among the favourites.
        title: the first line of ``text``, without the slashes.
    """

    id: str
    folder: str
    title: str
    text: str


def filled(query: CypherStatement, given: Mapping[str, Any] | None = None) -> str:
    """The statement's Cypher with values for its parameters: the given ones, else the defaults, else null.

    It returns the same rows as with parameters, except that floats are rounded to ``DIGITS``, and that there is no raw column.
    """
    query = query.for_reading()
    values = {parameter.name: parameter.default for parameter in query.parameters}
    values.update({name: value for name, value in (given or {}).items() if name in values})

    def put(match: re.Match[str]) -> str:
        left, only, either, key, name = (match[group] for group in ("left", "only", "given", "property", "name"))
        if only in values:
            shown = _TO_FILL.sub(put, left)
            return f"{shown} IS NOT NULL" if values[only] is None else f"{shown} = {literal(values[only])}"
        if either in values:
            return (
                literal(values[either]) if values[either] is not None else _whole(_TO_FILL.sub(put, match["otherwise"]))
            )
        if match["lists"] in values:
            chosen = values[match["lists"]]
            usual = _TO_FILL.sub(put, match["usual"])
            return f"({usual})" if chosen is None else f"{match['member']} IN {literal(chosen)}"
        if key in values:
            return _property(values[key], match["suffix"] or "")
        return literal(values[name]) if name in values else match[0]

    floats = {column.name for column in query.columns if column.type.removesuffix(NULLABLE) == "float"}
    return _rounded(_TO_FILL.sub(put, query.text).strip(), floats)


def addressed(cypher: str) -> str:
    """The statement with ``&``, ``#`` and ``%`` escaped for an address, which Neo4j Browser decodes before it splits it.

    In the statements of ``cypher/`` these characters only occur in strings, where Cypher reads ``\\u0026`` as the same.
    """
    return re.sub(r"[&#%]", lambda match: f"\\u{ord(match[0]):04x}", cypher)


def _conditions(query: CypherStatement, parameter: str, values: Mapping[str, Any]) -> list[str]:
    """The expressions that a parameter is compared with, as written in the filled statement."""
    lefts = dict.fromkeys(left for left, only in _CONDITION.findall(query.text) if only == parameter)
    return [filled(replace(query, text=left, columns=()), values) for left in lefts]


def _property(name: Any, suffix: str) -> str:
    """The Cypher that reads a property whose name is given as a value."""
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return f".{name}{suffix}"
    return f"[{literal(name)} + {literal(suffix)}]" if suffix else f"[{literal(name)}]"


def _whole(expression: str) -> str:
    """The expression, in parentheses if it contains spaces, so that it can be part of another one."""
    return f"({expression})" if " " in expression else expression


def _rounded(text: str, columns: set[str]) -> str:
    """The statement with these returned columns rounded."""
    match = LAST_RETURN.search(text)
    if not match or not columns:
        return text
    rounded = []
    for item in items(match["items"]):
        body = item.strip()
        before, after = item[: len(item) - len(item.lstrip())], item[len(item.rstrip()) :]
        expression, _, name = body.rpartition(" AS ")
        if name in columns and not expression.startswith("round("):
            body = f"round({expression or name}, {DIGITS}) AS {name}"
        rounded.append(before + body + after)
    return text[: match.start("items")] + ",".join(rounded) + (match["rest"] or "")


def favourites() -> tuple[str, ...]:
    """The names of the statements that are saved queries."""
    return tuple(name for name in names() if name.partition("/")[0] in FOLDERS or "favourite" in statement(name).notes)


def saved_query(name: str, suggested: Mapping[str, Any] | None = None) -> SavedQuery:
    """One statement of ``cypher/``, such as ``explore/harm_map``, as a saved query.

    Args:
        suggested: values for parameters that have no default; null is used if there is none.

    Raises:
        NotFound: there is no statement of that name.
    """
    query = statement(name)
    folder = query.notes.get("favourite", (name.partition("/")[0],))[0]
    values = {parameter.name: parameter.default for parameter in query.parameters}
    for parameter in query.parameters:
        if parameter.required:
            values[parameter.name] = (suggested or {}).get(parameter.name)
    lines = [query.title, *([query.description] if query.description else [])]
    for parameter in query.parameters:
        value = shorten(literal(values[parameter.name]), MAX_SHOWN, placeholder=" ...")
        if values[parameter.name] is None and (places := _conditions(query, parameter.name, values)):
            value = f'all (for one write = "..." where it says IS NOT NULL behind {" and ".join(places)})'
        lines.append(f"  {parameter.name}, here {value}: {parameter.meaning}")
    return SavedQuery(
        f"harmgraph-{name.replace('/', '-')}",
        f"harmgraph {folder}",
        _comment(query.title),
        "\n".join(["// " + _comment(line) for line in lines] + [filled(query, values)]),
    )


def _comment(line: str) -> str:
    """The line without line breaks and semicolons, which would make Neo4j Browser see two statements."""
    return re.sub(r"[\r\n\u2028\u2029]+", " ", line).replace(";", ",")


def saved_queries(suggested: Mapping[str, Any] | None = None) -> tuple[SavedQuery, ...]:
    """Every favourite; see ``saved_query``."""
    return tuple(saved_query(name, suggested) for name in favourites())


def archive(queries: tuple[SavedQuery, ...]) -> bytes:
    """A zip archive of ``folder/name.cypher`` files, which Neo4j Browser accepts by drag and drop."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for query in queries:
            name = query.id.removeprefix("harmgraph-").partition("-")[2]
            files.writestr(zipfile.ZipInfo(f"{query.folder}/{name}.cypher", _ZIP_TIME), query.text)
    return packed.getvalue()
