"""The types of rows follow from the headers of ``cypher/``: ``make docs`` writes them, this test holds them to it."""

from __future__ import annotations

import os
import re

import pytest

from harmgraph.graph.statements import NULLABLE, Parameter, Statement, names, parse, statement, statistics_of_plugins
from tests.support.places import ROOT

MODULE = ROOT / "graph" / "typed" / "rows.py"
WIDTH = 120

# How ``Graph.rows`` returns a type of a header: the driver makes a dictionary of a node, and a list of a path.
RETURNED = {
    "string": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "map": "dict[str, Any]",
    "list": "list[Any]",
    "node": "dict[str, Any]",
    "path": "list[Any]",
    "datetime": "object",
}
# The driver sends a tuple as a list too.
TAKEN = {**RETURNED, "list": "list[Any] | tuple[Any, ...]"}

HEAD = '''"""The rows of the statements of ``cypher/``, typed by their headers; written by ``make docs``.

Only type checkers read this file: at run time nothing imports it. A statement whose name is known only then is given as
``statement(name)``; its rows are typed no further.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict, overload

from harmgraph.graph.statements import Statement
'''
DOOR = '''

class TypedRows(Protocol):
    """``Graph.rows``: what each statement takes, and the rows that it returns."""

'''
# Not ``str | Statement``: it would take a misspelt name, and a known name with a misspelt parameter.
ANY_STATEMENT = """    @overload
    def __call__(self, query: Statement, **parameters: Any) -> list[dict[str, Any]]: ...
"""


def python_type(kind: str, table: dict[str, str]) -> str:
    """The Python type of a header's type, such as ``list<string>`` or ``float|null``."""
    plain = kind.removesuffix(NULLABLE)
    match = re.fullmatch(r"list<(.+)>", plain)
    written = table["list"].replace("Any", python_type(match[1], table)) if match else table[plain]
    return written if plain == kind else f"{written} | None"


def row_name(query: Statement) -> str:
    return "".join(word.capitalize() for word in re.split(r"[/_]", query.name)) + "Row"


def typed_rows() -> str:
    """The text of the module, as ruff would format it."""
    declared = [statement(name) for name in names() if name not in statistics_of_plugins()]
    declared = [query for query in declared if query.columns]
    return HEAD + "".join(map(_row, declared)) + DOOR + "".join(map(_overload, declared)) + ANY_STATEMENT


def _row(query: Statement) -> str:
    columns = "".join(f"    {column.name}: {python_type(column.type, RETURNED)}\n" for column in query.columns)
    return f'\n\nclass {row_name(query)}(TypedDict):\n    """{query.title}."""\n\n{columns}'


def _overload(query: Statement) -> str:
    given = ["self", f'query: Literal["{query.name}"]', *(["*"] if query.parameters else [])]
    given += map(_parameter, query.parameters)
    returned = f"list[{row_name(query)}]: ..."
    line = f"    def __call__({', '.join(given)}) -> {returned}"
    if len(line) > WIDTH:
        line = "\n".join(["    def __call__(", *(f"        {part}," for part in given), f"    ) -> {returned}"])
    return f"    @overload\n{line}\n"


def _parameter(parameter: Parameter) -> str:
    kind = python_type(parameter.type, TAKEN)
    if parameter.required:
        return f"{parameter.name}: {kind}"
    return f"{parameter.name}: {kind if parameter.default is not None else f'{kind} | None'} = ..."


def test_the_types_are_those_of_the_headers() -> None:
    text = typed_rows()
    if os.environ.get("HARMGRAPH_RENEW"):
        MODULE.write_text(text, encoding="utf-8")
    assert MODULE.read_text(encoding="utf-8") == text, "run 'make docs' and look at the difference"


HEADED = """// Title
// takes: $source string = null: name of the source
// takes: $keys list<string>: keys
// returns: target string: name
// returns: score float|null: null where there is none
// returns: labels list<string|null>: labels
RETURN $source AS target, $keys[0] AS score, $keys AS labels
"""


def test_a_header_is_a_row_and_an_overload() -> None:
    headed = parse("folder/a_name", HEADED)
    assert _row(headed).split("\n")[2:] == [
        "class FolderANameRow(TypedDict):",
        '    """Title."""',
        "",
        "    target: str",
        "    score: float | None",
        "    labels: list[str | None]",
        "",
    ]
    assert _overload(headed) == (
        '    @overload\n    def __call__(\n        self,\n        query: Literal["folder/a_name"],\n        *,\n'
        "        source: str | None = ...,\n        keys: list[str] | tuple[str, ...],\n    ) -> list[FolderANameRow]: ...\n"
    )


def test_an_unknown_type_is_not_passed_over() -> None:
    with pytest.raises(KeyError, match="text"):
        python_type("text", RETURNED)
