"""A review of a small labelled graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.analytics.review.session import Review
from harmgraph.graph.connection import Graph
from tests.support.reviewing import labelled, review_of


@pytest.fixture
def review(graph: Graph, tmp_path: Path) -> Iterator[Review]:
    """It runs, writes into the graph, and tells what the scorer says."""
    labelled(graph)
    with review_of(graph, tmp_path / "ours.csv", reveal=True) as running:
        yield running
