"""The misclassification matrix and its inverse: by hand, against scipy, and in simulations whose truth is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.analytics.statistics.misclassification import (
    RatedSentences,
    SampleChoice,
    estimate,
    matrix,
    place,
    rated_sentences,
    solve,
)
from harmgraph.common.errors import InputError
from harmgraph.common.label_words import PEOPLE_LABELS

IDENTITY = np.eye(3)
GOOD = np.array([[0.6, 0.38, 0.02], [0.05, 0.9, 0.05], [0.02, 0.38, 0.6]])
Array = np.ndarray[Any, Any]


def drawn_sentences(confusion: Array, people: Array, number: int, generator: np.random.Generator) -> RatedSentences:
    """Sentences of which three raters say the same."""
    truth = generator.choice(3, size=number, p=people)
    said = (generator.random(number)[:, None] > confusion[truth].cumsum(axis=1)[:, :2]).sum(axis=1)
    table = np.zeros((number, 3, 3), dtype=np.int64)
    table[np.arange(number), truth, said] = 3
    return RatedSentences(table)


def test_the_matrix_by_hand() -> None:
    ratings = Ratings({"a": (2, 1, 0), "b": (0, 3, 0), "c": (0, 1, 2), "d": (1, 0, 1), "e": (0, 2, 0)})
    rated = rated_sentences(ratings, {"a": "positive", "b": "neutral", "c": "negative", "d": "odd", "e": "positive"})
    assert (rated.n_sentences, rated.n_ratings) == (5, 13)
    assert list(rated.shares()) == [0.4, 0.4, 0.2]
    assert place("odd") == place("neutral")
    # The same sentences many times over, so that there is enough to draw from.
    found = matrix(RatedSentences(np.concatenate([rated.table] * 400)), resamples=50)
    expected = [[2 / 3, 1 / 3, 0], [3 / 7, 3 / 7, 1 / 7], [0, 1 / 3, 2 / 3]]
    assert np.allclose(found.values, expected)
    assert found.condition == pytest.approx(np.linalg.cond(expected))
    assert found.drawn.shape == (50, 3, 3)
    assert np.allclose(found.drawn.sum(axis=2), 1)


def test_rogan_and_gladen_are_the_case_of_two_classes() -> None:
    """Their prevalence is (t + specificity - 1) / (sensitivity + specificity - 1); nothing is negative here."""
    sensitivity, specificity, positive = 0.8, 0.9, 0.31
    confusion = np.array([[sensitivity, 1 - sensitivity, 0], [1 - specificity, specificity, 0], [0, 0, 1]])
    _, shares = solve(confusion[None], np.array([[positive, 1 - positive, 0]]))
    assert shares[0, 0] == pytest.approx((positive + specificity - 1) / (sensitivity + specificity - 1))
    assert shares[0, 2] == pytest.approx(0)


def test_what_a_matrix_makes_of_shares_is_undone() -> None:
    generator = np.random.default_rng(1)
    matrices = generator.dirichlet([1, 1, 1], size=(200, 3))
    truth = generator.dirichlet([1, 1, 1], size=200)
    solved, shares = solve(matrices, np.einsum("ni,nij->nj", truth, matrices))
    good = np.linalg.cond(matrices) < 1e3
    assert np.allclose(solved[good], truth[good], atol=1e-9)
    assert np.allclose(shares[good], truth[good], atol=1e-9)


def test_outside_the_simplex_the_nearest_shares_are_taken() -> None:
    """Against a solver of scipy that knows nothing of edges."""
    generator = np.random.default_rng(2)
    matrices = 0.6 * np.eye(3) + 0.4 * generator.dirichlet([1, 1, 1], size=(60, 3))
    observed = generator.dirichlet([0.3, 0.3, 0.3], size=60)
    solved, shares = solve(matrices, observed)
    outside = (solved < 0).any(axis=1)
    assert 10 < outside.sum() < 60
    assert np.allclose(shares[~outside], solved[~outside])
    assert (shares >= 0).all()
    assert np.allclose(shares.sum(axis=1), 1)
    for at in np.flatnonzero(outside):

        def distance(p: Array, at: int = int(at)) -> float:
            return float(((p @ matrices[at] - observed[at]) ** 2).sum())

        best = minimize(
            distance,
            [1 / 3] * 3,
            bounds=[(0, 1)] * 3,
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert distance(shares[at]) <= best.fun + 1e-10


def test_a_scorer_without_fault_leaves_the_rates_as_they_are() -> None:
    rated = drawn_sentences(IDENTITY, np.array([0.2, 0.6, 0.2]), 200, np.random.default_rng(3))
    found = matrix(rated, resamples=400)
    assert np.allclose(found.values, IDENTITY)
    assert found.condition == pytest.approx(1)
    one = estimate(found, (13, 70, 17))
    assert np.allclose(one.shares, [0.13, 0.7, 0.17])
    assert not one.constrained
    assert one.outside == 0
    # What is left is the counts' own doubt: about two standard errors of a binomial share.
    assert one.high[0] - one.low[0] == pytest.approx(2 * 1.96 * (0.13 * 0.87 / 100) ** 0.5, rel=0.15)


@pytest.mark.parametrize(
    ("shares", "statements"), [((0.15, 0.7, 0.15), 1_000), ((0.1, 0.7, 0.2), 60), ((0.05, 0.9, 0.05), 4)]
)
def test_the_interval_covers_a_known_truth(shares: tuple[float, ...], statements: int) -> None:
    """People's sentences have other shares than the target: the matrix is what carries over. 95 % of 200 is 190 +- 6."""
    people, truth = np.array([0.25, 0.5, 0.25]), np.array(shares)
    generator = np.random.default_rng(11)
    covered = np.zeros(3)
    bare = 0
    for repeat in range(200):
        found = matrix(drawn_sentences(GOOD, people, 500, generator), resamples=300, seed=repeat)
        counts = generator.multinomial(statements, truth @ GOOD)
        one = estimate(found, counts, seed=repeat)
        assert (one.low <= one.shares + 1e-9).all()
        assert (one.shares <= one.high + 1e-9).all()
        covered += (one.low <= truth) & (truth <= one.high)
        bare += truth[2] <= counts[2] / statements + 1.96 * (counts[2] / statements / statements) ** 0.5
    assert (covered >= 180).all()
    if statements > 50:
        assert (covered <= 199).all()  # neither too wide
    if statements == 1_000:
        assert bare < 150  # left as they are, the scorer's rates miss the truth far more often


def test_raters_who_disagree_are_drawn_together() -> None:
    """Two raters of each sentence who always agree are no more evidence than one."""
    table = drawn_sentences(GOOD, np.array([0.3, 0.4, 0.3]), 300, np.random.default_rng(5)).table
    one = matrix(RatedSentences(table // 3), resamples=500, seed=1)
    three = matrix(RatedSentences(table), resamples=500, seed=1)
    assert np.allclose(one.drawn, three.drawn)


def test_a_choice_by_the_scorers_labels_is_undone() -> None:
    """Nine in ten neutral sentences are left out: the matrix of the rest is wrong, weighed it is right again."""
    truth = np.array([0.1, 0.8, 0.1])
    generator = np.random.default_rng(7)
    every = drawn_sentences(GOOD, truth, 40_000, generator)
    said = every.said().argmax(axis=1)
    kept = (said != 1) | (generator.random(len(said)) < 0.1)
    chosen = RatedSentences(every.table[kept])
    counts = np.bincount(said, minlength=3)
    biased = estimate(matrix(chosen, resamples=200), counts)
    assert not (biased.low[0] <= truth[0] <= biased.high[0])
    choice = SampleChoice(PEOPLE_LABELS, said[kept], counts / counts.sum())
    found = matrix(chosen, chosen=choice, resamples=200)
    assert np.allclose(found.values, GOOD, atol=0.03)
    right = estimate(found, counts)
    assert ((right.low <= truth) & (truth <= right.high)).all()
    # Over all it is the share of people's labels within what the scorer calls each, weighed: by hand.
    by_people = chosen.table.sum(axis=0)
    assert np.allclose(right.solved, (by_people / by_people.sum(axis=0)) @ (counts / counts.sum()))


def test_the_same_seed_gives_the_same() -> None:
    rated = drawn_sentences(GOOD, np.array([0.3, 0.4, 0.3]), 300, np.random.default_rng(5))
    one, other = (estimate(matrix(rated, resamples=100, seed=4), (5, 20, 5), seed=4, key="judge") for _ in range(2))
    assert (one.low == other.low).all()
    assert (one.high == other.high).all()
    assert (one.low != estimate(matrix(rated, resamples=100, seed=5), (5, 20, 5), seed=5, key="judge").low).any()


def test_what_cannot_be_inverted_is_refused() -> None:
    blind = np.array([[0.2, 0.6, 0.2]] * 3)
    generator = np.random.default_rng(9)
    with pytest.raises(InputError, match=r"cannot be told from a singular one \(condition number [\d.]+"):
        matrix(drawn_sentences(blind, np.array([0.3, 0.4, 0.3]), 500, generator), resamples=200)
    always = np.array([[0, 1, 0]] * 3)
    with pytest.raises(InputError, match=r"singular one \(condition number"):
        matrix(drawn_sentences(always, np.array([0.3, 0.4, 0.3]), 50, generator), resamples=200)


def test_too_few_labels_are_refused() -> None:
    rated = drawn_sentences(GOOD, np.array([0.5, 0.5, 0]), 100, np.random.default_rng(1))
    with pytest.raises(InputError, match="no sentence is labelled prejudice by people"):
        matrix(rated, resamples=10)
    table = rated.table.copy()
    table[0] = np.diag([0, 0, 3])
    with pytest.raises(InputError, match=r"too few: [0-9]+ of 200 resamples"):
        matrix(RatedSentences(table), resamples=200)
    choice = SampleChoice(("neutral", "positive"), np.zeros(100, dtype=np.int64), np.array([0.5, 0.5]))
    with pytest.raises(InputError, match="none of people's sentences is positive, so they cannot be weighted"):
        matrix(RatedSentences(table), chosen=choice, resamples=10)
