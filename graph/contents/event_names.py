"""Links events to the targets that their words name.

An event is a short sentence: ``personx date a girl`` names girl, though its text is not the target's name. Of two names of a
list, one inside the other, the longer counts: *african american* is not *american*. A group that combines others leaves these
named. Each list is looked at by itself, so what names its targets does not depend on other lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import LinkHeldRow

BATCH = 10_000
PERSONS = ("personx", "persony", "personz", "peoplex", "peopley")
AUXILIARIES = ("to", "not", "will", "would", "can", "could", "may", "might", "must", "shall", "should")
BEFORE_VERBS = frozenset((*PERSONS, *AUXILIARIES))
"""A name directly after one of these is a verb and names nobody: ``personx cook dinner``, ``want to model``."""

Names = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
"""The names of one language by their first word: the words of each and its target."""


def link_events(graph: Graph, held: Sequence[LinkHeldRow]) -> int:
    """Creates missing links, and removes those of names that stand inside longer ones of the same list.

    Args:
        held: what the lists hold.

    Returns:
        How many links of events there are.
    """
    holders: dict[str, set[str]] = {}
    lists: dict[str, _Listed] = {}
    for row in held:
        holders.setdefault(row["target"], set()).add(row["list"])
        lists.setdefault(row["list"], _Listed()).add(row)
    firsts = sorted({first for listed in lists.values() for known in listed.names.values() for first in known})
    events = []
    for identity, text, language in graph.stream("link/events", words=firsts):
        by_target: dict[str, list[str]] = {}
        for name, listed in sorted(lists.items()):
            for target in named(text, listed.names.get(language, {}), listed.combined):
                by_target.setdefault(target, []).append(name)
        if by_target:
            rows = [
                [target, None if len(by_target[target]) == len(holders[target]) else by_target[target]]
                for target in sorted(by_target)
            ]
            events.append([identity, rows])
    starts = range(0, len(events), BATCH)
    return sum(graph.write("link/event_names", rows=events[start : start + BATCH]).rows[0]["links"] for start in starts)


@dataclass(slots=True)
class _Listed:
    """The names of a list by language and first word, and its targets that combine others."""

    names: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = field(default_factory=dict)
    combined: set[str] = field(default_factory=set)

    def add(self, row: LinkHeldRow) -> None:
        if row["parts"]:
            self.combined.add(row["target"])
        of_language = self.names.setdefault(row["language"], {})
        for name in row["names"]:
            words = tuple(name.split(" "))
            of_language.setdefault(words[0], []).append((words, row["target"]))


def named(text: str, names: Names, combined: Collection[str] = ()) -> set[str]:
    """The targets that an event names.

    Args:
        combined: targets that combine others, such as ``black woman``; names inside theirs count too.
    """
    words = text.split(" ")
    if names.keys().isdisjoint(words):
        return set()
    standing = list(_standing(words, names))
    return {
        target
        for start, end, target in standing
        if not any(
            first <= start and end <= last and last - first > end - start and longer not in combined
            for first, last, longer in standing
        )
    }


def _standing(words: Sequence[str], names: Names) -> Iterator[tuple[int, int, str]]:
    """The names in a text: first word, the word after the last, and target."""
    for at, word in enumerate(words):
        if word in names and not (at and words[at - 1] in BEFORE_VERBS):
            for name, target in names[word]:
                if tuple(words[at : at + len(name)]) == name:
                    yield at, at + len(name), target
