"""Masks the targets of a sentence, so that a scorer judges what is said about them and not their names.

Mehrabi et al. 2021, section 3.1: "we mask all the demographic information from the sentences".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MASK = "this person"
PHRASE_MASK = "-"
"""For a relation's phrase, where phrases are masked too: some, such as "is capable of", are not neutral themselves."""

_IRREGULAR = {
    "man": "men",
    "person": "people",
    "wife": "wives",
    "child": "children",
}
_IES = re.compile(r"[^aeiou]y$")
_ES = re.compile(r"(s|x|z|ch|sh)$")


def plural(name: str) -> str:
    """The English plural of a name, by its last word: ``lady`` -> ``ladies``, ``policeman`` -> ``policemen``."""
    for singular, irregular in _IRREGULAR.items():
        if name.endswith(singular) and not name.endswith("human"):
            return name.removesuffix(singular) + irregular
    if _IES.search(name):
        return name[:-1] + "ies"
    return name + ("es" if _ES.search(name) else "s")


def mask_sentence(text: str, names: Iterable[str]) -> str:
    """A sentence with every occurrence of the names, singular or plural, in any case, replaced by ``this person``.

    Only whole words are replaced: ``man`` leaves ``manage`` alone.

    Args:
        names: normalised names and aliases of the targets that the sentence is about.
    """
    return _pattern(tuple(sorted(set(names)))).sub(MASK, text)


@lru_cache(maxsize=4096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    forms = {form for name in names for form in (name, plural(name), name + "s")}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    # A space in the name may be an underscore or a line break in the text.
    words = "|".join(r"[\s_]+".join(map(re.escape, form.split(" "))) for form in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def mask_triple(
    head: str,
    phrase: str,
    tail: str,
    head_names: Sequence[str] = (),
    tail_names: Sequence[str] = (),
    *,
    head_is_target: bool,
    tail_is_target: bool,
) -> str:
    """The sentence "head phrase tail" of a triple, with ``this person`` in place of an end that names a target.

    Args:
        head_names, tail_names: of an event, which is a sentence of its own: the names to mask in it.
    """
    masked_head = _masked_end(head, head_names) if head_is_target else head
    masked_tail = _masked_end(tail, tail_names) if tail_is_target else tail
    return f"{masked_head} {phrase} {masked_tail}"


def _masked_end(text: str, names: Sequence[str]) -> str:
    return mask_sentence(text, names) if names else MASK


def mask_statement(text: str, names: Iterable[Iterable[str]], head: str | None) -> str:
    """A sentence about targets as it is scored.

    Args:
        names: names and aliases of each target that it is about; without any the sentence stays as it is.
        head: the words at its beginning which alone are masked; None where all names are.
    """
    meant = [name for names_of_target in names for name in names_of_target]
    if not meant:
        return text
    return mask_head(text, head) if head else mask_sentence(text, meant)


def mask_head(text: str, head: str) -> str:
    """Replaces the first words of a generated statement, the ``head`` it was generated from, by ``this person``.

    The words that the model generated are not masked, as in Mehrabi et al. 2021, table 7.
    """
    return MASK + text[len(head) :] if text.startswith(head) else text
