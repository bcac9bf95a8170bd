"""Where a sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORT = frozenset(
    {
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "jr",
        "sr",
        "vs",
        "no",
        "lt",
        "col",
        "gen",
        "capt",
        "sgt",
        "rev",
        "e.g",
        "i.e",
    }
)
"""Words whose full stop ends no sentence; neither does that of a single capital, as in a name."""
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)|\n")


def first_sentence(text: str) -> str:
    """The first sentence of a text, without the spaces around it; all of a text that has no end of one."""
    return next(sentences(text), "")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each at most a line; empty ones are left out."""
    first = 0
    for match in _END.finditer(text):
        words = text[first : match.start()].split()
        last = words[-1].lstrip("\"'“‘([") if words else ""
        if match[0] == "." and (last.lower() in SHORT or (len(last) == 1 and last.isupper() and last != "I")):
            continue
        if sentence := text[first : match.end()].strip():
            yield sentence
        first = match.end()
    if rest := text[first:].strip():
        yield rest
