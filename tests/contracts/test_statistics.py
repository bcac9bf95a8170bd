"""Every statement of cypher/ keeps to its header, and the server takes it."""

from __future__ import annotations

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import names, parse, statement

STATISTICS = names("statistics")


@pytest.mark.parametrize("name", STATISTICS)
def test_header(name: str) -> None:
    found = statement(name)
    assert found.title
    assert found.description
    assert found.cites
    assert found.columns
    assert all(parameter.meaning for parameter in found.parameters)
    assert all(column.meaning for column in found.columns)


@pytest.mark.parametrize("name", STATISTICS)
def test_narrow_tables_know_what_tells_rows_apart_and_what_comes_first(name: str) -> None:
    found = statement(name)
    columns = {column.name for column in found.columns}
    assert found.keys, "add a line '// keys: ...' of the columns that tell rows apart"
    assert found.first, "add a line '// first: ...' of the columns that it is for"
    assert {*found.keys, *found.first, *found.headings({})} <= columns
    assert not set(found.keys) & set(found.first) & {line.split()[0] for line in found.notes.get("bootstrap", ())}


@pytest.mark.parametrize("name", names())
def test_every_statement_is_one_that_the_server_plans(connection: Graph, name: str) -> None:
    """EXPLAIN compiles a statement as it stands without running it."""
    found = statement(name)
    assert not [one.name for one in found.parameters if not one.meaning], "the header declares what a statement takes"
    assert ";" not in found.text.replace("';'", "")
    if not found.text.startswith(("SHOW", "CREATE")):
        connection.autocommit(parse(name, "EXPLAIN " + found.text), **found.arguments(_needed(name)))


def _needed(name: str) -> dict[str, object]:
    values: dict[str, object] = {"map": {}, "list": [], "string": "x", "int": 1}
    return {one.name: values[one.type.split("<")[0]] for one in statement(name).parameters if one.required}
