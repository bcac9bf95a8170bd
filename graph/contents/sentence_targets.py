"""Finds targets in the text of free sentences, and links each sentence to all of them.

A sentence names a target where one of its names stands in it as whole words: singular or plural, in any case, with a space, a
line break or ``_`` between its words. Of two names of one list, one inside the other, the longer counts, as in events
(``graph.contents.event_names``).

The words of a text are looked up in one pass. So its cost grows with the words in it that begin a name, not with the number of
targets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harmgraph.common.digests import facts_digest
from harmgraph.common.plural import forms
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import LinkTargetNamesRow

SEARCHED, NOT_YET = "searched", "not yet"
"""The property of a sentence whose targets are found in its text, and its value until they are."""
BATCH = 10_000
_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_GAP = re.compile(r"[\s_]+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of a target in a text, from the character ``start`` up to ``end``."""

    start: int
    end: int
    target: str


@dataclass(slots=True)
class SentenceNames:
    """The names of one language in the forms in which they stand in text. It can be pickled.

    Attributes:
        targets: the targets of each form.
        lengths: numbers of words of the forms that begin with a word.
    """

    targets: dict[str, list[str]] = field(default_factory=dict)
    lengths: dict[str, list[int]] = field(default_factory=dict)

    def add(self, name: str, target: str) -> None:
        """Adds a name of a target."""
        for form in forms(name):
            spaced = _GAP.sub(" ", _folded(form))
            words = _WORD.findall(spaced)
            if not words:
                continue
            named = self.targets.setdefault(spaced, [])
            if target not in named:
                named.append(target)
            lengths = self.lengths.setdefault(words[0], [])
            if len(words) not in lengths:
                lengths.append(len(words))

    def mentions(self, text: str) -> list[Mention]:
        """Every name in a text, those inside longer ones too, in the order of their first characters."""
        folded = _folded(text)
        if self.lengths.keys().isdisjoint(_WORD.findall(folded)):
            return []
        return list(self._mentions(folded))

    def _mentions(self, text: str) -> Iterator[Mention]:
        words = list(_WORD.finditer(text))
        for at, word in enumerate(words):
            start = word.start()
            for length in self.lengths.get(word[0], ()):
                if at + length > len(words):
                    continue
                end = words[at + length - 1].end()
                if _goes_on(text, start - 1) or _goes_on(text, end):
                    continue
                for target in self.targets.get(_GAP.sub(" ", text[start:end]), ()):
                    yield Mention(start, end, target)


def _folded(text: str) -> str:
    """The text in lower case, of the same length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _goes_on(text: str, at: int) -> bool:
    """Whether a word goes on at a place, which may lie outside the text."""
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


@dataclass(slots=True)
class TargetFinder:
    """Finds the targets of all lists.

    Attributes:
        names: by language.
        lists: the lists that hold each target.
        combined: the targets that combine others; names inside theirs count too.
    """

    names: dict[str, SentenceNames] = field(default_factory=dict)
    lists: dict[str, frozenset[str]] = field(default_factory=dict)
    combined: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, rows: Iterable[LinkTargetNamesRow]) -> TargetFinder:
        """The finder of some targets."""
        finder = cls()
        for row in rows:
            finder.lists[row["target"]] = frozenset(row["lists"])
            if row["combines"]:
                finder.combined.add(row["target"])
            known = finder.names.setdefault(row["language"], SentenceNames())
            for name in row["names"]:
                known.add(name, row["target"])
        return finder

    def spans(self, text: str, language: str = "en") -> dict[str, list[int]]:
        """The targets that a text names, each with where: start, end, start, end …; characters, the end is the next one.

        What a text names by one list is the same whatever other lists there are.
        """
        known = self.names.get(language)
        mentions = known.mentions(text) if known else []
        found: dict[str, list[int]] = {}
        first = last = 0  # the mentions around one that can hold it: a long text has many others
        longest = max((one.end - one.start for one in mentions), default=0)
        for one in mentions:
            while mentions[first].start < one.start - longest:
                first += 1
            while last < len(mentions) and mentions[last].start <= one.start:
                last += 1
            held = self.lists[one.target]
            for other in mentions[first:last]:
                if (
                    one.end <= other.end
                    and other.end - other.start > one.end - one.start
                    and other.target not in self.combined
                ):
                    held -= self.lists[other.target]
            if held:
                found.setdefault(one.target, []).extend((one.start, one.end))
        return found


def link_sentences(graph: Graph) -> int:
    """Looks for targets in the sentences that were not searched for the names of today, and links them.

    Returns:
        How many links there are of sentences whose targets are found in their text.
    """
    rows = sorted(graph.rows("link/target_names"), key=lambda row: row["target"])
    digest = facts_digest(
        [[row["target"], row["names"], row["language"], row["combines"], sorted(row["lists"])] for row in rows], 8
    )
    finder: TargetFinder | None = None
    found: list[list[object]] = []
    done = 0
    for identity, text, language in graph.stream("link/sentences", digest=digest):
        finder = finder or TargetFinder.of(rows)
        found.append([identity, [list(pair) for pair in finder.spans(text, language).items()]])
        if len(found) >= BATCH:
            graph.write("link/sentence_targets", rows=found, digest=digest)
            done += len(found)
            progress("finding targets in sentences", done)
            found = []
    if found:
        graph.write("link/sentence_targets", rows=found, digest=digest)
    return graph.rows("link/sentence_links")[0]["links"]
