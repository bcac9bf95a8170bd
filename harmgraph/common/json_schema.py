"""JSON Schemas (draft 2020-12) of what commands print, from types as the headers of ``cypher/`` write them.

An object may have more keys than its schema names: a later harmgraph may add some without another ``shape``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harmgraph.common.version import SHAPE, VERSION

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
NULLABLE = "|null"
_TYPES: Mapping[str, Schema] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "map": {"type": "object"},
    "list": {"type": "array"},
    "node": {"type": "object"},
    "path": {"type": "array"},
    "datetime": {"type": "string"},
    "any": {},
}


def typed(kind: str, meaning: str = "") -> Schema:
    """The schema of a type, such as ``float|null``, ``list<string>`` or ``map<int>``, a map of whole numbers by names.

    Raises:
        KeyError: there is no such type.
    """
    plain = kind.removesuffix(NULLABLE)
    word, _, inner = plain.partition("<")
    schema = dict(_TYPES[word])
    if inner:
        schema["items" if word == "list" else "additionalProperties"] = typed(inner[:-1])
    return described(or_null(schema) if plain != kind else schema, meaning)


def or_null(schema: Schema) -> Schema:
    """The schema of what may also be null; one that allows anything stays."""
    if not schema:
        return schema
    kind = schema.get("type")
    return {"anyOf": [schema, {"type": "null"}]} if not isinstance(kind, str) else schema | {"type": [kind, "null"]}


def described(schema: Schema, meaning: str) -> Schema:
    """The schema with what it means, in words."""
    return schema | {"description": meaning} if meaning else schema


def record(properties: Mapping[str, Schema | str], *, optional: Iterable[str] = (), meaning: str = "") -> Schema:
    """The schema of an object.

    Args:
        properties: the schema of each key, or its type.
        optional: keys that it may lack.
    """
    schemas = {name: typed(each) if isinstance(each, str) else each for name, each in properties.items()}
    left = set(optional)
    schema: Schema = {
        "type": "object",
        "properties": schemas,
        "required": [name for name in schemas if name not in left],
    }
    return described(schema, meaning)


def several(items: Schema, meaning: str = "") -> Schema:
    """The schema of a list."""
    return described({"type": "array", "items": items}, meaning)


def document(name: str, title: str, schema: Schema) -> Schema:
    """A whole schema, with its name, the version of harmgraph and the ``shape`` of its outputs.

    Args:
        name: words after ``harmgraph schema``.
    """
    return {
        "$schema": DIALECT,
        "$id": f"urn:harmgraph:{name.replace(' ', ':')}:{SHAPE}",
        "$comment": f"harmgraph {VERSION}, shape {SHAPE}",
        "title": title,
        **schema,
    }


def stamp() -> dict[str, Any]:
    """The keys by which an object says its version."""
    return {"shape": SHAPE, "harmgraph": VERSION}


STAMP: Mapping[str, Schema] = {
    "shape": {"const": SHAPE, "description": "goes up when a key changes its meaning or goes away"},
    "harmgraph": typed("string", "the version that wrote it"),
}
