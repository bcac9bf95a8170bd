"""A graph that every embedding model can learn: numbers in a ring, their successors, their parity."""

from __future__ import annotations

from harmgraph.graph.records import Entity, Triple
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled

SIZE = 24


def triples() -> list[tuple[str, str, str]]:
    """Each number, its successor and its parity."""
    numbers = [f"n{number:02d}" for number in range(SIZE)]
    made = []
    for number, name in enumerate(numbers):
        made.append((name, "NEXT", numbers[(number + 1) % SIZE]))
        made.append((name, "PARITY", "even" if number % 2 == 0 else "odd"))
        made.append((name, "SAME_AS", name))
    return made


def toy(*, split: bool = True) -> Subgraph:
    """The same as a subgraph; every ninth triple is valid, every ninth but one test."""
    head, relation, tail = (list(column) for column in zip(*triples(), strict=True))
    names = [("valid", "test")[number % 9] if number % 9 < 2 else "train" for number in range(len(head))]
    return assembled(Columns(head, relation, tail, names if split else [""] * len(head)))


def entity(name: str) -> Entity:
    """An entity of Wikidata's, called by its id."""
    return Entity(f"wikidata/{name}", name)


def ring(**properties: str) -> list[Triple]:
    """The same as records."""
    return [Triple(entity(head), kind, entity(tail), properties=properties) for head, kind, tail in triples()]
