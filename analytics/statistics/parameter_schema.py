"""The JSON Schema of what a statistic takes, from the header that also makes its command's options."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

import click

from harmgraph.analytics.statistics.computed_statistic import Computed, computed
from harmgraph.analytics.statistics.statistic import Statistic, statistic
from harmgraph.common.json_schema import NULLABLE, Schema, typed
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.statement_schema import parameter_schema as of_header

PYTHON: Mapping[str, str] = {
    "str": "string",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "Sequence[str]": "list<string>",
}
"""The types of a header by those of Python."""
TARGETS: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "default": [],
    "description": "names of target lists; those that were loaded, and the source's own groups, unless given",
}
BOOTSTRAP: Mapping[str, Schema] = {
    "resamples": {"type": "integer", "minimum": 1, "default": 2_000, "description": "bootstrap resamples"},
    "seed": {"type": "integer", "default": 0, "description": "seed of the bootstrap"},
}
POOLED: Schema = {
    "type": "boolean",
    "default": False,
    "description": "add rates drawn towards their category's, the more the fewer statements; the surest come first",
}


def parameter_schema(name: str) -> Schema:
    """The JSON Schema of an object with the parameters of a statistic, under the names that ``kb.stats`` gives them.

    Raises:
        UnknownMember: there is no statistic of that name.
    """
    if name in computed.names():
        properties, required = _of_function(computed.get(name))
    else:
        properties, required = _of_header(statistic(name))
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _of_header(member: Statistic) -> tuple[dict[str, Schema], list[str]]:
    properties = {
        "targets" if each.name == LISTS else each.name: dict(TARGETS) if each.name == LISTS else of_header(each)
        for each in member.statement.parameters
    }
    if member.bootstrap:
        properties |= {key: dict(schema) for key, schema in BOOTSTRAP.items()}
    if member.pools:
        properties["pooled"] = dict(POOLED)
    return properties, [each.name for each in member.statement.parameters if each.required]


def _of_function(member: Computed) -> tuple[dict[str, Schema], list[str]]:
    """Of a statistic without a header: what its function takes by name, in the words of its command where both say it."""
    words = {each.name: str(getattr(each, "help", None) or "") for each in member.command.params}
    properties: dict[str, Schema] = {}
    required = []
    for each in [*inspect.signature(member.frame).parameters.values()][1:]:
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        kind, _, null = str(each.annotation).partition(" | ")
        schema = typed(PYTHON.get(kind, "any") + (NULLABLE if null else ""))
        schema["description"] = words.get(each.name) or OF_FUNCTIONS.get(each.name, each.name)
        if each.default is inspect.Parameter.empty:
            required.append(each.name)
        else:
            schema["default"] = list(each.default) if isinstance(each.default, tuple) else each.default
        properties[each.name] = schema
    for option in member.command.params:
        if option.name in PASSED_ON and option.name not in properties:
            kind = "int" if isinstance(option.type, click.IntRange) else "string"
            default = (
                option.default if isinstance(option.default, str | int) else None
            )  # click marks one that is not set
            properties[option.name] = typed(kind + (NULLABLE if default is None else "")) | {
                "description": words[option.name],
                "default": default,
            }
    return properties, required


PASSED_ON = ("measure", "min_support", "min_samples", "attribute")
"""Options of such a statistic's command that its function passes on, if it does not name them itself."""
OF_FUNCTIONS: Mapping[str, str] = {
    "source": "name of the source",
    "first": "name of the first source",
    "other": "name of the second source",
    "by": "category or target: what a row is",
}
"""What the parameters of such functions mean."""
