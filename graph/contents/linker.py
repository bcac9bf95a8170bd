"""Keeps up to date what follows from the target lists: the links NAMES, ABOUT and COMBINES, which targets of lists the groups of
sources are, and the digests of the lists. Targets that no list holds go.

A target is matched with the text of a concept, the name of an entity or the annotated term of a sentence, and with the words
of an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import target_lists
from harmgraph.graph.contents.event_names import link_events

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import LinkHeldRow


@dataclass(frozen=True, slots=True)
class Links:
    """The links in the graph after linking.

    Attributes:
        names: links of concepts to targets; an event may name several.
        about: number of sentences linked to targets.
        entities: number of entities linked to targets.
    """

    names: int
    about: int
    entities: int = 0


def link(graph: Graph) -> Links:
    """Creates missing links and removes those that no target list supports any more; safe to run again."""
    graph.write("link/stale_targets")
    graph.write("link/groups")
    held = graph.rows("link/held")
    _note_lists(graph, held)
    graph.write("link/stale_names")
    graph.write("link/stale_entities")
    graph.write_in_parts("link/stale_about")
    names = graph.write("link/concepts").rows[0]["links"]
    names += link_events(graph, held)
    about = graph.write_in_parts("link/statements").rows[0]["links"]
    entities = graph.write("link/entities").rows[0]["links"]
    graph.write("link/stale_parts")
    graph.write("link/parts")
    return Links(names, about, entities)


def _note_lists(graph: Graph, held: Sequence[LinkHeldRow]) -> None:
    """Writes what follows from the lists alone."""
    standing = target_lists.standing(held)
    graph.write("link/listed_as", rows=standing.listed)
    graph.write("link/unless", rows=standing.unless)
    graph.write("link/shown")
    by_list = groupby(held, key=lambda row: row["list"])
    graph.write("link/digests", rows=[[name, target_lists.digest(rows)] for name, rows in by_list])
