"""Names of relations as the models read them: as the paper writes them, whatever the file or the graph says."""

from __future__ import annotations

from functools import lru_cache

from harmgraph.common.errors import BadName
from harmgraph.common.event_relations import RELATIONS, relation_name
from harmgraph.graph.records import relation_type

_BY_TYPE = {relation_type(name): name for name in RELATIONS} | {"HAS_SUBEVENT": "HasSubEvent"}


@lru_cache(maxsize=10_000)
def read_relation(name: str) -> str:
    """One name for all spellings: ``general Effect``, ``geffect`` and the graph's ``G_EFFECT`` are ``gEffect``.

    A relation that is not the paper's, such as one of ASER, loses the underscores of its type: ``CO_OCCURRENCE`` is
    ``CoOccurrence``, because encoders split words better than capitals.
    """
    known = relation_name(name)
    if known:
        return known
    try:
        type_name = relation_type(name.strip())
    except BadName:
        return name.strip()
    if type_name.startswith("GENERAL_"):
        type_name = "G_" + type_name.removeprefix("GENERAL_")
    return _BY_TYPE.get(type_name) or "".join(word.capitalize() for word in type_name.split("_"))
