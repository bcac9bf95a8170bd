"""Shares of people's labels from people's sample and the scorer's labels together (prediction-powered inference).

The scorer labels every statement, people only a sample. ``f`` predicts what people say of a statement: the mean of what they say
of those to which the scorer gives the same label. The estimate is the mean of ``f`` over all statements, plus the mean of what it
gets wrong in the sample, the rectifier (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023, Science 382, 669-674). Each
sentence counts by its inverse inclusion probability. As ``f`` is fitted within each label, the rectifier is 0, and it remains

    sum over labels l of  (share of l in the statements) * (mean of people within l)

which surveys call post-stratified. Whatever the scorer is worth, this is what people would say on average.

PPI++ (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453) multiplies ``f`` by a ``lambda`` that makes the variance smallest.
This ``f`` has as it were a ``lambda`` for each label. So the best one of all is 1, or near it if the judged are not among the
statements. ``lambda`` 0 is people's labels alone. It is taken where the interval would be wider with 1, so
that none is wider than that of people's labels alone.

Intervals: a normal one is too narrow where harm is rare, and a point where all judged say the same. Here each label's mean has
Wilson's interval with as many sentences as its weights are worth (Kish 1965). They are combined by the square-and-add method
(Zou and Donner 2008), with the variance of ``f`` over the statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.common.intervals import Z, wilson_arrays
from harmgraph.common.label_words import PEOPLE_LABELS

Array = np.ndarray[Any, Any]
CLASSES = len(PEOPLE_LABELS)
DOUBT = 5.0
"""How many labels of one kind make the gain of several people per sentence half believed; more make it believed more."""


@dataclass(frozen=True, slots=True)
class JudgedSentences:
    """Sentences that people judged and the scorer labelled.

    Attributes:
        people: shape (sentences, 3), the share of each of ``PEOPLE_LABELS`` in a sentence's judgements; rows sum to 1.
        said: shape (sentences,), the place of the scorer's label in ``PEOPLE_LABELS``.
        weights: shape (sentences,), how many statements each stands for; their sum does not matter.
    """

    people: Array
    said: Array
    weights: Array

    def of(self, times: Array) -> JudgedSentences:
        """Some of the sentences.

        Args:
            times: shape (sentences,), how often each counts; those that count 0 times are left out.
        """
        kept = times > 0
        return JudgedSentences(self.people[kept], self.said[kept], self.weights[kept] * times[kept])

    def by_label(self) -> Array:
        """What people say of each of the scorer's labels, shape (3, 3); not-a-number of a label that nobody judged."""
        rows = np.full((CLASSES, CLASSES), np.nan)
        for label in range(CLASSES):
            inside = self.said == label
            if self.weights[inside].sum() > 0:
                rows[label] = np.average(self.people[inside], axis=0, weights=self.weights[inside])
        return rows


@dataclass(frozen=True, slots=True)
class PoweredShares:
    """Shares of the labels that people would give, in the order of ``PEOPLE_LABELS``.

    Attributes:
        shares, low, high: estimates with their 95 % intervals, shape (3,).
        alone_low, alone_high: the intervals of people's labels alone.
        tuned: the ``lambda`` of each, 1 or 0.
        judged: how many sentences they are from.
    """

    shares: Array
    low: Array
    high: Array
    alone_low: Array
    alone_high: Array
    tuned: Array
    judged: int


def powered_shares(judged: JudgedSentences, counts: Sequence[int]) -> PoweredShares:
    """The shares of people's labels in statements of which the scorer's labels are known.

    Args:
        judged: at least one sentence of them.
        counts: how many of the statements have each of the scorer's labels; their sum is at least 1.
    """
    total = float(sum(counts))
    parts = np.asarray(counts, dtype=float) / total
    alone = _mean(judged.people, judged.weights)
    # Of a label that nobody judged, people may say anything: it is taken to be as the others, and its interval is all.
    means, lows, highs = (np.tile(row, (CLASSES, 1)) for row in (alone[0], np.zeros(CLASSES), np.ones(CLASSES)))
    for label in np.unique(judged.said):
        inside = judged.said == label
        means[label], lows[label], highs[label] = _mean(judged.people[inside], judged.weights[inside])
    shares = parts @ means
    between = Z**2 * (parts @ (means - shares) ** 2) / total
    low = np.maximum(shares - np.sqrt(parts**2 @ (means - lows) ** 2 + between), 0)
    high = np.minimum(shares + np.sqrt(parts**2 @ (highs - means) ** 2 + between), 1)
    tuned = high - low <= alone[2] - alone[1]
    return PoweredShares(
        shares=np.where(tuned, shares, alone[0]),
        low=np.where(tuned, low, alone[1]),
        high=np.where(tuned, high, alone[2]),
        alone_low=alone[1],
        alone_high=alone[2],
        tuned=tuned.astype(float),
        judged=len(judged.said),
    )


def _mean(people: Array, weights: Array) -> tuple[Array, Array, Array]:
    """The weighted mean of people's labels and Wilson's interval of it, shape (3,) each."""
    mean = np.average(people, axis=0, weights=weights)
    worth = weights.sum() ** 2 / (weights**2).sum()
    # Several labels of a sentence vary less than one does, by this factor. It is believed as far as labels were seen.
    binary = mean * (1 - mean)
    spread = np.average((people - mean) ** 2, axis=0, weights=weights)
    factor = np.divide(spread, binary, out=np.ones(CLASSES), where=binary > 0)
    seen = np.minimum(mean, 1 - mean) * worth
    sentences = worth / np.minimum((seen * factor + DOUBT) / (seen + DOUBT), 1)
    low, high = wilson_arrays(mean * sentences, sentences)
    return mean, low, high
