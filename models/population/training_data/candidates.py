"""Candidates for population: edges of an eventuality graph that may stand for a commonsense relation (Fang et al. 2021, B.2).

An edge is a candidate of the relations for which table 15 names its type. Some of the candidates are reverse: their head and tail
have changed places, "to make the annotated edges more diverse".

The last column of table 15 restricts the tails of xReact, oReact, gReact and xAttr to patterns such as s-be-a. The graph does
not store the patterns of ASER, so they are told by the form of the text: see ``is_reaction`` and ``is_attribute``. These take
some tails that a parser would not take (``personx never sleep`` has the form of s-v-o), and leave out a few that it would. The
table has no rule for xReason, so that relation has no candidates.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from harmgraph.common.digests import text_number
from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import relation_type
from harmgraph.models.population.training_data.data import ALL_HEAD, CS_HEAD, Ends, LabelledTriple

EDGES = "population/candidates"
TELL_EVERY = 100_000
MOST = 20_000
"""Candidates of each class: "we sample 20K" (section 4.6)."""
REVERSE = 0.25
"""The share of reverse candidates, of relations that have any. The paper says "some edges", not how many."""

_BE = frozenset(("be", "am", "is", "are", "was", "were", "been", "'m", "'s", "'re"))
_LINKING = _BE | {
    *("feel", "feels", "felt", "seem", "seems", "seemed", "look", "looks", "looked", "sound", "sounds", "sounded"),
    *("become", "becomes", "became", "get", "gets", "got", "stay", "stays", "stayed", "remain", "remains", "remained"),
}
_PREPOSITIONS = frozenset(
    (
        *("about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "because", "before"),
        *(
            "behind",
            "by",
            "during",
            "for",
            "from",
            "in",
            "into",
            "like",
            "near",
            "of",
            "off",
            "on",
            "onto",
            "out",
            "over",
        ),
        *("through", "to", "toward", "towards", "under", "until", "up", "upon", "with", "within", "without"),
    )
)
LONGEST_STATE = 6
"""Words of ``personx want to be very happy``: s-v-be-a with an adverb."""
LONGEST_OBJECT = 4
"""Words of ``personx have a car``: s-v-o with a determiner."""


def is_attribute(tail: str) -> bool:
    """Whether a tail has the form of a state: s-be-a, s-be-o, s-v-a, s-v-be-a, s-v-be-o, s-v or spass-v.

    Two words (``personx sleep``), or a second word such as ``be`` or ``feel``, or a third or fourth word ``be``; at most six
    words, and no preposition but the ``to`` of ``want to be``.
    """
    words = tail.split()
    if len(words) == 2:
        return True
    if not 2 < len(words) <= LONGEST_STATE:
        return False
    linked = words[1] in _LINKING or words[2] in _BE or (len(words) > 3 and words[2] == "to" and words[3] in _BE)
    return linked and not any(
        word in _PREPOSITIONS and not (word == "to" and words[place + 1 : place + 2] and words[place + 1] in _BE)
        for place, word in enumerate(words[2:], 2)
    )


def is_reaction(tail: str) -> bool:
    """Whether a tail has the form of a state (``is_attribute``), or of s-v-o: at most four words without a preposition."""
    words = tail.split()
    return is_attribute(tail) or (2 < len(words) <= LONGEST_OBJECT and not _PREPOSITIONS & set(words[1:]))


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of table 15.

    Attributes:
        along: relations of ASER whose edges lead from the head of a candidate to its tail.
        against: those that the table has with -1: their edges lead from the tail to the head.
        tails: tells whether a tail has one of the patterns; None if the table names none.
    """

    relations: tuple[str, ...]
    along: tuple[str, ...]
    against: tuple[str, ...] = ()
    tails: Callable[[str], bool] | None = None


_AFTERWARDS = ("Result", "Precedence"), ("Condition", "Succession", "Reason")
_EITHER = ("Synchronous", "Reason", "Result", "Condition", "Conjunction", "Restatement")

TABLE_15 = (
    Rule(("xEffect", "oEffect", "gEffect", "xWant", "oWant", "gWant", "isBefore", "Causes"), *_AFTERWARDS),
    Rule(("xReact", "oReact", "gReact"), *_AFTERWARDS, is_reaction),
    Rule(("xIntent", "xNeed", "isAfter"), ("Condition", "Succession", "Reason"), ("Result", "Precedence")),
    Rule(("xAttr",), _EITHER, _EITHER, is_attribute),
    Rule(("HinderedBy",), ("Concession", "Alternative")),
    Rule(("HasSubEvent",), ("Synchronous", "Conjunction"), ("Synchronous", "Conjunction")),
)


@dataclass(frozen=True, slots=True)
class EdgeReading:
    """One way to read an edge of a type.

    Attributes:
        inverse: whether the head of the candidate is the tail of the edge.
        reverse: whether it is read in the direction that the table does not name.
    """

    relation: str
    inverse: bool
    reverse: bool
    tails: Callable[[str], bool] | None


def _readings() -> Mapping[str, tuple[EdgeReading, ...]]:
    readings: dict[str, list[EdgeReading]] = {}
    for rule in TABLE_15:
        for name in dict.fromkeys((*rule.along, *rule.against)):
            ways = {inverse for inverse, names in ((False, rule.along), (True, rule.against)) if name in names}
            readings.setdefault(relation_type(name), []).extend(
                EdgeReading(relation, inverse, inverse not in ways, rule.tails)
                for relation in rule.relations
                for inverse in (False, True)
            )
    return MappingProxyType({kind: tuple(ways) for kind, ways in readings.items()})


READINGS = _readings()
"""How an edge is read, by its relationship type."""
WITH_REVERSE = frozenset(way.relation for ways in READINGS.values() for way in ways if way.reverse)
"""Relations that have reverse candidates: those whose edges the table does not name in both directions."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What was chosen.

    Attributes:
        triples: sorted by class, relation, head and tail.
        counts: how many by class, relation and direction (``forward``, ``reverse``).
        edges: edges that were read.
        known: readings left out because they are known positives.
    """

    triples: tuple[LabelledTriple, ...]
    counts: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    edges: int = 0
    known: int = 0


class Least:
    """The triples with the least numbers, each once: a random sample that does not depend on the order in which they come."""

    def __init__(self, size: int) -> None:
        self.members: dict[Ends, int] = {}
        self._size = size
        self._heap: list[tuple[int, Ends]] = []  # the greatest number first

    def offer(self, number: int, ends: Ends) -> None:
        """Takes the triple if its number is among the least so far."""
        full = len(self._heap) >= self._size
        if not self._size or ends in self.members or (full and (-number, ends) <= self._heap[0]):
            return
        self.members[ends] = number
        if full:
            del self.members[heapq.heappushpop(self._heap, (-number, ends))[1]]
        else:
            heapq.heappush(self._heap, (-number, ends))


def quotas(shares: Mapping[str, int], most: int) -> dict[tuple[str, bool], int]:
    """How many candidates each relation gets, forward and reverse: like the positives to test on (section 4.6).

    Args:
        shares: number of positives of each relation; those without a rule get none, and the others have their part.
        most: candidates in all.
    """
    ruled = {way.relation for ways in READINGS.values() for way in ways}
    counted = {name: shares.get(name, 0) for name in RELATIONS if name in ruled}
    total = sum(counted.values())
    if not total:
        return {}
    # The largest remainders are rounded up, so that the sum is exact.
    sizes = {name: most * count // total for name, count in counted.items()}
    by_remainder = sorted(counted, key=lambda name: (-(most * counted[name] % total), RELATIONS.index(name)))
    for name in by_remainder[: most - sum(sizes.values())]:
        sizes[name] += 1
    split = {}
    for name, size in sizes.items():
        reverse = int(size * REVERSE) if name in WITH_REVERSE else 0
        split[name, False], split[name, True] = size - reverse, reverse
    return split


def find_candidates(
    graph: Graph,
    source: str,
    nodes: Container[str],
    known: Container[Ends],
    shares: Mapping[str, int],
    *,
    most: int = MOST,
    seed: int = 0,
) -> Candidates:
    """Reads the edges of an eventuality graph once and chooses candidates at random; memory grows with ``most`` alone.

    ``cs_head`` are those whose head is in a commonsense source and whose tail is not; ``all_head`` are all others.

    Args:
        nodes: texts of the heads and tails of the commonsense sources.
        known: positives, which are not candidates.
        shares: positives to test on by relation, whose distribution the candidates get.
    """
    sizes = quotas(shares, most)
    chosen = {
        (kind, relation, reverse): Least(size)
        for kind in (CS_HEAD, ALL_HEAD)
        for (relation, reverse), size in sizes.items()
    }
    salts = {name: _number(seed, name, "") for name in RELATIONS}
    total = sources.triples_of(graph, source, READINGS)
    edges = positives = 0
    for head, kind_of_edge, tail in graph.stream(EDGES, graph=source):
        edges += 1
        if edges % TELL_EVERY == 0:
            progress("reading edges", edges, max(edges, total))
        for way, first, last, number in _read(head, kind_of_edge, tail, seed):
            kind = CS_HEAD if first in nodes and last not in nodes else ALL_HEAD
            sample = chosen.get((kind, way.relation, way.reverse))
            if sample is None:
                continue
            ends = first, way.relation, last
            if ends in known:
                positives += 1
                continue
            sample.offer(_mixed(number ^ salts[way.relation]), ends)
    progress("reading edges", edges, edges)
    return _gathered(chosen, source, edges, positives)


def _read(head: str, kind: str, tail: str, seed: int) -> Iterator[tuple[EdgeReading, str, str, int]]:
    if head == tail:
        return
    numbers = _number(seed, head, tail), _number(seed, tail, head)
    for way in READINGS[kind]:
        first, last = (tail, head) if way.inverse else (head, tail)
        if way.tails is None or way.tails(last):
            yield way, first, last, numbers[way.inverse]


def _gathered(chosen: Mapping[tuple[str, str, bool], Least], source: str, edges: int, positives: int) -> Candidates:
    counts: dict[str, dict[str, Counter[str]]] = {}
    rows: list[LabelledTriple] = []
    for (kind, relation, reverse), sample in chosen.items():
        members: Iterable[Ends] = sample.members
        if reverse:  # by another edge, the same triple may stand in the direction that the table names
            members = sample.members.keys() - chosen[kind, relation, False].members.keys()
        triples = [LabelledTriple(*ends, None, kind, source) for ends in members]
        rows += triples
        if triples:
            by_direction = counts.setdefault(kind, {}).setdefault(relation, Counter())
            by_direction["reverse" if reverse else "forward"] += len(triples)
    rows.sort(key=lambda row: (row.kind != CS_HEAD, RELATIONS.index(row.relation), row.head, row.tail))
    return Candidates(tuple(rows), counts, edges, positives)


def _number(seed: int, head: str, tail: str) -> int:
    return text_number(f"{seed}\x1f{head}\x1f{tail}")


def _mixed(number: int) -> int:
    """A number of 64 bits that has nothing to do with the given one: so the relations of an edge are chosen independently.

    The last steps of SplitMix64 (Steele et al. 2014).
    """
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return number ^ (number >> 31)
