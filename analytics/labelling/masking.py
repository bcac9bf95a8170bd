"""Masks the targets of a sentence, so that a scorer judges what is said about them and not their names.

Mehrabi et al. 2021, section 3.1 ("Quantifying Harms"): "we mask all the demographic information from the sentences". What they
released masks less: the names of the statement's own targets, wherever these stand in it, and no other target's. That is the rule
``OWN``, the default; ``ALL`` is the sentence of the paper taken at its word. docs/statistics.md has the effect of each.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from harmgraph.common.plural import forms

MASK = "this person"
PHRASE_MASK = "-"
"""For a relation's phrase, where phrases are masked too: some, such as "is capable of", are not neutral themselves."""


def mask_sentence(text: str, names: Iterable[str]) -> str:
    """A sentence with every occurrence of the names, singular or plural, in any case, replaced by ``this person``.

    Only whole words are replaced: ``man`` leaves ``manage`` alone.

    Args:
        names: normalised names and aliases of the targets that the sentence is about.
    """
    return _pattern(tuple(names)).sub(MASK, text)


def mask_spans(text: str, spans: Sequence[int]) -> str:
    """A sentence with some places in it replaced by ``this person``; places that overlap are one.

    Args:
        spans: start, end, start, end …; characters, the end is the next one.
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(zip(spans[::2], spans[1::2], strict=True)):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    for start, end in reversed(merged):
        text = text[:start] + MASK + text[end:]
    return text


@lru_cache(maxsize=4096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    every = {form for name in names for form in forms(name)}
    longest_first = sorted(every, key=lambda form: (-len(form), form))
    # A space in the name may be an underscore or a line break in the text.
    words = "|".join(r"[\s_]+".join(map(re.escape, form.split(" "))) for form in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def mask_triple(head: str, phrase: str, tail: str, names: Iterable[str]) -> str:
    """The sentence "head phrase tail" of a triple with the names masked in head and tail."""
    meant = tuple(names)
    if not meant:
        return f"{head} {phrase} {tail}"
    return f"{mask_sentence(head, meant)} {phrase} {mask_sentence(tail, meant)}"


def mask_head(text: str, head: str) -> str:
    """Replaces the first words of a generated statement, the ``head`` it was generated from, by ``this person``.

    The words that the model generated are not masked: so the released generations give the numbers of Mehrabi et al. 2021,
    table 11 (``tests/papers/test_mehrabi2021_masking.py``).
    """
    return MASK + text[len(head) :] if text.startswith(head) else text


@dataclass(frozen=True, slots=True)
class Masks:
    """What is masked in the statements that are scored.

    Attributes:
        rule: one of ``RULES``.
        listed: names and aliases of all targets, in any order; of ``ALL`` alone.
    """

    OWN: ClassVar[str] = "own"
    ALL: ClassVar[str] = "all"
    NONE: ClassVar[str] = "none"
    RULES: ClassVar[tuple[str, ...]] = (OWN, ALL, NONE)

    rule: str = OWN
    listed: tuple[str, ...] = ()

    def triple(self, head: str, phrase: str, tail: str, names: Iterable[Iterable[str]]) -> str:
        """The sentence of a triple.

        Args:
            names: names and aliases of each target that its ends name.
        """
        return mask_triple(head, phrase, tail, self._meant(names))

    def statement(self, text: str, names: Iterable[Iterable[str]], head: str | None, spans: Sequence[int] = ()) -> str:
        """A sentence.

        Args:
            names: names and aliases of each target that it is about.
            head: of a generated statement the words that it was generated from, which alone are masked by the rule ``OWN``.
            spans: where the targets stand that were found in it, as ``mask_spans``; these alone are masked by the rule ``OWN``.
        """
        if spans and self.rule == self.OWN:
            return mask_spans(text, spans)
        meant = self._meant(names)
        if not meant:
            return text
        return mask_head(text, head) if head and self.rule == self.OWN else mask_sentence(text, meant)

    def signed(self, by: str) -> str:
        """The value of ``<measure>_by``: the scorer's own, and the rule with a digest of the list, unless it is ``OWN``."""
        if self.rule == self.OWN:
            return by
        if self.rule == self.NONE:
            return signed(by, masks=self.rule)
        digest = hashlib.sha256("\n".join(sorted(set(self.listed))).encode()).hexdigest()[:8]
        return signed(by, masks=f"{self.rule}:{digest}")

    def _meant(self, names: Iterable[Iterable[str]]) -> tuple[str, ...]:
        if self.rule == self.OWN:
            return tuple(name for names_of_target in names for name in names_of_target)
        return self.listed


def signed(by: str, **said: str) -> str:
    """The value of ``<measure>_by`` with more said in its parentheses: ``vader@3.3.2(phrases=masked)``."""
    more = ",".join(f"{name}={value}" for name, value in said.items())
    return f"{by[:-1]},{more})" if by.endswith(")") else f"{by}({more})"
