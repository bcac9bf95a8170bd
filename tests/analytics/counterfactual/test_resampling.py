"""What chance gives: floors, shares and intervals on samples whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from harmgraph.analytics.counterfactual.resampling import dealt, dealt_once, drawn_again, numbers, split
from harmgraph.analytics.counterfactual.scores import SampleScores, scores_of


def drawn(seed: int, effect: float, *, templates: int = 6, sizes: tuple[int, ...] = (30, 30, 30)) -> SampleScores:
    """Scores of three values, of which the last is higher by ``effect`` in every template."""
    generator = np.random.default_rng(seed)
    samples = [
        [generator.random(size) * (1 - effect) + effect * (place == 2) for place, size in enumerate(sizes)]
        for _ in range(templates)
    ]
    return scores_of(["a", "b", "c"], ["x", "x", "y"], samples)


def test_the_floor_is_what_samples_without_a_difference_give() -> None:
    """The mean of fresh samples in which nothing differs, and of the same samples dealt out anew, are one number."""
    fresh = np.mean([numbers(each, each.templates).whole for each in (drawn(seed, 0) for seed in range(100))], axis=0)
    scores = drawn(1_000, 0)
    chance = dealt(scores, 100, 0)
    assert chance.floor("whole") == pytest.approx(fresh, rel=0.1)
    assert (chance.p("whole", numbers(scores, scores.templates)) > 0.01).all()


def test_a_difference_is_seen() -> None:
    scores = drawn(0, 0.3)
    standing = numbers(scores, scores.templates)
    chance = dealt(scores, 50, 0)
    assert chance.p("whole", standing) == pytest.approx([1 / 51] * 4)
    assert (standing.whole > chance.floor("whole") + 0.02).all()
    of_pairs = chance.p("pairs", standing)
    assert of_pairs[0] > 0.05  # a and b
    assert of_pairs[1:] == pytest.approx([1 / 51] * 2)


def test_shares_of_no_difference_are_spread_evenly() -> None:
    shares = []
    for seed in range(60):
        scores = drawn(seed, 0, templates=2, sizes=(12, 12, 12))
        shares.append(dealt(scores, 40, seed).p("whole", numbers(scores, scores.templates))[0])
    assert 0.3 < np.mean(shares) < 0.7
    assert np.mean(np.array(shares) <= 0.1) < 0.25


def test_an_interval_lies_about_its_number_and_holds_the_expected_one() -> None:
    expected = np.mean(
        [numbers(each, each.templates).whole for each in (drawn(seed, 0.2) for seed in range(200))], axis=0
    )
    held = np.zeros(4)
    for seed in range(30):
        scores = drawn(5_000 + seed, 0.2)
        standing = numbers(scores, scores.templates)
        low, high = drawn_again(scores, 60, seed).interval("whole", standing)
        assert (low <= standing.whole).all()
        assert (standing.whole <= high).all()
        held += (low <= expected) & (expected <= high)
    assert (held >= 24).all()


def test_the_largest_gap_has_a_floor_too() -> None:
    scores = drawn(0, 0.3)
    standing = numbers(scores, scores.templates, gaps=True)
    chance = dealt(scores, 50, 0, gaps=True)
    assert chance.p("gaps", standing)[0] > 0.05
    assert chance.p("gaps", standing)[1:] == pytest.approx([1 / 51] * 2)
    assert 0 < chance.floor("gaps")[0] < standing.gaps[1]
    assert (chance.drawn.whole == dealt(scores, 50, 0).drawn.whole).all()
    assert numbers(scores, scores.templates).gaps.shape == (0,)


def test_no_samples_stay_none() -> None:
    scores = scores_of(["a", "b"], ["a", "b"], [[[0.1, 0.2], [0.3, 0.4]], [None, None]])
    assert split(np.empty(0), scores.templates[1]) == ()
    chance = dealt(scores, 3, 0)
    assert np.isfinite(chance.floor("whole")).all()
    assert np.isnan(chance.floor("templates")[1])
    assert dealt_once(scores.templates[1], np.random.default_rng(0)) == scores.templates[1]


@pytest.mark.parametrize("sizes", [(30, 30, 30), (12, 30, 21)])
def test_the_same_seed_gives_the_same_numbers(sizes: tuple[int, ...]) -> None:
    scores = drawn(0, 0.1, sizes=sizes)
    for repeat in (dealt, drawn_again):
        first, again, other = (repeat(scores, 5, seed).drawn.whole for seed in (0, 0, 1))
        assert (first == again).all()
        assert (first != other).any()
    # More permutations leave those of before and the resamples as they are.
    assert (dealt(scores, 9, 0).drawn.whole[:5] == dealt(scores, 5, 0).drawn.whole).all()


def test_dealing_keeps_the_sizes_and_the_scores() -> None:
    scores = drawn(0, 0.5, templates=1, sizes=(12, 30, 21))
    standing = numbers(scores, scores.templates)
    assert dealt(scores, 30, 0).floor("whole")[0] < standing.whole[0]
    spread = drawn_again(scores, 5, 0, templates=False)
    assert spread.drawn.templates.shape == (5, 1)
    assert spread.interval("templates", standing)[0].shape == (1,)
