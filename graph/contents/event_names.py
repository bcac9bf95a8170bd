"""Links events to the targets that their words name.

An event is a short sentence: ``personx date a girl`` names girl, though its text is not the target's name. Of two names, one
inside the other, the longer counts: *african american* is not *american*. A group that combines others leaves these named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from harmgraph.graph.connection import Graph

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


def link_events(graph: Graph) -> int:
    """Creates missing links, and removes those of names that stand inside longer ones.

    Returns:
        How many links of events there are.
    """
    names: defaultdict[str, Names] = defaultdict(Names)
    combined = set()
    for row in graph.rows("link/target_names"):
        if row["combines"]:
            combined.add(row["target"])
        for name in row["names"]:
            names[row["language"]].add(name, row["target"])
    firsts = sorted({first for known in names.values() for first in known.longest})
    events = [
        [identity, targets]
        for identity, text, language in graph.stream("link/events", words=firsts)
        if (targets := sorted(named(text, names[language], combined)))
    ]
    starts = range(0, len(events), BATCH)
    return sum(graph.write("link/event_names", rows=events[start : start + BATCH]).rows[0]["links"] for start in starts)


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
