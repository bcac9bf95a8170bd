"""Matches keys in files to keys of the graph: ``/m/0abc`` to ``freebase/m.0abc``, ``Q42`` to ``wikidata/Q42``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harmgraph.common.errors import BadName
from harmgraph.graph.records import normalise, relation_type

FORMS: tuple[Callable[[str], str], ...] = (
    str,
    lambda key: f"wikidata/{key}",
    lambda key: f"freebase/{key.strip('/').replace('/', '.')}",
    lambda key: f"en/{normalise(key)}",
)


def entity(key: str, known: Mapping[str, int]) -> str | None:
    """The graph's key of an entity, which a file names in one of the usual forms; None if the graph does not have it."""
    return next((candidate for form in FORMS if (candidate := form(key)) in known), None)


def relation(name: str, known: Mapping[str, int]) -> str | None:
    """The relationship type of a relation, which a file names by its type or its label; None if the graph does not have it."""
    if name in known:
        return name
    try:
        type_name = relation_type(name)
    except BadName:
        return None
    return type_name if type_name in known else None
