"""The 329 targets of Mehrabi, Zhou et al. 2021 (tables 14 and 15), loaded where the graph has no target yet."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from graph.connection import Graph
from loader.importer import importers

SOURCE = "default-targets"


def path() -> Path:
    """The file, ``name,category[,alias...]`` with its provenance in the header."""
    return Path(str(resources.files("graph").joinpath("default_targets.csv")))


def ensure(graph: Graph) -> None:
    """Loads the default targets where the graph has none; otherwise does nothing."""
    from graph import schema_setup, sources
    from loader.pipeline import load
    from loader.plan import Plan

    schema_setup.apply(graph)
    standing = {source["name"]: source.get("state") for source in sources.every(graph)}
    if not graph.rows("explore/targets", limit=1) or standing.get(SOURCE, "complete") != "complete":
        load(graph, Plan(importers.get("targets"), (path(),), SOURCE))
