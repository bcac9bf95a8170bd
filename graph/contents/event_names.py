"""Links events to the targets that their words name.

An event is a short sentence: ``personx date a girl`` names girl, though its text is not the target's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harmgraph.graph.connection import Graph

BATCH = 10_000
PERSONS = ("personx", "persony", "personz", "peoplex", "peopley")
AUXILIARIES = ("to", "not", "will", "would", "can", "could", "may", "might", "must", "shall", "should")
BEFORE_VERBS = frozenset((*PERSONS, *AUXILIARIES))
"""A name directly after one of these is a verb and names nobody: ``personx cook dinner``, ``want to model``."""

Names = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
"""The names of one language by their first word: the words of each and its target."""


def link_events(graph: Graph) -> int:
    """Creates missing links. Returns how many links of events there are."""
    names: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = {}
    for row in graph.rows("link/target_names"):
        for name in row["names"]:
            words = tuple(name.split(" "))
            names.setdefault(row["language"], {}).setdefault(words[0], []).append((words, row["target"]))
    firsts = sorted({first for known in names.values() for first in known})
    pairs = [
        [identity, target]
        for identity, text, language in graph.stream("link/events", words=firsts)
        for target in sorted(named(text, names.get(language, {})))
    ]
    starts = range(0, len(pairs), BATCH)
    return sum(graph.write("link/event_names", rows=pairs[start : start + BATCH]).rows[0]["links"] for start in starts)


def named(text: str, names: Names) -> set[str]:
    """The targets that an event names."""
    words = text.split(" ")
    if names.keys().isdisjoint(words):
        return set()
    return set(_targets(words, names))


def _targets(words: Sequence[str], names: Names) -> Iterator[str]:
    for at, word in enumerate(words):
        if word in names and not (at and words[at - 1] in BEFORE_VERBS):
            for name, target in names[word]:
                if tuple(words[at : at + len(name)]) == name:
                    yield target
