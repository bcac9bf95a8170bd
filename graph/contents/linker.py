"""Keeps NAMES and ABOUT true to the target lists: text of a concept, name of an entity, annotated term of a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from harmgraph.graph.connection import Graph


@dataclass(frozen=True, slots=True)
class Links:
    """What stands after linking.

    Attributes:
        names: concepts linked to targets.
        about: sentences linked to targets.
        entities: entities linked to targets.
    """

    names: int
    about: int
    entities: int = 0


def link(graph: Graph) -> Links:
    """Makes the missing links and removes those that no target list supports any more; safe to run again."""
    graph.write("link/stale_names")
    graph.write("link/stale_entities")
    graph.autocommit("link/stale_about")
    names = graph.write("link/concepts").rows[0]["links"]
    about = graph.autocommit("link/statements").rows[0]["links"]
    entities = graph.write("link/entities").rows[0]["links"]
    return Links(names, about, entities)
