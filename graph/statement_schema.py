"""The JSON Schemas of a statement's header: of its rows, and of its parameters."""

from __future__ import annotations

from harmgraph.common.json_schema import Schema, described, document, or_null, record, several, typed
from harmgraph.graph.statements import CypherStatement, Parameter


def row_schema(query: CypherStatement) -> Schema:
    """The schema of a row that a reader gets."""
    return record({column.name: typed(column.type, column.meaning) for column in query.for_reading().columns})


def rows_schema(query: CypherStatement) -> Schema:
    """The schema of what ``harmgraph query NAME --output json`` prints."""
    return document(f"query {query.name}", query.title, several(row_schema(query), query.description))


def parameter_schema(parameter: Parameter) -> Schema:
    """The schema of a parameter's value."""
    schema = typed(parameter.type)
    if parameter.required:
        return described(schema, parameter.meaning)
    if parameter.default is None:
        schema = or_null(schema)
    return described(schema, parameter.meaning) | {"default": parameter.default}


def parameters_schema(query: CypherStatement) -> Schema:
    """The schema of an object with the values of its parameters; it may have no other keys."""
    known = {one.name: parameter_schema(one) for one in query.parameters}
    optional = [one.name for one in query.parameters if not one.required]
    return record(known, optional=optional) | {"additionalProperties": False}
