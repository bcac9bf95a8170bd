"""Checked ids and texts of Wikidata, and options that list properties, statements and languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from harmgraph.common.errors import BadName
from harmgraph.graph.records import MAX_TEXT, Entity, check_text
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.formats.terms import is_language

PREFIX = "wikidata/"
ANY_LANGUAGE = "mul"  # Wikidata's code for names that are valid in every language
_ID = re.compile(r"[A-Z][1-9][0-9]{0,14}(?:-[FS][1-9][0-9]{0,6})?")
_PROPERTY = re.compile(r"P[1-9][0-9]{0,14}")


@lru_cache(maxsize=50_000)
def entity(identifier: str) -> Entity:
    """The entity of an id such as ``Q42``, ``P31`` or ``L1-F1``.

    Raises:
        BadLine: it is not such an id.
    """
    if not _ID.fullmatch(identifier):
        raise BadLine(f"{identifier[:40]!r} is not an id of Wikidata, such as Q42")
    return Entity(PREFIX + identifier)


@lru_cache(maxsize=20_000)
def wikidata_property(identifier: str) -> str:
    """The id of a property, checked: ``P31``.

    Raises:
        BadLine: it is not the id of a property.
    """
    if not is_property(identifier):
        raise BadLine(f"{identifier[:40]!r} is not a property of Wikidata, such as P31")
    return identifier


def is_property(identifier: str) -> bool:
    """Whether it is the id of a property: ``P31``."""
    return _PROPERTY.fullmatch(identifier) is not None


def text(value: object, what: str, longest: int = MAX_TEXT) -> str:
    """A text that the graph can store. Checked before its record is made, so that the other parts of an entity are kept.

    Raises:
        BadLine: it is not a text.
        BadRecord: it cannot be stored.
    """
    if not isinstance(value, str):
        raise BadLine(f"the {what} is not a text")
    check_text(value, what, longest)
    return value


def chosen_properties(option: str, listed: str) -> tuple[str, ...]:
    """The distinct properties that an option lists, ``P31,P21``.

    Raises:
        BadName: one is not a property.
    """
    names = tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))
    for name in names:
        if not _PROPERTY.fullmatch(name):
            raise BadName(option, name, "is not a property of Wikidata: list them as P31,P21")
    return names


def chosen_statements(option: str, listed: str) -> tuple[tuple[str, str], ...]:
    """The statements that an option lists, ``P31=Q5,P27=Q30``, as pairs.

    Raises:
        BadName: one is not a statement.
    """
    pairs = []
    for statement in filter(None, map(str.strip, listed.split(","))):
        name, _, value = (part.strip() for part in statement.partition("="))
        if not _PROPERTY.fullmatch(name) or not _ID.fullmatch(value):
            raise BadName(option, statement, "is not a statement of Wikidata: write it as P31=Q5")
        pairs.append((name, value))
    return tuple(pairs)


def chosen_languages(listed: str) -> tuple[str, ...]:
    """The languages that an option lists, as dumps write them (``en-gb`` for ``en_GB``), and ``mul`` last.

    Raises:
        BadName: one is not a language code, or there is none.
    """
    names = tuple(name.strip() for name in listed.split(","))
    for name in names:
        if not is_language(name):
            raise BadName("language", name, "is not a language code: write them as en or en,de")
    return tuple(dict.fromkeys((*(name.lower().replace("_", "-") for name in names), ANY_LANGUAGE)))


def rank_of(language: str, languages: Sequence[str]) -> int:
    """The index of a language in the chosen ones; their number if it is not among them."""
    return languages.index(language) if language in languages else len(languages)
