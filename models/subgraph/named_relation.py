"""A relation of the graph by the word that a user gives for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.graph.records import relation_type

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import ProbeRelationsRow

PRESETS = {
    "gender": ("P21", "PEOPLE_PERSON_GENDER"),
    "religion": ("P140", "PEOPLE_PERSON_RELIGION"),
    "ethnicity": ("P172", "PEOPLE_PERSON_ETHNICITY", "^PEOPLE_ETHNICITY_PEOPLE"),
    "nationality": ("P27", "PEOPLE_PERSON_NATIONALITY"),
    "profession": ("P106", "PEOPLE_PERSON_PROFESSION"),
}
"""Short names of relations of Wikidata and Freebase; ^ if people are the tails."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship type of the graph."""

    type: str
    name: str
    inverse: bool

    @property
    def shown(self) -> str:
        """The relation as the user would write it."""
        return f"{'^' if self.inverse else ''}{self.name}"


def find_relation(known: Sequence[ProbeRelationsRow], word: str, trained: Collection[str] = ()) -> Relation:
    """The relation that a word names; relations that the model knows are preferred.

    Raises:
        NotFound: there is none; the message lists similar names.
        InputError: the word names several.
    """
    model_relations = [row for row in known if row["type"] in trained]
    inverse, plain = word.startswith("^"), word.removeprefix("^").strip()
    for row, preset in product((*model_relations, *known), PRESETS.get(plain.lower(), ())):
        if row["type"] == preset.removeprefix("^"):
            return Relation(row["type"], row["name"] or preset, preset.startswith("^") != inverse)
    matches = _meant(model_relations, plain) or _meant(known, plain)
    if len(matches) > 1:
        types = ", ".join(row["type"] for row in matches[:5])
        raise InputError(f"the relation {plain!r} may be {types}", remedy="name it by its type")
    if not matches:
        words = [text for row in known for text in (row["name"], row["type"], row["own"]) if text]
        presets = [name for name, types in PRESETS.items() if {kind.strip("^") for kind in types} & set(words)]
        raise NotFound("relation", plain, dict.fromkeys([*presets, *words]))
    return Relation(matches[0]["type"], matches[0]["name"] or matches[0]["type"], inverse)


def _meant(known: Sequence[ProbeRelationsRow], word: str) -> list[ProbeRelationsRow]:
    try:
        type_name = relation_type(word)
    except BadName:
        type_name = ""
    exact = [row for row in known if word == row["type"] or word in (row["name"], row["own"])]
    return exact or [row for row in known if type_name == row["type"] or word.lower() == row["name"].lower()]
