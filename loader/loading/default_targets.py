"""The 329 targets of Mehrabi, Zhou et al. 2021 (tables 14 and 15), loaded if the graph has no targets yet."""

from __future__ import annotations

from pathlib import Path

from harmgraph.common.progress import receiver, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.target_names import default_list
from harmgraph.loader.formats.importer import importers

SOURCE = "default-targets"


def path() -> Path:
    """The file, ``name,category[,alias...]``, with its provenance in the header."""
    return default_list()


def ensure(graph: Graph, *, held: bool = False) -> None:
    """Loads the default targets if the graph has no targets.

    Args:
        held: whether the caller holds the lock of commands that write.
    """
    from harmgraph.graph import schema_setup
    from harmgraph.graph.contents import sources
    from harmgraph.loader.loading.pipeline import load
    from harmgraph.loader.reading.plan import Plan

    schema_setup.apply(graph)
    standing = sources.find(graph, SOURCE)
    unfinished = standing is not None and standing.get("state") != "complete"
    if unfinished or not graph.rows("explore/targets", limit=1):
        with receiver(silent):  # it is a part of other work, which says how far it is
            load(graph, Plan(importers.get("targets"), (path(),), SOURCE), held=held)
