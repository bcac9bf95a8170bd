"""JSON from outside that is nested deeply is refused as other bad JSON is; nobody reads JSON past this."""

from __future__ import annotations

import ast
from pathlib import Path

import click
import pytest

from harmgraph.common.command_line import parameters_of
from harmgraph.common.json_text import from_json
from tests.support.places import ROOT

PACKAGES = ("analytics", "graph", "harmgraph", "loader", "models")
DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [DEEP, DEEP.encode(), DEEP + "]" * len(DEEP), '{"a":' * 100_000, "{", ""])
def test_it_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"nested too deeply|Expecting"):
        from_json(text)


def test_what_is_nested_within_reason_is_read() -> None:
    assert from_json('{"a": [[[1, "x"]], null]}') == {"a": [[[1, "x"]], None]}


def test_a_parameter_of_a_query_is_wrong_usage() -> None:
    with pytest.raises(click.BadParameter, match="x: nested too deeply"):
        parameters_of((f"x={DEEP}",))
    assert parameters_of(("x=[1", "y=[1]")) == {"x": "[1", "y": [1]}


def test_nobody_reads_json_otherwise() -> None:
    """``json.loads`` and ``json.load`` end with a RecursionError, which is not an error of a file."""
    users = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
                if name in ("json.loads", "json.load"):
                    users.append(str(path.relative_to(ROOT)))
    assert sorted(set(users)) == [str(Path("harmgraph/common/json_text.py"))]
