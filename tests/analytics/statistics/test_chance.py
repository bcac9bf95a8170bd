"""Beyond chance or not: against scipy and statsmodels, and in simulations whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, false_discovery_control, fisher_exact, hypergeom
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize

from harmgraph.analytics.statistics import hypergeometric
from harmgraph.analytics.statistics.chance import (
    BEYOND,
    POWER,
    corrected_for_number,
    fisher,
    least_excess,
    least_rise,
    shown_chance,
)
from harmgraph.common.intervals import wilson


@pytest.mark.parametrize("table", [(3, 3, 22, 474), (0, 40, 30, 900), (27, 61, 134, 1_492), (1, 1, 0, 5), (0, 0, 3, 9)])
def test_p_is_twice_the_smaller_tail_of_fishers_test(table: tuple[int, int, int, int]) -> None:
    count, n, others, others_n = table
    cells = [[count, n - count], [others, others_n - others]]
    tails = [fisher_exact(cells, alternative=side).pvalue for side in ("less", "greater")]
    p, least = fisher(count, n, others, others_n)
    assert p == pytest.approx(min(1, 2 * min(tails)))
    assert least <= p + 1e-12


def test_what_could_never_be_told_is_not_tested() -> None:
    """One of one statement, where a tenth of the others is negative: p is 0.2 at best."""
    p, least = fisher([1, 5], [1, 5], [10, 10], [99, 99])
    q = corrected_for_number(p, least)
    assert least[0] > BEYOND
    assert np.isnan(q[0])
    assert q[1] == pytest.approx(p[1]), "the one test that is made need not be corrected"
    assert np.isnan(corrected_for_number(p[:1], least[:1])).all()


def test_three_places_tell_which_side_of_beyond_it_is() -> None:
    shown = [shown_chance(q) for q in (0.0449, 0.0541, 0.00099, 1e-12, 0.001, 1.0, None)]
    assert shown == ["0.045", "0.054", "<0.001", "<0.001", "0.001", "1.000", "–"]


def counted(generator: np.random.Generator, rates: np.ndarray, sizes: np.ndarray, shared: int) -> list[np.ndarray]:
    """Counts of groups and of the others; some statements are about two groups each and count in both."""
    n, counts = sizes.copy(), generator.binomial(sizes, rates)
    for _ in range(shared):
        pair = generator.choice(len(n), 2, replace=False)
        n[pair] += 1
        counts[pair] += generator.random() < rates[pair].mean()
    return [counts, n, counts.sum() - counts, n.sum() - n]


@pytest.mark.parametrize("shared", [0, 300])
def test_few_groups_are_beyond_chance_where_only_chance_is(shared: int) -> None:
    """300 graphs of 80 groups of one rate: by p some group stands out in most, by q in one of twenty at the most."""
    generator = np.random.default_rng(3)
    sizes = generator.choice([1, 3, 10, 30, 100, 400], 80)
    by_p = by_q = 0
    for _ in range(300):
        p, least = fisher(*counted(generator, np.full(80, 0.04), sizes, shared))
        by_p += (p <= BEYOND).any()
        by_q += (corrected_for_number(p, least) <= BEYOND).any()
    assert by_p > 150
    assert by_q <= 15 + 3 * (300 * 0.05 * 0.95) ** 0.5


def test_of_the_groups_that_are_told_few_are_wrong() -> None:
    """Four of 80 groups have three times the rate and eight have none, so that the others are as their category is."""
    generator = np.random.default_rng(4)
    rates = np.array([0.12] * 4 + [0.0] * 8 + [0.04] * 68)
    sizes = np.tile([20, 60, 100, 400], 20)
    wrong, found = [], []
    for _ in range(300):
        told = corrected_for_number(*fisher(*counted(generator, rates, sizes, 0))) <= BEYOND
        wrong.append(told[12:].sum() / max(told.sum(), 1))
        found.append(told[[3, 7, 11]].mean())
    assert np.mean(wrong) <= 0.05
    assert np.mean(found) > 0.9, "those with 400 statements"


@pytest.mark.parametrize(("n", "rate"), [(30, 0.05), (120, 0.3), (1_000, 0.015)])
def test_the_least_rise_is_told_in_four_of_five_repetitions(n: int, rate: float) -> None:
    others, others_n = round(rate * 20 * n), 20 * n
    (share,) = least_rise([n], [others], [others_n])
    generator = np.random.default_rng(5)
    p, _ = fisher(generator.binomial(n, share, 4_000), n, others, others_n)
    assert (p <= BEYOND).mean() == pytest.approx(POWER, abs=0.02)
    assert share > rate


def test_of_many_statements_the_least_rise_is_that_of_statsmodels() -> None:
    n, rate, others_n = 4_000, 0.2, 8_000
    effect = NormalIndPower().solve_power(nobs1=n, alpha=0.05, power=POWER, ratio=others_n / n)
    (share,) = least_rise([n], [rate * others_n], [others_n])
    assert proportion_effectsize(share, rate) == pytest.approx(effect, rel=0.3)  # the others' counts vary there
    (against_many,) = least_rise([n], [rate * 500 * n], [500 * n])
    effect = NormalIndPower().solve_power(nobs1=n, alpha=0.05, power=POWER, ratio=500)
    assert proportion_effectsize(against_many, rate) == pytest.approx(effect, rel=0.03)


def test_where_nothing_could_be_told_there_is_no_least_rise() -> None:
    assert np.isnan(least_rise([1, 2, 0], [10, 50, 10], [99, 99, 99])).all()
    assert np.isnan(least_excess(2, 0.5, 0.1))


def test_the_least_excess_is_the_first_that_intervals_tell() -> None:
    share = least_excess(40, 0.2, 0.05)
    generator = np.random.default_rng(6)
    told = 0
    for count in generator.binomial(40, share, 2_000):
        low, _ = wilson(int(count), 40)
        told += count / 40 - 0.2 > ((count / 40 - low) ** 2 + 0.05**2) ** 0.5
    assert told / 2_000 == pytest.approx(POWER, abs=0.03)


def test_the_hypergeometric_numbers_are_those_of_scipy_stats(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    size = rng.integers(0, 3_000, 4_000)
    total, drawn = rng.integers(-1, size + 2), rng.integers(-1, size + 2)
    k = rng.integers(-2, np.maximum(np.minimum(total, drawn) + 3, 0))
    for what in ("pmf", "cdf", "sf"):
        expected = getattr(hypergeom, what)(k, size, total, drawn)
        ours = getattr(hypergeometric, what)
        assert hypergeometric._boost(what) is not None, "this scipy names it otherwise: look for it there"
        np.testing.assert_array_equal(ours(k, size, total, drawn), expected)
        monkeypatch.setattr(hypergeometric, "_boost", lambda _: None)
        np.testing.assert_array_equal(ours(k[:50], size[:50], total[:50], drawn[:50]), expected[:50])
        monkeypatch.undo()


def test_the_correction_is_that_of_scipy_stats() -> None:
    rng = np.random.default_rng(4)
    for count in (1, 2, 3, 50, 400):
        p, least = np.round(rng.random(count) ** 4, 3), rng.choice([0.01, 0.5], count)
        made = least <= BEYOND
        q = corrected_for_number(p, least)
        assert np.isnan(q[~made]).all()
        if made.any():
            np.testing.assert_array_equal(q[made], false_discovery_control(p[made]))


def test_the_least_rise_has_the_share_that_scipy_s_beta_distribution_gives() -> None:
    n, others, others_n = np.array([5, 40, 700]), np.array([3, 90, 2_000]), np.array([50, 1_000, 90_000])
    for rise, size, there, there_n in zip(least_rise(n, others, others_n), n, others, others_n, strict=True):
        told = [c for c in range(1, size + 1) if 2 * hypergeom.sf(c - 1, size + there_n, there + c, size) <= BEYOND]
        assert rise == pytest.approx(beta.ppf(POWER, told[0], size - told[0] + 1), rel=1e-12)
