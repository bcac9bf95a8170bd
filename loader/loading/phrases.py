"""The phrase that stands between head and tail when a triple is said as a sentence."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib import resources

_WIKIDATA = re.compile(r"P[0-9]+")  # a property without a label
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def phrases() -> dict[str, str]:
    """Phrase of each ConceptNet relation, by its bare name (``IsA``); where they come from stands in the file."""
    lines = resources.files(__package__).joinpath("phrases.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {row["relation"]: row["phrase"] for row in rows}


def phrase(relation: str) -> str:
    """The phrase of a relation; of an unknown one, its own name as words (``/people/person/profession``: "profession").

    A property of Wikidata without a label stays as it is.
    """
    bare = relation.removeprefix("/r/")
    known = phrases().get(bare)
    if known:
        return known
    if _WIKIDATA.fullmatch(bare):
        return bare
    last = re.split(r"[/.]", bare.rstrip("/"))[-1] or bare
    return _CAMEL.sub(" ", last).replace("_", " ").lower()
