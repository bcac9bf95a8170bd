"""Explains why no statement names a target: the sources and the target lists may be in different languages."""

from __future__ import annotations

from collections.abc import Iterable

from harmgraph.graph.connection import Graph

LOAD = "load a knowledge base first ('harmgraph load --list')"


def why_nothing_is_named(graph: Graph, source: str | None = None) -> str:
    """One line for the user: the languages of the sources, those of the target lists, and what to do.

    Args:
        source: one source; every source if None.
    """
    row = graph.rows("link/languages", source=source)[0]
    standing = sorted({*row["concepts"], *row["sentences"]})
    if not standing:
        if row["entities"]:
            return (
                "no statement names a target: what is loaded are entities, and the names of entities count for no harm"
            )
        return f"no statement names a target: {LOAD}"
    lists = sorted(row["targets"])
    if not lists:
        return "no statement names a target: there is no target list; load one with 'harmgraph target load FILE'"
    shared = sorted(set(standing) & set(lists))
    says = f"no statement names a target: what is loaded is in {_all(standing)}, the target lists are in {_all(lists)}"
    if not shared:
        return (
            f"{says}; load a list in {standing[0]} with 'harmgraph target load FILE --language {standing[0]}', or, where the "
            "language of the load was meant otherwise, load again with its --language"
        )
    return (
        f"{says}, and no concept or annotated term in {_all(shared)} is a target's name or alias; see 'harmgraph target "
        "list', and load a list of your own with 'harmgraph target load FILE'"
    )


def _all(languages: Iterable[str]) -> str:
    return ", ".join(languages)
