"""What every importer of triples needs: a checked concept, a checked relation name, a checked weight."""

from __future__ import annotations

import math
from functools import lru_cache

from graph.errors import BadName
from graph.records import MAX_KEY_LENGTH, Concept, normalise, relation_type
from graph.schema import RESERVED_TYPES
from loader.importer import BadLine


def concept(text: str, language: str, role: str) -> Concept:
    """The concept of a term.

    Raises:
        BadLine: nothing is left of it after normalisation, or it is too long for a key.
    """
    found = Concept(normalise(text), language)
    if not found.text:
        raise BadLine(f"the {role} is empty")
    if len(found.text) > MAX_KEY_LENGTH // 4 and len(found.key.encode("utf-8", "surrogatepass")) > MAX_KEY_LENGTH:
        raise BadLine(f"the {role} is longer than {MAX_KEY_LENGTH:,} bytes")
    return found


def relation(name: str) -> str:
    """The relation's own name, where it gives a relationship type.

    Raises:
        BadLine: it gives none, or one that the platform uses itself.
    """
    problem = _problem(name)
    if problem:
        raise BadLine(problem)
    return name


@lru_cache(maxsize=10_000)
def _problem(name: str) -> str:
    try:
        kind = relation_type(name)
    except BadName as bad:
        return str(bad)
    return f"the relation {name!r} gives the type {kind}, which is reserved" if kind in RESERVED_TYPES else ""


def number(text: str, what: str = "weight") -> float:
    """A finite number.

    Raises:
        BadLine: it is none.
    """
    try:
        value = float(text)
    except (ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise BadLine(f"the {what} {text[:40]!r} is no number")
    return value
