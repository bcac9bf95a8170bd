"""Shares from people's sample and the scorer's labels: against ppi-python, and in simulations whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from harmgraph.analytics.statistics.misclassification import estimate, matrix
from harmgraph.analytics.statistics.prediction_powered import JudgedSentences, powered_shares
from harmgraph.common.intervals import wilson
from tests.support.judged import BLIND, FREQUENT, PERFECT, RARE, Simulated

REPEATS = 300


def judged_of(counts: dict[tuple[int, int], int]) -> JudgedSentences:
    """Sentences of which the scorer says the first and one person the second, by place in ``PEOPLE_LABELS``."""
    pairs = [pair for pair, count in counts.items() for _ in range(count)]
    said, people = np.array(pairs).T
    return JudgedSentences(np.eye(3)[people], said, np.ones(len(said)))


VADER_LIKE = {(0, 2): 1, (0, 1): 39, (1, 2): 9, (1, 1): 116, (2, 2): 19, (2, 1): 16}
STATEMENTS = (40_000, 126_000, 34_000)


def test_it_is_what_ppi_python_gives() -> None:
    """ppi-python 0.2.3: ``Y`` says prejudice, ``Yhat`` is the share of prejudice within the label.

    ``ppi_mean_pointestimate(Y, Yhat, Yhat_unlabeled)`` is 0.14264571, with ``lam`` tuned (it is 1) or 1; ``lam=0`` gives 0.145.
    ``ppi_mean_ci`` gives [0.10104627, 0.18424516] and [0.09620221, 0.19379779].
    """
    found = powered_shares(judged_of(VADER_LIKE), STATEMENTS)
    assert found.shares[2] == pytest.approx(0.14264571, abs=1e-8)
    assert found.tuned.tolist() == [0, 1, 1]
    # The intervals are Wilson's, not normal: not symmetric, and about as wide.
    assert found.high[2] - found.low[2] == pytest.approx(0.18424516 - 0.10104627, rel=0.05)
    assert found.alone_high[2] - found.alone_low[2] == pytest.approx(0.19379779 - 0.09620221, rel=0.03)
    assert (found.alone_low[2], found.alone_high[2]) == pytest.approx(wilson(29, 200))
    many = powered_shares(judged_of({pair: 100 * count for pair, count in VADER_LIKE.items()}), STATEMENTS)
    normal = (
        np.array([-1, 1])
        * 1.959964
        * np.sqrt(
            sum(
                (size / 200_000) ** 2 * p * (1 - p) / n
                for size, p, n in zip(STATEMENTS, (1 / 40, 9 / 125, 19 / 35), (4_000, 12_500, 3_500), strict=True)
            )
            + sum(size * (p - 0.14264571) ** 2 for size, p in zip(STATEMENTS, (1 / 40, 9 / 125, 19 / 35), strict=True))
            / 200_000**2
        )
    )
    assert [many.low[2], many.high[2]] == pytest.approx(0.14264571 + normal, abs=2e-4)


@pytest.mark.parametrize("world", [RARE, FREQUENT, BLIND, PERFECT], ids=["rare", "frequent", "blind", "perfect"])
@pytest.mark.parametrize("by_label", [False, True])
@pytest.mark.parametrize(("size", "people"), [(30, 1), (150, 1), (150, 3), (600, 1)])
def test_intervals_cover_whatever_the_scorer_is_worth(world: Simulated, by_label: bool, size: int, people: int) -> None:
    """None is wider than people's labels alone. In 2,500 repeats they cover 90 % or more with 30 sentences, 93 % with 150."""
    generator = np.random.default_rng(size)
    covered, wider, estimates = np.zeros(3), 0, []
    for _ in range(REPEATS):
        counts = world.counts(5_000, generator)
        judged, *_ = world.judged(counts, size, generator, by_label=by_label, people=people)
        found = powered_shares(judged, counts.tolist())
        covered += (found.low <= world.truth) & (world.truth <= found.high)
        wider += (found.high - found.low > found.alone_high - found.alone_low + 1e-12).any()
        assert (found.low <= found.shares + 1e-12).all()
        assert (found.shares <= found.high + 1e-12).all()
        estimates.append(found.shares)
    assert (covered >= (0.87 if size < 100 else 0.905) * REPEATS).all()
    assert wider == 0
    error = np.std(estimates, axis=0) / REPEATS**0.5
    assert (abs(np.mean(estimates, axis=0) - world.truth) < 4 * error + 1e-9 + (0.01 if size < 100 else 0.002)).all()


def test_a_good_scorer_is_worth_judgements_and_a_blind_one_costs_none() -> None:
    widths = {}
    for name, world in (("blind", BLIND), ("frequent", FREQUENT), ("perfect", PERFECT)):
        generator = np.random.default_rng(3)
        ratios = []
        for _ in range(60):
            counts = world.counts(50_000, generator)
            judged, *_ = world.judged(counts, 600, generator, by_label=False)
            found = powered_shares(judged, counts.tolist())
            ratios.append((found.high - found.low)[2] / (found.alone_high - found.alone_low)[2])
        widths[name] = np.mean(ratios)
    assert 0.97 < widths["blind"] <= 1
    assert 0.8 < widths["frequent"] < 0.95
    assert widths["perfect"] < 0.4


def test_of_a_stratified_sample_the_confusion_matrix_is_too_sure() -> None:
    """150 judgements, 50 of each label: hardly any neutral one is prejudice, so resamples say that none is."""
    generator = np.random.default_rng(8)
    covered = {"ppi": 0, "confusion": 0}
    for repeat in range(80):
        counts = RARE.counts(5_000, generator)
        judged, rated, choice = RARE.judged(counts, 150, generator, by_label=True)
        found = powered_shares(judged, counts.tolist())
        covered["ppi"] += found.low[2] <= RARE.truth[2] <= found.high[2]
        one = estimate(matrix(rated, chosen=choice, resamples=200, seed=repeat), counts.tolist(), seed=repeat)
        covered["confusion"] += one.low[2] <= RARE.truth[2] <= one.high[2]
    assert covered["ppi"] >= 72
    assert covered["confusion"] <= 68


def test_a_label_that_nobody_judged_may_be_anything() -> None:
    judged = judged_of({(1, 1): 90, (1, 2): 10})
    found = powered_shares(judged, (0, 700, 300))
    assert found.tuned[2] == 0, "people's labels alone are surer"
    assert (found.low[2], found.high[2]) == pytest.approx(wilson(10, 100))
    stratified = JudgedSentences(judged.people, judged.said, np.ones(100))
    assert powered_shares(stratified, (0, 1_000, 0)).shares[2] == pytest.approx(0.1)


def test_sentences_count_as_much_as_they_stand_for() -> None:
    """Two strata of the same label: one has nine times as many statements per judged sentence."""
    judged = judged_of({(1, 2): 50, (1, 1): 50})
    weighted = JudgedSentences(judged.people, judged.said, np.repeat([1.0, 9.0], 50))
    found = powered_shares(weighted, (0, 500, 0))
    assert found.shares[2] == pytest.approx(0.1)
    assert found.high[2] - found.low[2] > wilson(10, 100)[1] - wilson(10, 100)[0], "uneven weights are worth less"
    assert np.allclose(
        found.low, powered_shares(JudgedSentences(judged.people, judged.said, 7 * weighted.weights), (0, 500, 0)).low
    )


def test_several_labels_of_a_sentence_are_not_several_sentences() -> None:
    once = judged_of({(1, 2): 30, (1, 1): 70})
    found = powered_shares(once, (0, 500, 0))
    shared = JudgedSentences(np.tile([0, 0.7, 0.3], (100, 1)), once.said, once.weights)
    split = powered_shares(shared, (0, 500, 0))
    assert split.shares == pytest.approx(found.shares)
    assert split.high[2] - split.low[2] < found.high[2] - found.low[2], "all sentences are as the others"
    assert np.isnan(once.by_label()[0]).all()
    assert once.by_label()[1].tolist() == [0, 0.7, 0.3]
