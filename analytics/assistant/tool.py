"""What a tool for an assistant is, and how its arguments are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.assistant.answer import Labels, Limits
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph

Answer = dict[str, Any]
MOST_TEXT = 20_000
"""Characters of a text that an assistant may send."""
LARGEST: Mapping[str, int] = {"limit": 1_000, "examples": 100, "resamples": 10_000}
"""Largest values of parameters that decide how much work there is."""
MOST_NUMBER = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantTool:
    """A tool, which only reads.

    Attributes:
        name: what the assistant calls it by.
        title: what it gives, in a line.
        description: for the assistant: what it gives and what it is for.
        schema: JSON Schema of its arguments.
        run: answers a call, from a graph and checked arguments.
    """

    name: str
    title: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[Graph, dict[str, Any], Labels, Limits], Answer]

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, if the schema allows them.

        Raises:
            InputError: it does not; the message says which argument, and what it may be.
        """
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        wrong = best_match(Draft202012Validator(dict(self.schema)).iter_errors(dict(arguments)))
        if wrong is not None:
            where = ".".join(map(str, wrong.absolute_path)) or "arguments"
            said = wrong.message if len(wrong.message) < 300 else f"{wrong.message[:60]} ... {wrong.message[-100:]}"
            raise InputError(said, where=f"{self.name}, {where}", remedy="see the tool's input schema")
        return dict(arguments)


def bounded(schema: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The schema of a tool's arguments: that of what it takes, with bounds, and ``max_rows``."""
    properties = {name: _bounded(name, dict(each)) for name, each in schema["properties"].items()}
    properties["max_rows"] = {
        "type": "integer",
        "minimum": 1,
        "maximum": limits.most_rows,
        "default": limits.rows,
        "description": "most rows of the answer",
    }
    return {**schema, "properties": properties}


def _bounded(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    kinds = schema.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if "integer" in kinds:
        schema |= {"minimum": schema.get("minimum", 0), "maximum": LARGEST.get(name, MOST_NUMBER)}
    if "string" in kinds:
        schema["maxLength"] = MOST_TEXT
    if "array" in kinds:
        schema["maxItems"] = 1_000
    if len(str(schema.get("default", ""))) > 100:  # a list of stop words
        schema.pop("default")
        schema["description"] = f"{schema['description']}; a list of usual words unless given"
    return schema
