"""Rates after a scorer's confusion is taken out: the misclassification matrix inverted, within what shares can be.

With ``M[i, j] = P(the scorer says j | people say i)`` the shares of the scorer's labels are ``q = M^T p``, ``p`` being the
shares of what people would say. Rogan and Gladen 1978 solve this for two classes, Buonaccorsi 2010 for more. Where sampling
error puts the solution outside the shares that there can be, the nearest are taken: least squares on the simplex, as Hopkins
and King 2010 do. Saerens, Latinne and Decaestecker 2002 reach the shares from a classifier's probabilities instead, which a
scorer of words does not have.

What is assumed: given what people say of it, a statement of the graph is labelled by the scorer as the people's sentences are.
So these may hold other shares of prejudice than the graph, but must not have been chosen by the scorer's labels or by what goes
with them: then ``M`` is that of the choice. ``Choice`` undoes a choice by known labels, as strata are weighed in a survey; by
the scorer's own, the shares over all statements become ``p_i = sum_j q_j P(people say i | the scorer says j)``.

Each rating is an observation, as in the accuracies of Mehrabi et al. 2021, tables 2 and 3: ``p`` is the expected share of
people's labels. A majority would throw ties away, and call certain what people disagree about. The price: a rating is taken for
the truth, and where raters disagree ``M`` keeps something of the mixture in people's sentences. Who wants the majority's view
gives one label a sentence. Ratings of one sentence are not independent: the bootstrap draws sentences, with all their ratings.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.analytics.labelling.ratings import LABELS, NAMES, Ratings
from harmgraph.graph.common.errors import InputError
from harmgraph.graph.common.intervals import LEVEL

Array = np.ndarray[Any, Any]
CLASSES = len(LABELS)
SMOOTHING = 0.5  # counts added to each label of a target before its counts are drawn again
CELLS = 4_000_000  # numbers drawn together
OUTSIDE = 1e-9
SINGULAR = 1e8  # condition number from which a matrix has no inverse worth the name


@dataclass(frozen=True, slots=True)
class RatedSentences:
    """People's sentences and what the scorer says of them.

    Attributes:
        table: shape (sentences, 3, 3): of a sentence, ratings by what people say and what the scorer says.
    """

    table: Array

    @property
    def n_sentences(self) -> int:
        return len(self.table)

    @property
    def n_ratings(self) -> int:
        return int(self.table.sum())

    def said(self) -> Array:
        """Shape (sentences, 3): one where the scorer says it."""
        indicators: Array = (self.table.sum(axis=1) > 0).astype(np.int64)
        return indicators

    def shares(self) -> Array:
        """Share of the sentences by what the scorer says."""
        shares: Array = self.said().mean(axis=0)
        return shares


@dataclass(frozen=True, slots=True)
class Choice:
    """What people's sentences were chosen by: strata of statements, by their labels of one measure or more.

    Attributes:
        names: of the strata.
        of: shape (sentences,), the stratum of each sentence.
        shares: shape (strata,), of the statements that the sentences were chosen from.
    """

    names: tuple[str, ...]
    of: Array
    shares: Array


@dataclass(frozen=True, slots=True)
class Matrix:
    """The misclassification matrix and its resamples.

    Attributes:
        values: shape (3, 3), rows what people say, columns what the scorer says, both in the order of ``LABELS``.
        drawn: shape (resamples, 3, 3), from sentences drawn with replacement.
        condition: condition number of ``values``, 1 for a scorer without fault.
        lost: resamples that had no matrix, because a label was in none of the sentences drawn.
    """

    values: Array
    drawn: Array
    condition: float
    lost: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """Shares of what people would say, in the order of ``LABELS``.

    Attributes:
        solved: by the inverse alone, within 0 and 1 or not.
        shares: the nearest that there can be.
        low, high: 95 % percentile bootstrap interval of the shares.
        outside: share of the resamples whose solution was outside 0 and 1.
    """

    solved: Array
    shares: Array
    low: Array
    high: Array
    outside: float

    @property
    def constrained(self) -> bool:
        """Whether the inverse gave shares outside 0 and 1."""
        return bool((self.solved < -OUTSIDE).any())


def rated_sentences(ratings: Ratings, scored: Mapping[str, str]) -> RatedSentences:
    """Joins people's labels and a scorer's, in the order of the ratings.

    Args:
        scored: the scorer's label of each sentence; one that is neither positive nor negative counts as neutral, as in the
            statistics.
    """
    table = np.zeros((len(ratings.counts), CLASSES, CLASSES), dtype=np.int64)
    for at, (text, counts) in enumerate(ratings.counts.items()):
        table[at, :, place(scored[text])] = counts
    return RatedSentences(table)


def place(label: str) -> int:
    """Place of a label in ``LABELS``; one that is none of them is neither positive nor negative."""
    return LABELS.index(label) if label in LABELS else LABELS.index("neutral")


def matrix(rated: RatedSentences, *, chosen: Choice | None = None, resamples: int = 2_000, seed: int = 0) -> Matrix:
    """The misclassification matrix with bootstrap resamples of sentences.

    Args:
        chosen: how people's sentences were chosen from the statements; they are weighed to undo it. None where by chance, or by
            what people say of them.

    Raises:
        InputError: people gave a label to nothing; a label that the choice went by is on no sentence, or on so few that many
            resamples lack it; or the matrix cannot be told from one without an inverse.
    """
    for name, count in zip(NAMES, rated.table.sum(axis=(0, 2)), strict=True):
        if not count:
            raise InputError(f"no sentence is labelled {name} by people", remedy="the matrix needs all three labels")
    strata = chosen or Choice(("all",), np.zeros(rated.n_sentences, dtype=np.int64), np.ones(1))
    for name, share, count in zip(
        strata.names, strata.shares, np.bincount(strata.of, minlength=len(strata.names)), strict=True
    ):
        if share and not count:
            raise InputError(
                f"none of people's sentences is {name}, so they cannot be weighed",
                remedy="weigh by another measure, or have such sentences labelled",
            )
    values = _matrices(rated, strata, np.ones((1, rated.n_sentences), dtype=np.int64))[0]
    condition = float(np.linalg.cond(values))
    drawn = _resampled(rated, strata, resamples, np.random.default_rng(seed))
    whole: Array = np.asarray(np.isfinite(drawn).all(axis=(1, 2)))
    lost = int((~whole).sum())
    drawn = drawn[whole]
    determinants = np.linalg.det(drawn)
    turned = int((np.sign(determinants) != np.sign(np.linalg.det(values))).sum())
    if lost > (1 - LEVEL) * resamples:
        raise InputError(
            f"people's labels are too few: {lost:,} of {resamples:,} resamples of their sentences lack a label",
            remedy="have more sentences labelled, or weigh by fewer measures"
            if chosen
            else "have more sentences labelled",
        )
    if not condition < SINGULAR or turned > (1 - LEVEL) * resamples:
        raise InputError(
            "people's labels do not tell what the scorer confuses: the matrix cannot be told from a singular one "
            f"(condition number {condition:.3g}; {turned:,} of {resamples:,} resamples on the other side of it)",
            remedy="have more sentences labelled, or take a scorer that agrees with people more",
        )
    usable = np.abs(determinants) > 1 / SINGULAR
    return Matrix(values, drawn[usable], condition, lost + int((~usable).sum()))


def estimate(confusion: Matrix, counts: Sequence[int], *, seed: int = 0, key: str = "") -> Estimate:
    """The shares behind the counts of a scorer's labels.

    Resamples pair a drawn matrix with drawn counts. These are multinomial, from the observed shares with half a count
    added to each label: from the bare shares a label that was not seen would never be drawn, and the interval of a
    target with few statements would be a point (in simulations it covered 0 to 75 % instead of 95 % for up to five
    statements; with the half counts 94 % or more). A half is Jeffreys' choice (Brown, Cai and DasGupta 2001).

    Args:
        counts: how often the scorer says each of ``LABELS``; at least one.
        key: whose counts they are: the draws of one do not depend on who else is asked for.
    """
    observed = np.asarray(counts, dtype=float)
    total = int(observed.sum())
    solved, shares = solve(confusion.values[None], (observed / total)[None])
    generator = np.random.default_rng([seed, zlib.crc32(key.encode())])
    smoothed = (observed + SMOOTHING) / (total + SMOOTHING * CLASSES)
    drawn = generator.multinomial(total, smoothed, size=len(confusion.drawn)) / total
    drawn_solved, drawn_shares = solve(confusion.drawn, drawn)
    low, high = np.quantile(drawn_shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    outside = float((drawn_solved < -OUTSIDE).any(axis=1).mean())
    return Estimate(solved[0], shares[0], low, high, outside)


def solve(matrices: Array, observed: Array) -> tuple[Array, Array]:
    """Shares ``p`` with ``observed = M^T p``: by the inverse, and the nearest on the simplex.

    Args:
        matrices: shape (n, 3, 3).
        observed: shape (n, 3), rows that sum to 1.

    Returns:
        Two arrays of shape (n, 3). The second minimises ``|M^T p - observed|`` over shares that are not negative and sum
        to 1; where the first is such, they are equal.
    """
    solved = np.linalg.solve(matrices.transpose(0, 2, 1), observed[:, :, None])[:, :, 0]
    shares = np.clip(solved, 0, None)
    outside = (solved < -OUTSIDE).any(axis=1)
    if outside.any():
        shares[outside] = _on_an_edge(matrices[outside], observed[outside])
    return solved, shares / shares.sum(axis=1, keepdims=True)


def _on_an_edge(matrices: Array, observed: Array) -> Array:
    """The nearest shares where one of the three is nothing: outside the triangle the nearest lies on one of its edges."""
    best = np.full(len(matrices), np.inf)
    shares = np.zeros((len(matrices), CLASSES))
    for first, second in ((0, 1), (0, 2), (1, 2)):
        along = matrices[:, first] - matrices[:, second]
        away = observed - matrices[:, second]
        length = (along**2).sum(axis=1)
        part = np.clip((away * along).sum(axis=1) / np.where(length > 0, length, 1), 0, 1)
        distance = ((away - part[:, None] * along) ** 2).sum(axis=1)
        nearer = distance < best
        best[nearer] = distance[nearer]
        shares[nearer] = 0
        shares[nearer, first] = part[nearer]
        shares[nearer, second] = 1 - part[nearer]
    return shares


def _resampled(rated: RatedSentences, strata: Choice, resamples: int, generator: np.random.Generator) -> Array:
    """Shape (resamples, 3, 3); not a number where a resample has no matrix."""
    size = rated.n_sentences
    at_once = max(1, CELLS // size)
    parts = []
    for start in range(0, resamples, at_once):
        times = generator.multinomial(size, np.full(size, 1 / size), size=min(at_once, resamples - start))
        parts.append(_matrices(rated, strata, times))
    return np.concatenate(parts)


def _matrices(rated: RatedSentences, strata: Choice, times: Array) -> Array:
    """Shape (n, 3, 3), rows that sum to 1.

    Args:
        times: shape (n, sentences), how often each sentence was drawn.
    """
    flat = rated.table.reshape(rated.n_sentences, -1)
    counts = np.zeros((len(times), flat.shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        for number, share in enumerate(strata.shares):
            inside = strata.of == number
            if share:  # what the graph lacks weighs nothing; what it has and a resample lacks leaves no matrix
                of_it = times[:, inside]
                counts += share / of_it.sum(axis=1)[:, None] * (of_it @ flat[inside])
        tables = counts.reshape(-1, CLASSES, CLASSES)
        rows: Array = tables / tables.sum(axis=2, keepdims=True)
    return rows
