"""Keeps the links NAMES, ABOUT and COMBINES up to date with the target lists, and the targets that posts alone brought with
the posts.

A target is matched with the text of a concept, the name of an entity or the annotated term of a sentence, and with the words
of an event. Of sentences without annotated terms it is found in the text.
"""

from __future__ import annotations

from dataclasses import dataclass

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import target_lists
from harmgraph.graph.contents.event_names import link_events
from harmgraph.graph.contents.sentence_targets import link_sentences


@dataclass(frozen=True, slots=True)
class Links:
    """The links in the graph after linking.

    Attributes:
        names: links of concepts to targets; an event may name several.
        about: number of links of sentences to targets; one may be about several.
        entities: number of entities linked to targets.
    """

    names: int
    about: int
    entities: int = 0


def link(graph: Graph) -> Links:
    """Creates missing links and removes those that no target list supports any more; safe to run again."""
    graph.write("link/stale_groups")
    graph.write("link/groups")
    target_lists.renew(graph)
    graph.write("link/stale_names")
    graph.write("link/stale_entities")
    graph.write_in_parts("link/stale_about")
    names = graph.write("link/concepts").rows[0]["links"]
    names += link_events(graph)
    about = graph.write_in_parts("link/statements").rows[0]["links"]
    about += link_sentences(graph)
    entities = graph.write("link/entities").rows[0]["links"]
    graph.write("link/stale_parts")
    graph.write("link/parts")
    return Links(names, about, entities)
