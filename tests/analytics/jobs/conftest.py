"""A folder for jobs, and what they find in the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.jobs import LINES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small knowledge base."""
    (tmp_path / "kb.tsv").write_text("\n".join(LINES) + "\n", "utf-8")
    return tmp_path


@pytest.fixture
def ready(graph: Graph, folder: Path) -> Graph:
    """The knowledge base of the folder, loaded and labelled."""
    default_targets.ensure(graph)
    pipeline.load(graph, Plan(importers.get("triples"), (folder / "kb.tsv",), "kb"))
    label(graph, scorers.get("vader"))
    return graph
