"""The phrase between head and tail when a triple is written as a sentence."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import relation_type

_WIKIDATA = re.compile(r"P[0-9]+")  # a property without a label
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def phrases() -> dict[str, str]:
    """The phrase of each ConceptNet relation, by its bare name (``IsA``); the file says where they come from."""
    lines = resources.files(__package__).joinpath("phrases.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {row["relation"]: row["phrase"] for row in rows}


def phrase(relation: str) -> str:
    """The phrase of a relation; for an unknown one, its name as words (``/people/person/profession``: "profession").

    A property of Wikidata without a label is unchanged.
    """
    bare = relation.removeprefix("/r/")
    known = phrases().get(bare)
    if known:
        return known
    if _WIKIDATA.fullmatch(bare):
        return bare
    last = re.split(r"[/.]", bare.rstrip("/"))[-1] or bare
    return _CAMEL.sub(" ", last).replace("_", " ").lower()


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of the relations in a graph, read once.

    Attributes:
        templates: the phrase by the relation's type.
    """

    templates: Mapping[str, str] = field(repr=False)

    @classmethod
    def read(cls, graph: Graph) -> Phrases:
        """Reads them."""
        return cls({row["type"]: row["template"] for row in graph.rows("label/templates")})

    def of_type(self, kind: str) -> str:
        """The phrase of a relationship type; of an unknown one its words."""
        return self.templates.get(kind) or kind.replace("_", " ").lower()

    def of_relation(self, relation: str) -> str:
        """The phrase of a relation by its own name; of an unknown one as ``phrase`` has it."""
        return self.templates.get(relation_type(relation)) or phrase(relation)
