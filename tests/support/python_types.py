"""The Python types of what the headers of ``cypher/`` name."""

from __future__ import annotations

import re

from harmgraph.graph.statements import NULLABLE, Parameter

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


def python_type(kind: str, table: dict[str, str]) -> str:
    """The Python type of a header's type, such as ``list<string>`` or ``float|null``."""
    plain = kind.removesuffix(NULLABLE)
    match = re.fullmatch(r"list<(.+)>", plain)
    written = table["list"].replace("Any", python_type(match[1], table)) if match else table[plain]
    return written if plain == kind else f"{written} | None"


def typed_parameter(parameter: Parameter) -> str:
    """A parameter as the signature of a function in a stub has it."""
    kind = python_type(parameter.type, TAKEN)
    if parameter.required:
        return f"{parameter.name}: {kind}"
    return f"{parameter.name}: {kind if parameter.default is not None else f'{kind} | None'} = ..."
