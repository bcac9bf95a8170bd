"""The statements of ``cypher/`` as saved queries of Neo4j Browser: one each, runnable at a click.

Neo4j Browser loses its parameters with every reload, and a saved query that sets them first is a script,
which shows no graph. So the values stand in the text itself, and the header says what can be changed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from graph.statements import Statement, literal, names, statement

FOLDERS = ("explore", "statistics")
MAX_SHOWN = 60
"""Characters of a value that the header repeats."""
_OPAQUE_OR_PARAMETER = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/|\$(?P<name>\w+)", re.DOTALL
)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""A fixed time, so that the same queries give the same bytes."""


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A statement with values in place of its parameters.

    Attributes:
        id: stable, so that a later version takes the place of an earlier one.
        folder: as shown among the favourites.
        title: the first line of ``text``, without the slashes.
    """

    id: str
    folder: str
    title: str
    text: str


def filled(found: Statement, given: Mapping[str, Any] | None = None) -> str:
    """The statement's Cypher with literals for its parameters: those given, else the defaults, else null."""
    values = {parameter.name: parameter.default for parameter in found.parameters}
    values.update({name: value for name, value in (given or {}).items() if name in values})

    def put(match: re.Match[str]) -> str:
        name = match["name"]
        return literal(values[name]) if name in values else match[0]

    return _OPAQUE_OR_PARAMETER.sub(put, found.text).strip()


def saved_query(name: str, suggested: Mapping[str, Any] | None = None) -> SavedQuery:
    """One statement of ``cypher/``, such as ``explore/harm_map``, as a saved query.

    Args:
        suggested: values for parameters that have no default; null stands where there is none.

    Raises:
        NotFound: there is no statement of that name.
    """
    found = statement(name)
    folder = name.partition("/")[0]
    values = {parameter.name: parameter.default for parameter in found.parameters}
    for parameter in found.parameters:
        if parameter.required:
            values[parameter.name] = (suggested or {}).get(parameter.name)
    lines = [found.title, *([found.description] if found.description else [])]
    for parameter in found.parameters:
        value = shorten(literal(values[parameter.name]), MAX_SHOWN, placeholder=" ...")
        lines.append(f"  {parameter.name}, here {value}: {parameter.meaning}")
    return SavedQuery(
        f"harmgraph-{name.replace('/', '-')}",
        f"harmgraph {folder}",
        _comment(found.title),
        "\n".join(["// " + _comment(line) for line in lines] + [filled(found, values)]),
    )


def _comment(line: str) -> str:
    """A line end or a semicolon inside a comment would make Neo4j Browser see two statements."""
    return re.sub(r"[\r\n\u2028\u2029]+", " ", line).replace(";", ",")


def saved_queries(suggested: Mapping[str, Any] | None = None) -> tuple[SavedQuery, ...]:
    """Every statement of ``cypher/explore`` and ``cypher/statistics``; see ``saved_query``."""
    return tuple(saved_query(name, suggested) for folder in FOLDERS for name in names(folder))


def archive(queries: tuple[SavedQuery, ...]) -> bytes:
    """A zip of ``folder/name.cypher``, the form that Neo4j Browser takes by drag and drop."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for query in queries:
            name = query.id.removeprefix("harmgraph-").partition("-")[2]
            files.writestr(zipfile.ZipInfo(f"{query.folder}/{name}.cypher", _ZIP_TIME), query.text)
    return packed.getvalue()
