"""Graphs that the tests of several parts of analytics read."""

from __future__ import annotations

import pytest

from harmgraph.graph.connection import Graph
from tests.support import counted_sample, figures_sample


@pytest.fixture
def labelled(graph: Graph) -> Graph:
    """The graph whose numbers can be counted by hand."""
    return counted_sample.sample(graph)


@pytest.fixture
def filled(connection: Graph) -> Graph:
    """The graph on which every figure has something to show; it stays from test to test."""
    return figures_sample.standing(connection)
