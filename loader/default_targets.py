"""The 329 targets of Mehrabi, Zhou et al. 2021 (tables 14 and 15), loaded where the graph has no target yet."""

from __future__ import annotations

from pathlib import Path

from graph.connection import Graph
from graph.target_names import default_list
from loader.importer import importers

SOURCE = "default-targets"


def path() -> Path:
    """The file, ``name,category[,alias...]`` with its provenance in the header."""
    return default_list()


def ensure(graph: Graph) -> None:
    """Loads the default targets where the graph has none; otherwise does nothing."""
    from graph import schema_setup, sources
    from loader.pipeline import load
    from loader.plan import Plan

    schema_setup.apply(graph)
    standing = sources.find(graph, SOURCE)
    unfinished = standing is not None and standing.get("state") != "complete"
    if unfinished or not graph.rows("explore/targets", limit=1):
        load(graph, Plan(importers.get("targets"), (path(),), SOURCE))
