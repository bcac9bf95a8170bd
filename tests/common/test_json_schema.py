"""The types of headers in JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from harmgraph.common.json_schema import typed


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("string", {"type": "string"}),
        ("int|null", {"type": ["integer", "null"]}),
        ("list<list<float>>", {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
        ("list<string|null>", {"type": "array", "items": {"type": ["string", "null"]}}),
        ("map<int>", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("node", {"type": "object"}),
        ("any|null", {}),
    ],
)
def test_types(kind: str, schema: dict[str, Any]) -> None:
    assert typed(kind) == schema
