"""The types of ``kb.stats`` follow from the headers of ``cypher/statistics``: ``make docs`` writes them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable

from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.statements import CypherStatement, statement, statistics_of_plugins
from harmgraph.statistics import BOOTSTRAP, POOLING, TARGETS, can_be_pooled, names
from tests.support.places import ROOT
from tests.support.python_types import typed_parameter

MODULE = ROOT / "harmgraph" / "typed_statistics.py"
HEAD = '''"""``kb.stats`` for type checkers, from the headers of the statistics; written by ``make docs``.

Only type checkers read this file: at run time ``harmgraph.statistics`` is used.
"""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import pandas


class TypedStatistics(Protocol):
    """The statistics of a graph; each returns a data frame."""

    def __iter__(self) -> Iterator[str]: ...
'''


def of_header(query: CypherStatement) -> str:
    named = [one for one in query.parameters if one.name != LISTS]
    given = ["self", *(["*"] if query.parameters else []), *map(typed_parameter, named)]
    if len(named) < len(query.parameters):
        given.append(f"{TARGETS}: str | Sequence[str] = ...")
    if "bootstrap" in query.notes:
        given += [f"{name}: int = ..." for name in BOOTSTRAP]
    if can_be_pooled(query):
        given += [f"{name}: bool = ..." for name in POOLING]
    return ", ".join(given)


def of_function(frame: Callable[..., object]) -> str:
    """What a statistic that Python computes takes, after the graph."""
    given, keyword_only = ["self"], False
    for one in [*inspect.signature(frame).parameters.values()][1:]:
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            given.append("*")
        assert one.annotation is not one.empty, f"{one.name} has no type"
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        given.append(f"{stars}{one.name}: {one.annotation}" + ("" if one.default is one.empty else " = ..."))
    return ", ".join(given)


def typed_statistics() -> str:
    """The text of the module."""
    lines = []
    for name in names():
        if f"statistics/{name}" in statistics_of_plugins():
            continue
        computes = name in computed.names()
        given = of_function(computed.get(name).frame) if computes else of_header(statement(f"statistics/{name}"))
        lines.append(f"    def {name}({given}) -> pandas.DataFrame: ...\n")
    return HEAD + "".join(lines)


def test_the_types_are_those_of_the_headers() -> None:
    text = typed_statistics()
    if os.environ.get("HARMGRAPH_RENEW"):
        MODULE.write_text(text, encoding="utf-8")
    assert MODULE.read_text(encoding="utf-8") == text, "run 'make docs' and look at the difference"
