"""The released statements of ConceptNet, out of the real data."""

from __future__ import annotations

from pathlib import Path

from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.loading.pipeline import load
from harmgraph.loader.reading.plan import Plan


def load_conceptnet(graph: Graph, data: Path, *, keep_duplicates: bool) -> LoadReport:
    """Loads them as the source conceptnet."""
    file = data / "conceptnet" / "conceptnet_targets.txt"
    plan = Plan(
        importers.get("triples"), (file,), "conceptnet", options={"delimiter": "space"}, keep_duplicates=keep_duplicates
    )
    return load(graph, plan)
