"""Triples of events for importers: aligned (``loader.formats.events``) or as written, with what is left out counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from harmgraph.common.errors import BadRecord
from harmgraph.common.options import Option
from harmgraph.graph.records import Properties, Record, Skip, Triple
from harmgraph.loader.formats.events import PERSON_OR_PRONOUN, Aligned, is_noun_phrase, words
from harmgraph.loader.formats.importer import BadLine, LeftOut, rejected
from harmgraph.loader.formats.terms import ENGLISH, event, relation

AS_WRITTEN = Option(
    "as_written",
    False,
    "keep events as the file has them; by default people are named, subjects added and lemmas taken",
)
LONGEST = Option("longest", 10, "leave out events of more words; 0 keeps all")
CLAUSES = Option("clauses", False, "keep events with a clause, such as 'thinks that PersonY left'")
OPTIONS = (AS_WRITTEN, LONGEST, CLAUSES)
PROPERTIES = ("head_text", "tail_text")

_ALWAYS = frozenset(("because", "although", "though", "whenever", "if", "unless", "whether"))
_BEFORE_SUBJECT = frozenset(("while", "when", "that", "who", "which", "what", "why", "how", "where"))

Form = Callable[[str, str, str, int], Aligned]
"""Aligns head, relation and tail, with the most words that an event may have; raises ``LeftOut``."""


@lru_cache(maxsize=20_000)
def has_clause(text: str) -> bool:
    """Whether an event contains a subordinate clause, which Fang et al. 2021 leave out (section 4.1)."""
    phrase = words(text)
    for word, after in pairwise((*phrase[1:], "")):
        if word in _ALWAYS or (word in _BEFORE_SUBJECT and (after in PERSON_OR_PRONOUN)):
            return True
    return False


class EventTriples:
    """Makes triples of the ends in a file.

    Args:
        options: ``as_written``, ``longest`` and ``clauses``.
        form: how the file's events are aligned.
    """

    def __init__(self, options: Mapping[str, Any], form: Form) -> None:
        self._aligned: bool = not options[AS_WRITTEN.name]
        self._longest: int = options[LONGEST.name]
        self._clauses: bool = options[CLAUSES.name]
        self._form = form

    def triple(self, head: str, name: str, tail: str, line: int, properties: Properties | None = None) -> Triple:
        """The triple of a head, the name of a relation and a tail.

        Raises:
            LeftOut: an end is ``none``, has a blank or a clause, or is too long.
            BadRecord: an end is empty, or cannot be stored.
        """
        for role, text in (("head", head), ("tail", tail)):
            if not text.strip():
                raise BadLine(f"the {role} is empty")
            if not self._clauses and has_clause(text):
                raise LeftOut("event with a clause")
        values = dict(properties or {})
        if self._aligned:
            aligned = self._form(head, name, tail, self._longest)
            values |= {"head_text": head.strip(), "tail_text": tail.strip()}
            head, name, tail = aligned.head, aligned.relation, aligned.tail()
        elif self._longest and max(len(words(head)), len(words(tail))) > self._longest:
            raise LeftOut(f"event of more than {self._longest} words")
        ends = event(head, ENGLISH, "head"), event(tail, ENGLISH, "tail")
        return Triple(ends[0], relation(name), ends[1], properties=values, line=line)

    def triples(
        self, head: str, tails: Iterable[tuple[str, str]], line: int, file: str, properties: Properties | None = None
    ) -> list[Record]:
        """The triples of a head with several tails, each with its relation; what is left out is counted by its reason."""
        records: list[Record] = []
        skipped: Counter[str] = Counter()
        for name, tail in tails:
            try:
                records.append(self.triple(head, name, tail, line, properties))
            except LeftOut as left:
                skipped[left.reason] += 1
            except BadRecord as bad:
                records.append(rejected(file, line, bad, f"{name}: {tail}"))
        return [*records, *(Skip(line, reason, count) for reason, count in skipped.items())]


def check_verb_phrases(head: str, tail: str) -> None:
    """Checks that both events are verb phrases, as Fang et al. 2021 require of ConceptNet (section 4.1).

    Raises:
        LeftOut: one is a noun phrase.
    """
    for text in (head, tail):
        if is_noun_phrase(words(text)):
            raise LeftOut("noun phrase")
