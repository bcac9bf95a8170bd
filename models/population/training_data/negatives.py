"""Negatives, as many as positives, of each relation, split and data set: by the recipe of the paper, or by that of its code.

Fang et al. 2021 say that a negative is "a random head and a random tail from the aligned graph" (section 4.6). The code that they
released (``preprocess/merge_cskb_aser.py``) does something else, and their training files come from it: of the negatives of a
relation 10 % are pairs that another relation joins, 10 % are pairs of the relation itself the other way round, and 80 % are pairs
of nodes of the relation. It calls an eighth of the latter shuffled.

No negative is a known positive, whatever its source and split, and none stands in an evaluation file, whatever its label there:
the released code looks at the triples of the same split and relation only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

import numpy as np

from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.progress import progress
from harmgraph.models.population.training_data.data import SPLITS, TEST_SET, Ends, LabelledTriple
from harmgraph.models.population.training_data.positives import TriplePlace

Recipe = Literal["paper", "released", "matched"]
RECIPES: tuple[Recipe, ...] = ("paper", "released", "matched")

OTHER, INVERTED, SHUFFLED, RANDOM = "another relation", "inverted", "shuffled", "random"
SHARES = ((OTHER, 0.1), (INVERTED, 0.1), (SHUFFLED, 0.1))
"""Shares of the released recipe; the rest are random pairs."""
ROUNDS = 50
"""A kind whose pairs are nearly used up is drawn this often, as many pairs as are missing, before it is given up."""

Pair = tuple[str, str]
Draw = Callable[[int], Iterable[Pair]]
"""Draws pairs of head and tail, as many as asked for, or fewer if there are no more."""
Group = tuple[str, str, str]
"""Relation, source, split."""


@dataclass(frozen=True, slots=True)
class Negatives:
    """What was drawn.

    Attributes:
        triples: in the order of the groups.
        kinds: how many of each kind.
        rejected: pairs that were drawn and not taken, by why.
        missing: positives without a negative, because nearly every pair is taken; only in tiny graphs.
    """

    triples: tuple[tuple[LabelledTriple, str], ...]
    kinds: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    missing: int = 0


class Sampler:
    """Draws negatives that are not known, each once.

    Args:
        known: all positives, of every split, also those that were removed.
        judged: the triples of the evaluation files.
    """

    def __init__(self, known: Container[Ends], judged: Container[Ends], rng: np.random.Generator) -> None:
        self.kinds: Counter[str] = Counter()
        self.rejected: Counter[str] = Counter()
        self._known = known
        self._judged = judged
        self._drawn: set[Ends] = set()
        self._rng = rng

    def take(self, relation: str, count: int, kind: str, draw: Draw) -> list[Ends]:
        """Draws until there are enough, or until a draw gives nothing, or ``ROUNDS`` times."""
        taken: list[Ends] = []
        for _ in range(ROUNDS):
            pairs = list(draw(count - len(taken)))
            if not pairs:
                break
            for head, tail in pairs:
                ends = head, relation, tail
                reason = self._reason(ends)
                if reason:
                    self.rejected[reason] += 1
                    continue
                self._drawn.add(ends)
                taken.append(ends)
            if len(taken) == count:
                break
        self.kinds[kind] += len(taken)
        return taken

    def _reason(self, ends: Ends) -> str:
        if ends[0] == ends[2]:
            return "head is tail"
        if ends in self._known:
            return "known positive"
        if ends in self._judged:
            return "in an evaluation file"
        return "drawn before" if ends in self._drawn else ""

    def independent(self, heads: list[str], tails: list[str]) -> Draw:
        """Draws a head and a tail, each of which is as likely as any other of its list."""

        def draw(count: int) -> Iterable[Pair]:
            if not heads or not tails:
                return []
            first = self._rng.integers(len(heads), size=count).tolist()
            last = self._rng.integers(len(tails), size=count).tolist()
            return [(heads[start], tails[end]) for start, end in zip(first, last, strict=True)]

        return draw

    def permuted(self, relation: str, pairs: list[Pair]) -> list[Ends]:
        """Exchanges the tails of the pairs until none of the new pairs is known; those that stay known are left out."""
        heads = [head for head, _ in pairs]
        tails = [pairs[place][1] for place in self._rng.permutation(len(pairs)).tolist()]
        made = Counter((heads[place], relation, tails[place]) for place in range(len(pairs)))

        def wrong(place: int) -> str:
            ends = heads[place], relation, tails[place]
            return self._reason(ends) or ("drawn before" if made[ends] > 1 else "")

        def exchange(one: int, other: int) -> None:
            for place in (one, other):
                made[heads[place], relation, tails[place]] -= 1
            tails[one], tails[other] = tails[other], tails[one]
            for place in (one, other):
                made[heads[place], relation, tails[place]] += 1

        for place in range(len(pairs)):
            reason = wrong(place)
            if not reason:
                continue
            self.rejected[reason] += 1
            for other in self._rng.integers(len(pairs), size=ROUNDS).tolist():
                was_wrong = wrong(other)
                exchange(place, other)
                if not wrong(place) and (was_wrong or not wrong(other)):
                    break
                exchange(place, other)
        taken = list(dict.fromkeys((heads[place], relation, tails[place]) for place in range(len(pairs))))
        taken = [ends for ends in taken if not self._reason(ends)]
        self._drawn.update(taken)
        self.kinds[SHUFFLED] += len(taken)
        return taken

    def one_by_one(self, pairs: list[Pair]) -> Draw:
        """Draws each of the pairs once at the most, in random order."""
        order = iter(self._rng.permutation(len(pairs)).tolist())

        def draw(count: int) -> Iterable[Pair]:
            return [pairs[at] for at in islice(order, count)]

        return draw


def draw_negatives(
    recipe: Recipe,
    kept: Mapping[Ends, TriplePlace],
    known: Mapping[Ends, TriplePlace],
    judged: Container[Ends],
    *,
    seed: int,
) -> Negatives:
    """One negative for each positive, of the same relation, source and split.

    ``paper``: heads are drawn from the heads of all positives, tails from their tails, each text as often as any other. The
    paper's aligned graph has the nodes of ASER too; here they come in as candidates only.

    ``released``: all pairs come from the nodes of the same relation, source and split, those of another relation from the same
    source and split. *Shuffled* is the head of one positive with the tail of another, *random* any two nodes: a tail may be
    the head. (The released code takes the nodes of all sources, and draws both kinds in one way.) Where a group is too small
    to give that many of a kind, random pairs take their place, and where these are used up, pairs of the paper's recipe.

    ``matched``: the positives of a relation, source and split exchange their tails. So each head and each tail is as frequent
    among their negatives as among them, and neither tells them apart. In the paper's recipe the tails of negatives are longer and
    rarer than those of positives. Where no exchange gives a negative, as in a group of one, pairs of the paper's recipe stand in.

    Args:
        kept: the positives that get a negative, sorted.
        known: all positives, also those that were removed.
        judged: the triples of the evaluation files.
    """
    sampler = Sampler(known, judged, np.random.default_rng(seed))
    groups: dict[Group, list[Pair]] = defaultdict(list)
    joined: dict[tuple[str, str], list[tuple[str, Pair]]] = defaultdict(list)
    for (head, relation, tail), place in kept.items():
        groups[relation, place.source, place.split].append((head, tail))
        joined[place.source, place.split].append((relation, (head, tail)))
    heads, tails = sorted({head for head, _, _ in known}), sorted({tail for _, _, tail in known})
    anywhere = sampler.independent(heads, tails)
    triples: list[tuple[LabelledTriple, str]] = []
    missing = 0
    order = sorted(groups, key=lambda group: (SPLITS.index(group[2]), RELATIONS.index(group[0]), group[1]))
    for relation, source, split in order:
        pairs = groups[relation, source, split]
        taken: list[Ends] = []
        if recipe == "released":
            others = [pair for other, pair in joined[source, split] if other != relation]
            taken = _released(sampler, relation, pairs, others)
        elif recipe == "matched":
            taken = sampler.permuted(relation, pairs)
        taken += sampler.take(relation, len(pairs) - len(taken), RANDOM, anywhere)
        missing += len(pairs) - len(taken)
        kind = "" if split == "train" else TEST_SET
        triples += [(LabelledTriple(*ends, 0, kind, source), split) for ends in taken]
        progress("drawing negatives", len(triples), len(kept))
    return Negatives(tuple(triples), dict(sampler.kinds), dict(sorted(sampler.rejected.items())), missing)


def _released(sampler: Sampler, relation: str, pairs: list[Pair], others: list[Pair]) -> list[Ends]:
    heads, tails = [head for head, _ in pairs], [tail for _, tail in pairs]
    nodes = sorted({*heads, *tails})
    draws = {
        OTHER: sampler.one_by_one(others),
        INVERTED: sampler.one_by_one([(tail, head) for head, tail in pairs]),
        SHUFFLED: sampler.independent(heads, tails),
    }
    taken: list[Ends] = []
    for kind, share in SHARES:
        # Cut off, as in the released code: a group of fewer than ten has random pairs alone.
        taken += sampler.take(relation, int(len(pairs) * share), kind, draws[kind])
    taken += sampler.take(relation, len(pairs) - len(taken), RANDOM, sampler.independent(nodes, nodes))
    return taken
