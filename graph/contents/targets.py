"""Checks names of targets and of their categories against those in the graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph

EVERY = 1_000_000_000


def names_by_target(graph: Graph) -> dict[str, tuple[str, ...]]:
    """The names and aliases of each target in the graph, by its name."""
    return {row["target"]: (row["target"], *row["aliases"]) for row in graph.rows("explore/targets", limit=EVERY)}


def check_standing(graph: Graph, kind: Literal["target", "category"], names: Iterable[str]) -> None:
    """Checks that there are targets, or categories, of these names; without names the graph is not asked.

    Raises:
        NotFound: there is none of the first name that lacks one.
    """
    wanted = list(names)
    if not wanted:
        return
    standing = sorted({row[kind] for row in graph.rows("explore/targets", limit=EVERY)})
    for name in wanted:
        if name not in standing:
            raise NotFound(kind, name, standing)
