"""Marks what comes from the graph as quoted data, so that no statement in it can pass for an instruction to an assistant.

A text of the graph becomes ``{"quoted": text}``. Names (of targets, categories, sources, ...) stay texts if they look like names:
short, on one line, of letters, digits and a few marks. Characters that nobody sees are written as escapes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from harmgraph.common.clean_text import clean

MOST_CHARACTERS = 600
"""Characters of a quoted text that are given; a longer one says how many it has."""
NAME_COLUMNS = frozenset(
    (
        "target",
        "category",
        "source",
        "other",
        "label",
        "other_label",
        "region",
        "measure",
        "scorer",
        "relation",
        "what",
        "way",
        "axis",
        "axes",
        "model",
        "attribute",
        "a",
        "b",
        "parts",
        "origin",
        "domain",
        "list",
        "of",
        "by",
        "group",
        "language",
        "type",
        "importer",
        "version",
        "licence",
        "state",
        "imported_at",
        "import_id",
    )
)
"""The columns whose texts are names, or words of a fixed list."""
_NAME = re.compile(r"[\w][\w .,&'’/@()+:*-]{0,59}")
_WORD = re.compile(r"(?:[^\W\d_]|['’])+")  # words that _, - or / join are several
_HUMP = re.compile(r"(?<=[a-z])[A-Z]")
_MOST_WORDS = 4
_JOINERS = "\u200c\u200d"  # they belong to words of some scripts, and to pictures


def visible(text: str) -> str:
    """The text with an escape for each character that shows nothing, such as Unicode's tags, which can hide a message."""
    return "".join(_shown(character) for character in clean(text))


def quoted(text: str) -> dict[str, Any]:
    """A text of the graph as quoted data; a long one is cut, and then ``characters`` says how long it is."""
    shown = visible(text[:MOST_CHARACTERS])
    return {"quoted": shown} if len(text) <= MOST_CHARACTERS else {"quoted": shown, "characters": len(text)}


def as_name(text: str) -> str | dict[str, Any]:
    """A name as it is, if it looks like one; quoted otherwise."""
    plain = (
        _NAME.fullmatch(text)
        and len(_WORD.findall(text)) + len(_HUMP.findall(text)) <= _MOST_WORDS
        and visible(text) == text
    )
    return text if plain else quoted(text)


def quoted_values(value: Any) -> Any:
    """A value of lists and maps with each text in it quoted; keys of maps are made visible."""
    return _marked(value, quoted, named=False)


def quoted_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its texts quoted, but those of ``NAME_COLUMNS`` as names, also in the maps in it."""
    marked: dict[str, Any] = _marked(dict(row), quoted, named=True)
    return marked


def _marked(value: Any, mark: Callable[[str], Any], *, named: bool) -> Any:
    if isinstance(value, str):
        return mark(value)
    if isinstance(value, dict):
        return {
            visible(str(key)[:MOST_CHARACTERS]): _marked(
                item, as_name if named and key in NAME_COLUMNS else quoted, named=named
            )
            for key, item in value.items()
        }
    return [_marked(item, mark, named=named) for item in value] if isinstance(value, list | tuple) else value


def _shown(character: str) -> str:
    hidden = (
        unicodedata.category(character) in ("Cf", "Co", "Cn")
        or 0xE0100 <= ord(character) <= 0xE01EF  # variation selectors, of which each can stand for a byte
    )
    return f"\\u{{{ord(character):x}}}" if hidden and character not in _JOINERS else character
