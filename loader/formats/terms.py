"""Checked concepts, relation names, languages and numbers, for importers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from harmgraph.common.errors import BadName, BadRecord
from harmgraph.common.options import Option
from harmgraph.graph.records import Concept, Properties, normalise, relation_type
from harmgraph.graph.schema import RESERVED_TYPES
from harmgraph.loader.formats.importer import BadLine

ENGLISH = "en"
LANGUAGE = Option("language", ENGLISH, "language of the concepts; only targets in this language are found")
SENTENCES = Option("language", ENGLISH, "language of the sentences; only targets in this language are found")
LANGUAGE_CODE = "[A-Za-z][A-Za-z0-9_-]{0,34}"
_LANGUAGE = re.compile(LANGUAGE_CODE)


def concept(text: str, language: str, role: str, *, event: bool = False) -> Concept:
    """The concept of a term; with ``event`` that of an event, whose node is also ``:Event``.

    Args:
        role: what it is in the line, for the message: head or tail.

    Raises:
        BadRecord: it is empty after normalisation, or cannot be stored as a key.
    """
    try:
        normalised = _concept(text, language, event)
    except BadRecord as bad:
        raise BadRecord(bad.why, role) from bad
    if not normalised.text:
        raise BadRecord("is empty", role)
    return normalised


def event(text: str, language: str, role: str) -> Concept:
    """The concept of an event, as ``concept``; its node is also ``:Event``.

    Raises:
        BadRecord: as ``concept``.
    """
    return concept(text, language, role, event=True)


@lru_cache(maxsize=50_000)
def _concept(text: str, language: str, event: bool) -> Concept:
    """Cached, because many lines share the same terms."""
    return Concept(normalise(text), language, event)


def relation(name: str) -> str:
    """The relation's name without spaces at its ends, checked to give a relationship type.

    Raises:
        BadLine: it gives no type, or one that harmgraph uses itself, or cannot be stored.
    """
    name = name.strip(" ")
    try:
        kind = relation_type(name)
    except BadName as bad:
        raise BadLine(str(bad)) from bad
    if kind in RESERVED_TYPES:
        raise BadLine(f"the relation {name!r} gives the type {kind}, which is reserved")
    return name


@lru_cache(maxsize=1_000)
def is_language(code: str) -> bool:
    """Whether it is a language code: a letter, then at most 34 letters, digits, ``-`` and ``_``."""
    return _LANGUAGE.fullmatch(code) is not None


def chosen_language(options: Mapping[str, Any]) -> str:
    """The option ``language``, in lower case.

    Raises:
        BadName: it is not a language code.
    """
    language: str = options["language"].lower()
    if not is_language(language):
        raise BadName("language", language, "is not a language code, such as en or zh-min-nan")
    return language


def spoken(options: Mapping[str, Any]) -> Properties:
    """The property ``language`` of a sentence; none if it is English.

    Raises:
        BadName: it is not a language code.
    """
    language = chosen_language(options)
    return {} if language == ENGLISH else {"language": language}


def number(text: str, what: str = "weight") -> float:
    """A finite number in plain ASCII.

    Raises:
        BadLine: it is not such a number.
    """
    try:
        value = float(text)
    except (ValueError, OverflowError):
        value = math.nan
    # float() also takes other scripts' digits, and 1_0 for 10.
    if not math.isfinite(value) or not text.isascii() or "_" in text:
        raise BadLine(f"the {what} {text[:40]!r} is not a number")
    return value
