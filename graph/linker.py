"""Keeps NAMES and ABOUT true to the target lists: whole text of a concept, annotated term of a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from graph.connection import Graph


@dataclass(frozen=True, slots=True)
class Links:
    """What stands after linking.

    Attributes:
        names: concepts linked to targets.
        about: sentences linked to targets.
    """

    names: int
    about: int


def link(graph: Graph) -> Links:
    """Makes the missing links and removes those that no target list supports any more; safe to run again."""
    graph.write("link/stale_names")
    graph.autocommit("link/stale_about")
    names = graph.write("link/concepts").rows[0]["links"]
    about = graph.autocommit("link/statements").rows[0]["links"]
    return Links(names, about)
