"""What tests share lies in ``tests/support``: nothing in ``tests`` imports a test module or a ``conftest``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.support.places import ROOT

TESTS = ROOT / "tests"


def imported(source: str, package: str) -> Iterator[str]:
    """The full names of what a module of the package imports, wherever in the module it does so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            yield from (".".join([*above, *filter(None, [node.module]), name.name]) for name in node.names)


def of_tests(source: str, package: str) -> list[str]:
    """Those of its imports that lie in a test module or in a ``conftest`` of ours."""
    return [
        name
        for name in imported(source, package)
        if name.startswith("tests.") and any(part == "conftest" or part.startswith("test_") for part in name.split("."))
    ]


def test_no_module_imports_a_test_module() -> None:
    found = {}
    for path in TESTS.rglob("*.py"):
        place = path.relative_to(ROOT)
        if names := of_tests(path.read_text("utf-8"), ".".join(place.parts[:-1])):
            found[str(place)] = names
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "from tests.graph.test_writer import triples",
        "from tests.graph import test_writer",
        "import tests.graph.test_writer as other",
        "from tests.conftest import graph",
        "from .test_writer import triples",
        "from . import test_writer",
        "from ..conftest import graph",
        "def test():\n    from tests.graph import test_writer",
    ],
)
def test_such_an_import_is_seen(source: str) -> None:
    assert of_tests(source, "tests.graph")


@pytest.mark.parametrize(
    "source", ["from tests.support.toy import toy", "import test_writer", "from torch import test_x"]
)
def test_another_import_is_none(source: str) -> None:
    assert not of_tests(source, "tests.graph")
