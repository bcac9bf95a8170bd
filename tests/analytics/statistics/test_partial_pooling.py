"""Partial pooling in simulations with a known truth: what the intervals cover, and who comes first."""

from __future__ import annotations

import numpy as np
import pytest

from harmgraph.analytics.statistics.partial_pooling import pooled
from harmgraph.common.intervals import wilson_arrays

SIZES = (1, 3, 8, 20, 60, 300)


@pytest.mark.parametrize(("mean", "size", "groups"), [(0.05, 20, 24), (0.3, 5, 24), (0.05, 20, 3), (0.02, 1e6, 24)])
def test_intervals_cover_the_rates_of_groups(mean: float, size: float, groups: int) -> None:
    """Rates from a beta distribution; in the last case all groups are alike, and the intervals are rather too wide."""
    generator = np.random.default_rng(1)
    covered, of, error, raw_error, width, raw_width = 0, 0, 0.0, 0.0, 0.0, 0.0
    for _ in range(480 // groups):
        truth = generator.beta(mean * size, (1 - mean) * size, groups)
        n = generator.choice(SIZES, groups)
        counts = generator.binomial(n, truth)
        found, low, high = pooled(counts, n)
        assert ((low < found) & (found < high)).all()
        covered += ((low <= truth) & (truth <= high)).sum()
        of += groups
        error += ((found - truth) ** 2).sum()
        raw_error += ((counts / n - truth) ** 2).sum()
        width += (high - low).sum()
        raw_low, raw_high = wilson_arrays(counts, n)
        raw_width += (raw_high - raw_low).sum()
    assert covered / of >= 0.93
    assert error < 0.7 * raw_error
    assert width < raw_width


def test_a_group_of_few_statements_comes_after_one_of_which_much_is_known() -> None:
    counts, n = np.array([1, 27, *[0, 2, 4, 10] * 5]), np.array([1, 61, *[40] * 20])
    found, low, high = pooled(counts, n)
    assert found[1] > found[0] > found[2], "1 of 1 lies between its category and 27 of 61"
    assert found[1] == pytest.approx(27 / 61, abs=0.05)
    assert high[0] - low[0] > high[1] - low[1]


def test_groups_of_the_same_counts_have_the_same_rate_whatever_their_order() -> None:
    counts, n = np.array([0, 5, 0, 30]), np.array([4, 50, 4, 90])
    found = np.stack(pooled(counts, n))
    assert (found[:, 0] == found[:, 2]).all()
    assert np.allclose(np.stack(pooled(counts[::-1], n[::-1]))[:, ::-1], found)


def test_the_ends_of_shares() -> None:
    for count in (0, 500):
        found, low, high = pooled(np.full(6, count), np.full(6, 500))
        assert ((low >= 0) & (high <= 1) & (abs(found - count / 500) < 0.01)).all()
    found, low, high = pooled(np.array([0]), np.array([1]))
    assert high[0] - low[0] > 0.7
