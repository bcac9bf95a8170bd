"""The JSON Schemas of a statement's header: of its rows, and of its parameters."""

from __future__ import annotations

from harmgraph.common.json_schema import Schema, document, or_null, record, several, typed
from harmgraph.graph.statements import CypherStatement


def row_schema(query: CypherStatement) -> Schema:
    """The schema of a row that a reader gets."""
    return record({column.name: typed(column.type, column.meaning) for column in query.for_reading().columns})


def rows_schema(query: CypherStatement) -> Schema:
    """The schema of what ``harmgraph query NAME --output json`` prints."""
    return document(f"query {query.name}", query.title, several(row_schema(query), query.description))


def parameters_schema(query: CypherStatement) -> Schema:
    """The schema of an object with the values of its parameters; it may have no other keys."""
    known = {}
    for one in query.parameters:
        schema = typed(one.type, one.meaning)
        if not one.required:
            schema = (or_null(schema) if one.default is None else schema) | {"default": one.default}
        known[one.name] = schema
    optional = [one.name for one in query.parameters if not one.required]
    return record(known, optional=optional) | {"additionalProperties": False}
