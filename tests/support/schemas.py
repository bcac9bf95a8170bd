"""JSON Schemas of outputs as the tests hold an output to them: every key must be described."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator


def closed(schema: Any) -> Any:
    """The schema, of which no object may have a key that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: value if key == "properties" else closed(value) for key, value in schema.items()}
    if "properties" in schema:
        named = {name: closed(each) for name, each in schema["properties"].items()}
        inner |= {"properties": named, "additionalProperties": False}
    return inner


def faults(schema: Any, value: Any) -> list[str]:
    """What is wrong with an output, by a schema that allows no other keys; the schema itself must be one."""
    Draft202012Validator.check_schema(schema)
    found = Draft202012Validator(closed(schema)).iter_errors(value)
    return [f"{error.json_path}: {error.message[:300]}" for error in found]
