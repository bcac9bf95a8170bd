"""The types of rows follow from the headers of ``cypher/``: ``make docs`` writes them, this test holds them to it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

import pytest

from harmgraph.graph.statements import CypherStatement, names, parse, statement, statistics_of_plugins
from tests.support.places import ROOT
from tests.support.python_types import RETURNED, python_type, typed_parameter

MODULE = ROOT / "graph" / "typed" / "rows.py"
PACKAGES = ("graph", "loader", "analytics", "models", "harmgraph")

HEAD = '''"""The rows of the statements that the code asks for by name, typed by their headers; written by ``make docs``.

Only type checkers read this file: at run time nothing imports it. The rows of any other statement, given as
``statement(name)``, are dictionaries.
"""

# ruff: noqa: E501, UP013
# fmt: off
from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict, overload

from harmgraph.graph.statements import CypherStatement

'''
DOOR = '''

class TypedRows(Protocol):
    """``Graph.rows``: what each statement takes, and the rows that it returns."""

'''
# Not ``str | CypherStatement``: it would take a misspelt name, and a known name with a misspelt parameter.
ANY_STATEMENT = """    @overload
    def __call__(self, query: CypherStatement, **parameters: Any) -> list[dict[str, Any]]: ...
"""


def row_name(query: CypherStatement) -> str:
    return "".join(word.capitalize() for word in re.split(r"[/_]", query.name)) + "Row"


def trees() -> Iterator[ast.Module]:
    """Each module of the product."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


def asked_for(tree: ast.Module) -> Iterator[str]:
    """Names of the statements whose rows a module asks for."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="rows"), args=[ast.Constant(value=str(name)), *_]):
                yield name


def typed_rows() -> str:
    """The text of the module."""
    asked = {name for tree in trees() for name in asked_for(tree)}
    declared = [statement(name) for name in names() if name in asked - statistics_of_plugins().keys()]
    declared = [query for query in declared if query.columns]
    return HEAD + "".join(map(_row, declared)) + DOOR + "".join(map(_overload, declared)) + ANY_STATEMENT


def _row(query: CypherStatement) -> str:
    name = row_name(query)
    columns = ", ".join(f'"{column.name}": {python_type(column.type, RETURNED)}' for column in query.columns)
    return f'{name} = TypedDict("{name}", {{{columns}}})\n'


def _overload(query: CypherStatement) -> str:
    given = ["self", f'query: Literal["{query.name}"]', *(["*"] if query.parameters else [])]
    given += map(typed_parameter, query.parameters)
    return f"    @overload\n    def __call__({', '.join(given)}) -> list[{row_name(query)}]: ...\n"


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
    assert _row(headed) == (
        'FolderANameRow = TypedDict("FolderANameRow", '
        '{"target": str, "score": float | None, "labels": list[str | None]})\n'
    )
    assert _overload(headed) == (
        '    @overload\n    def __call__(self, query: Literal["folder/a_name"], *, source: str | None = ..., '
        "keys: list[str] | tuple[str, ...]) -> list[FolderANameRow]: ...\n"
    )


def test_only_what_is_asked_for_by_name_is_typed() -> None:
    asked = 'graph.rows("digest/nodes", key=1)\ngraph.rows(statement("digest/relationships"))\ngraph.stream("source/list")\n'
    assert [*asked_for(ast.parse(asked))] == ["digest/nodes"]


def test_an_unknown_type_is_not_passed_over() -> None:
    with pytest.raises(KeyError, match="text"):
        python_type("text", RETURNED)


def taken_apart(module: str) -> Iterator[tuple[str, ast.Tuple]]:
    """Statements whose streamed rows a module takes apart where it reads them, with the names it gives the columns."""
    tree = ast.parse(module)
    for node in ast.walk(tree):
        match node:
            case (
                ast.For(target=ast.Tuple() as row, iter=call) | ast.comprehension(target=ast.Tuple() as row, iter=call)
            ):
                match call:
                    case ast.Call(func=ast.Attribute(attr="stream"), args=[ast.Constant(value=str(name)), *_]):
                        yield name, row


def wrong_columns(module: str) -> Iterator[str]:
    """What a module takes apart in another number of columns than its statement returns."""
    for name, row in taken_apart(module):
        rest = sum(isinstance(part, ast.Starred) for part in row.elts)
        taken, returned = len(row.elts) - rest, len(statement(name).columns)
        if taken > returned or (taken < returned and not rest):
            yield f"{name} returns {returned} columns, line {row.lineno} takes {taken}"


def test_streamed_rows_are_taken_apart_in_as_many_columns_as_there_are() -> None:
    """Streamed rows are lists: no type checker counts them."""
    modules = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    read = [name for path in modules for name, _ in taken_apart(path.read_text(encoding="utf-8"))]
    assert len(read) > 5, "no module reads a stream as this test expects it"
    wrong = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in modules
        for fault in wrong_columns(path.read_text(encoding="utf-8"))
    ]
    assert not wrong


def test_a_wrong_number_of_columns_is_told() -> None:
    reads = 'for {} in graph.stream("source/export_nodes", source=source):\n    pass\n'
    returned = len(statement("source/export_nodes").columns)
    names = [f"n{number}" for number in range(returned + 1)]
    assert [*wrong_columns(reads.format(", ".join(names)))]
    assert not [*wrong_columns(reads.format(", ".join(names[:-1])))]
    assert [*wrong_columns(reads.format(", ".join(names[:-2])))]
    assert not [*wrong_columns(reads.format("first, *rest"))]
