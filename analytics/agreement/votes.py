"""How well people agree on whether triples are plausible, and how good a person is (Fang et al. 2021, section 5.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harmgraph.analytics.agreement.nominal import FEWEST, nominal_agreement
from harmgraph.common import resampling
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.event_relations import relation_name
from harmgraph.common.intervals import wilson
from harmgraph.common.user_file import named_rows
from harmgraph.common.votes import cast_votes

RELATION, VOTES = "relation", "worker_vote"
ALL = "all"
FIRST = 5
"""Votes that give a triple its label in the paper; further ones are of experts."""

Table = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class VoteAgreement:
    """The agreement on the triples of a relation, or on all.

    Attributes:
        relation: its name, or ``all``. triples, votes: how many; a triple with one vote says nothing and is left out.
        agreement: share of the pairs of votes on one triple that are the same.
        fleiss_kappa: of the triples with the commonest number of votes; None if all votes are the same.
        kappa_triples: how many these are.
        one: share of the votes that say what most of the other votes on their triple say; an even split of the others is half
            right. It is how good a person is, measured by people.
        more: share of the triples with more than ``FIRST`` votes whose label stays the same if the others are counted too: the
            human performance of table 7. An even split of all is half right. None if no triple has more. more_triples: how many
            have.
        agreement_low and so on: 95 % intervals from resampled triples, Wilson's for ``more``; None for fewer than ``FEWEST``.
    """

    relation: str
    triples: int
    votes: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    fleiss_kappa: float | None
    fleiss_kappa_low: float | None
    fleiss_kappa_high: float | None
    kappa_triples: int
    one: float | None
    one_low: float | None
    one_high: float | None
    more: float | None
    more_low: float | None
    more_high: float | None
    more_triples: int


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes in a file.

    Attributes:
        of: the votes on each triple, by relation: 1 for plausible, 0 for not. ``general Effect`` and ``gEffect`` are one.
        empty: rows without votes.
    """

    of: Mapping[str, Sequence[tuple[int, ...]]]
    empty: int = 0

    @property
    def single(self) -> int:
        """Triples with one vote, which say nothing of agreement."""
        return sum(len(cast) == 1 for triples in self.of.values() for cast in triples)


def read_votes(path: Path) -> Votes:
    """The votes in a file.

    Args:
        path: a table with a header that has ``relation`` and ``worker_vote``, such as the evaluation set of the paper.

    Raises:
        UnreadableFile: it cannot be read, lacks a column, has a row of another length or other votes, or no triple with two
            votes.
    """
    found: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    empty = 0
    for row in named_rows(path, (RELATION, VOTES), remedy="give a file with the votes of each person"):
        text = row.cells[VOTES]
        if not text.strip():
            empty += 1
            continue
        cast = cast_votes(text)
        if cast is None or not set(cast) <= {0, 1}:
            raise UnreadableFile(
                path, f"the votes {text[:40]!r} are not a JSON list of 0 and 1", line=row.line, remedy="mend the row"
            )
        relation = row.cells[RELATION].strip()
        found[relation_name(relation) or relation].append(tuple(int(vote) for vote in cast))
    if not any(len(cast) > 1 for triples in found.values() for cast in triples):
        raise UnreadableFile(path, "has no triple with two votes", remedy="give a file with the votes of each person")
    return Votes(dict(found), empty)


def vote_agreement(votes: Votes, *, resamples: int = 1_000, seed: int = 0) -> list[VoteAgreement]:
    """A row for all triples, and then one for each relation.

    Args:
        resamples: bootstrap resamples of triples; 0 for no intervals.
    """
    together = [cast for triples in votes.of.values() for cast in triples]
    return [_row(name, triples, resamples, seed) for name, triples in ((ALL, together), *votes.of.items())]


def _row(relation: str, triples: Sequence[tuple[int, ...]], resamples: int, seed: int) -> VoteAgreement:
    known = [cast for cast in triples if len(cast) > 1]
    counts = np.array([(len(cast) - sum(cast), sum(cast)) for cast in known], np.int64).reshape(-1, 2)
    found = nominal_agreement(counts, resamples=resamples, seed=seed)
    low, high = found.agreement_interval or (None, None)
    kappa, kappa_low, kappa_high, kappa_triples = _kappa(counts, resamples, seed)
    one, one_low, one_high = _one(counts, resamples, seed)
    longer = [cast for cast in known if len(cast) > FIRST]
    same = sum(_stays(cast) for cast in longer)
    more_low, more_high = wilson(same, len(longer)) if longer and resamples else (None, None)
    return VoteAgreement(
        relation,
        triples=len(known),
        votes=found.given,
        agreement=found.agreement,
        agreement_low=low,
        agreement_high=high,
        fleiss_kappa=kappa,
        fleiss_kappa_low=kappa_low,
        fleiss_kappa_high=kappa_high,
        kappa_triples=kappa_triples,
        one=one,
        one_low=one_low,
        one_high=one_high,
        more=same / len(longer) if longer else None,
        more_low=more_low,
        more_high=more_high,
        more_triples=len(longer),
    )


def _kappa(counts: Table, resamples: int, seed: int) -> tuple[float | None, float | None, float | None, int]:
    """Fleiss' kappa (1971) with its interval, and the triples it is of.

    With equal numbers of votes, N in all, Krippendorff's alpha is 1 - (1 - kappa) (N - 1) / N. N is the same in every resample.
    """
    if not len(counts):
        return None, None, None, 0
    each = counts.sum(axis=1)
    equal = counts[each == np.bincount(each).argmax()]
    found = nominal_agreement(equal, resamples=resamples, seed=seed)
    larger = found.given / (found.given - 1)

    def of(alpha: float | None) -> float | None:
        return None if alpha is None else 1 - (1 - alpha) * larger

    low, high = found.alpha_interval or (None, None)
    return of(found.alpha), of(low), of(high), len(equal)


def _one(counts: Table, resamples: int, seed: int) -> tuple[float | None, float | None, float | None]:
    """See ``VoteAgreement.one``."""
    if not len(counts):
        return None, None, None
    # A vote of one kind: the others are one fewer of its kind.
    others = counts - 1 - counts[:, ::-1]
    right = (counts * np.where(others > 0, 1.0, np.where(others == 0, 0.5, 0.0))).sum(axis=1)
    votes = counts.sum(axis=1).astype(float)
    draws = resamples if len(counts) >= FEWEST else 0
    low, high = resampling.strict_interval(resampling.ratios(right, votes, draws, seed), draws) or (None, None)
    return float(right.sum() / votes.sum()), low, high


def _stays(cast: Sequence[int]) -> float:
    """1 if most of all votes say what most of the first say, 0 if they do not, one half if all are split evenly."""
    first, every = 2 * sum(cast[:FIRST]) - FIRST, 2 * sum(cast) - len(cast)
    return 0.5 if every == 0 else float((first > 0) == (every > 0))
