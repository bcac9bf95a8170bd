"""Corrects rates for a scorer's confusion: inverts the misclassification matrix and keeps the shares between 0 and 1.

With ``M[i, j] = P(the scorer says j | people say i)`` the shares of the scorer's labels are ``q = M^T p``, where ``p`` are the
shares of the labels that people would give. Rogan and Gladen 1978 solve this for two classes, Buonaccorsi 2010 for more. If
sampling error puts the solution outside the possible shares, the nearest possible ones are used: least squares on the simplex,
as in Hopkins and King 2010. Saerens, Latinne and Decaestecker 2002 estimate the shares from a classifier's probabilities
instead, which a scorer of words does not have.

Assumption: for a given label by people, the scorer labels statements of the graph as it labels people's sentences. The sentences
may have other shares of prejudice than the graph, but they must not have been chosen by the scorer's labels or anything related
to them, because then ``M`` describes the choice. ``SampleChoice`` undoes a choice by known labels, as strata are weighted in a
survey; if it was by the scorer's own labels, the shares over all statements become
``p_i = sum_j q_j P(people say i | the scorer says j)``.

Each rating is an observation, as in the accuracies of Mehrabi et al. 2021, tables 2 and 3: ``p`` is the expected share of
people's labels. A majority vote would drop ties, and would treat sentences that people disagree about as certain. The drawback:
each rating counts as true, so where raters disagree ``M`` depends on the mixture in people's sentences. For the majority's view,
give one label for each sentence. Ratings of one sentence are not independent, so the bootstrap draws whole sentences.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common.errors import InputError
from harmgraph.common.intervals import LEVEL
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES

Array = np.ndarray[Any, Any]
CLASSES = len(PEOPLE_LABELS)
SMOOTHING = 0.5  # count added to each label of a target before its counts are resampled
CELLS = 4_000_000  # numbers drawn at once
OUTSIDE = 1e-9
SINGULAR = 1e8  # condition number from which a matrix counts as singular


@dataclass(frozen=True, slots=True)
class RatedSentences:
    """People's ratings of sentences with the scorer's labels.

    Attributes:
        table: shape (sentences, 3, 3): for each sentence the number of ratings by people's label and the scorer's label.
    """

    table: Array

    @property
    def n_sentences(self) -> int:
        return len(self.table)

    @property
    def n_ratings(self) -> int:
        return int(self.table.sum())

    def said(self) -> Array:
        """The scorer's labels, shape (sentences, 3): 1 at the label of each sentence, 0 elsewhere."""
        indicators: Array = (self.table.sum(axis=1) > 0).astype(np.int64)
        return indicators

    def shares(self) -> Array:
        """Share of the sentences with each of the scorer's labels, shape (3,)."""
        shares: Array = self.said().mean(axis=0)
        return shares


@dataclass(frozen=True, slots=True)
class SampleChoice:
    """How people's sentences were chosen: strata of statements, by their labels of one or more measures.

    Attributes:
        names: names of the strata.
        of: shape (sentences,), the stratum of each sentence.
        shares: shape (strata,), share of each stratum in the statements that the sentences were chosen from.
        stratified: whether a number of sentences of each stratum was drawn, so that a resample draws within each too; otherwise
            the strata were told afterwards, and how many sentences fall into each is chance.
    """

    names: tuple[str, ...]
    of: Array
    shares: Array
    stratified: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """The misclassification matrix and its resamples.

    Attributes:
        values: shape (3, 3), rows what people say, columns what the scorer says, both in the order of ``PEOPLE_LABELS``.
        drawn: shape (resamples, 3, 3), from sentences drawn with replacement.
        condition: condition number of ``values``; 1 for a scorer without errors.
        lost: number of resamples without a matrix, because none of the drawn sentences has one of the labels.
    """

    values: Array
    drawn: Array
    condition: float
    lost: int


@dataclass(frozen=True, slots=True)
class EstimatedShares:
    """Shares of the labels that people would give, in the order of ``PEOPLE_LABELS``.

    Attributes:
        solved: the solution by the inverse, which may be outside 0 and 1.
        shares: the nearest possible shares.
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
        scored: the scorer's label of each sentence; a label other than positive and negative counts as neutral, as in the
            statistics. A sentence without one has zeros alone: it counts for its stratum and for nothing else.
    """
    table = np.zeros((len(ratings.counts), CLASSES, CLASSES), dtype=np.int64)
    for at, (text, counts) in enumerate(ratings.counts.items()):
        if text in scored:
            table[at, :, place(scored[text])] = counts
    return RatedSentences(table)


def place(label: str) -> int:
    """Position of a label in ``PEOPLE_LABELS``; that of neutral for a label that is not among them."""
    return PEOPLE_LABELS.index(label) if label in PEOPLE_LABELS else PEOPLE_LABELS.index("neutral")


def matrix(
    rated: RatedSentences, *, chosen: SampleChoice | None = None, resamples: int = 2_000, seed: int = 0
) -> Matrix:
    """The misclassification matrix with bootstrap resamples of sentences.

    Args:
        chosen: how people's sentences were chosen from the statements; weights undo the choice. None if they were chosen at
            random or by people's labels.

    Raises:
        InputError: people gave a label to no sentence; a stratum of the choice has no sentence, or so few that many resamples
            lack it; or the matrix cannot be told from a singular one.
    """
    for name, count in zip(PEOPLE_NAMES, rated.table.sum(axis=(0, 2)), strict=True):
        if not count:
            raise InputError(f"no sentence is labelled {name} by people", remedy="the matrix needs all three labels")
    strata = chosen or SampleChoice(("all",), np.zeros(rated.n_sentences, dtype=np.int64), np.ones(1))
    for name, share, count in zip(
        strata.names, strata.shares, np.bincount(strata.of, minlength=len(strata.names)), strict=True
    ):
        if share and not count:
            raise InputError(
                f"none of people's sentences is {name}, so they cannot be weighted",
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
            f"people's labels are too few: {lost:,} of {resamples:,} resamples of their sentences lack a label"
            + (" or a stratum" if chosen and not chosen.stratified else ""),
            remedy="have more sentences labelled, or weigh by fewer measures"
            if chosen and not chosen.stratified
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


def estimate(confusion: Matrix, counts: Sequence[int], *, seed: int = 0, key: str = "") -> EstimatedShares:
    """The shares behind the counts of a scorer's labels.

    Each resample pairs a drawn matrix with drawn counts. The counts are multinomial, from the observed shares with half a
    count added to each label. Without it an unseen label would never be drawn, and the interval of a target with few
    statements would be a point (in simulations it covered 0 to 75 % instead of 95 % for up to five statements; with the
    half counts 94 % or more). A half is Jeffreys' choice (Brown, Cai and DasGupta 2001).

    Args:
        counts: how often the scorer gives each of ``PEOPLE_LABELS``; their sum is at least 1.
        key: identifies the target, so that its draws do not depend on which other targets are estimated.
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
    return EstimatedShares(solved[0], shares[0], low, high, outside)


def solve(matrices: Array, observed: Array) -> tuple[Array, Array]:
    """Solves ``observed = M^T p`` for the shares ``p``: by the inverse, and by the nearest point on the simplex.

    Args:
        matrices: shape (n, 3, 3).
        observed: shape (n, 3), rows that sum to 1.

    Returns:
        Two arrays of shape (n, 3). The second minimises ``|M^T p - observed|`` over shares that are not negative and sum
        to 1; it equals the first where that has such shares.
    """
    solved = np.linalg.solve(matrices.transpose(0, 2, 1), observed[:, :, None])[:, :, 0]
    shares = np.clip(solved, 0, None)
    outside = (solved < -OUTSIDE).any(axis=1)
    if outside.any():
        shares[outside] = _on_an_edge(matrices[outside], observed[outside])
    return solved, shares / shares.sum(axis=1, keepdims=True)


def _on_an_edge(matrices: Array, observed: Array) -> Array:
    """The nearest shares with one of the three at 0: for a point outside the triangle they lie on one of its edges."""
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


def _resampled(rated: RatedSentences, strata: SampleChoice, resamples: int, generator: np.random.Generator) -> Array:
    """The matrices of the resamples, shape (resamples, 3, 3); not-a-number for a resample without a matrix."""
    size = rated.n_sentences
    at_once = max(1, CELLS // size)
    together = [np.flatnonzero(strata.of == number) for number in range(len(strata.names))]
    parts = []
    for start in range(0, resamples, at_once):
        count = min(at_once, resamples - start)
        times = np.zeros((count, size), dtype=np.int64)
        for inside in together if strata.stratified else [np.arange(size)]:
            if len(inside):
                times[:, inside] = generator.multinomial(len(inside), np.full(len(inside), 1 / len(inside)), size=count)
        parts.append(_matrices(rated, strata, times))
    return np.concatenate(parts)


def _matrices(rated: RatedSentences, strata: SampleChoice, times: Array) -> Array:
    """The misclassification matrices, shape (n, 3, 3), with rows that sum to 1.

    Args:
        times: shape (n, sentences), how often each sentence was drawn.
    """
    flat = rated.table.reshape(rated.n_sentences, -1)
    counts = np.zeros((len(times), flat.shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        for number, share in enumerate(strata.shares):
            inside = strata.of == number
            if share:  # a stratum missing in the graph has no weight; one missing in a resample leaves no matrix
                of_it = times[:, inside]
                counts += share / of_it.sum(axis=1)[:, None] * (of_it @ flat[inside])
        tables = counts.reshape(-1, CLASSES, CLASSES)
        rows: Array = tables / tables.sum(axis=2, keepdims=True)
    return rows
