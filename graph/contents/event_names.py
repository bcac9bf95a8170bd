"""Links events to the targets that their words name.

An event is a short sentence: ``personx date a girl`` names girl, though its text is not the target's name. Of two names, one
inside the other, the longer counts: *african american* is not *american*. A group that combines others leaves these named.
Names of one list say nothing about those of another: what an event names by a list is the same whatever other lists are loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import LinkTargetNamesRow

BATCH = 10_000
PERSONS = ("personx", "persony", "personz", "peoplex", "peopley")
AUXILIARIES = ("to", "not", "will", "would", "can", "could", "may", "might", "must", "shall", "should")
BEFORE_VERBS = frozenset((*PERSONS, *AUXILIARIES))
"""A name directly after one of these is a verb and names nobody: ``personx cook dinner``, ``want to model``."""


@dataclass(slots=True)
class Names:
    """The names of one language, so that a text is looked up in them at the cost of its own length.

    Attributes:
        targets: the targets of each name, by its words.
        longest: the number of words of the longest name, by its first word.
    """

    targets: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, target: str) -> None:
        """Adds a name of a target."""
        words = tuple(name.split(" "))
        self.targets.setdefault(words, []).append(target)
        self.longest[words[0]] = max(len(words), self.longest.get(words[0], 0))


@dataclass(slots=True)
class _List:
    """What an event may name by one list.

    Attributes:
        names: by language.
        combined: the targets that combine others.
    """

    names: dict[str, Names] = field(default_factory=dict)
    combined: set[str] = field(default_factory=set)

    def add(self, row: LinkTargetNamesRow) -> None:
        if row["combines"]:
            self.combined.add(row["target"])
        for name in row["names"]:
            self.names.setdefault(row["language"], Names()).add(name, row["target"])


def link_events(graph: Graph) -> int:
    """Creates missing links, and removes those of names that stand inside longer ones of the same list.

    Returns:
        How many links of events there are.
    """
    lists: dict[str, _List] = {}
    holders: dict[str, frozenset[str]] = {}
    for row in graph.rows("link/target_names"):
        holders[row["target"]] = frozenset(row["lists"])
        for name in row["lists"]:
            lists.setdefault(name, _List()).add(row)
    firsts = sorted({first for one in lists.values() for known in one.names.values() for first in known.longest})
    events = [
        [identity, named_by]
        for identity, text, language in graph.stream("link/events", words=firsts)
        if (named_by := _by_lists(text, language, lists, holders))
    ]
    starts = range(0, len(events), BATCH)
    return sum(graph.write("link/event_names", rows=events[start : start + BATCH]).rows[0]["links"] for start in starts)


def _by_lists(
    text: str, language: str, lists: Mapping[str, _List], holders: Mapping[str, frozenset[str]]
) -> list[tuple[str, list[str] | None]]:
    """The targets that an event names, each with the lists by which it does; None for all that hold the target."""
    found: dict[str, set[str]] = {}
    for name, one in lists.items():
        for target in named(text, one.names.get(language, Names()), one.combined):
            found.setdefault(target, set()).add(name)
    return [(target, None if by == holders[target] else sorted(by)) for target, by in sorted(found.items())]


def named(text: str, names: Names, combined: Collection[str] = ()) -> set[str]:
    """The targets that an event names.

    Args:
        combined: targets that combine others, such as ``black woman``; names inside theirs count too.
    """
    words = text.split(" ")
    if names.longest.keys().isdisjoint(words):
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
        if word in names.longest and not (at and words[at - 1] in BEFORE_VERBS):
            for end in range(at + 1, min(at + names.longest[word], len(words)) + 1):
                for target in names.targets.get(tuple(words[at:end]), ()):
                    yield at, end, target
