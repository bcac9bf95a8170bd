"""Keys of files found among those of the graph: ``/m/0abc`` is ``freebase/m.0abc``, ``Q42`` is ``wikidata/Q42``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.records import normalise, relation_type

FORMS: tuple[Callable[[str], str], ...] = (
    str,
    lambda key: f"wikidata/{key}",
    lambda key: f"freebase/{key.strip('/').replace('/', '.')}",
    lambda key: f"en/{normalise(key)}",
)


def entity(key: str, known: Mapping[str, int]) -> str | None:
    """The graph's key of an entity that a file names in one of the usual forms; None where the graph has none."""
    return next((made for form in FORMS if (made := form(key)) in known), None)


def relation(name: str, known: Mapping[str, int]) -> str | None:
    """The relationship type of a relation that a file names by its type or by its own name."""
    if name in known:
        return name
    try:
        made = relation_type(name)
    except BadName:
        return None
    return made if made in known else None
