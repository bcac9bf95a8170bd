"""Means, spreads and intervals at the noise level of floating point: what is nothing is 0."""

from __future__ import annotations

from math import copysign

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.intervals import wilson_arrays
from harmgraph.models.probes.weat import effect
from harmgraph.models.probing.moments import NOISE, Moments, without_noise


@given(st.integers(0, 2**31), st.integers(1, 9), st.floats(-1e6, 1e6))
@settings(max_examples=50)
def test_moments_of_blocks_are_those_of_all_rows(seed: int, size: int, middle: float) -> None:
    rows = np.random.default_rng(seed).normal(middle, 1.0, (20, 3))
    found = Moments(3)
    for start in range(0, 20, size):
        found.add(rows[start : start + size].copy())
    assert found.count == 20
    np.testing.assert_allclose(found.mean, rows.mean(0))
    np.testing.assert_allclose(found.deviation, rows.std(0, ddof=1), rtol=1e-7)
    np.testing.assert_allclose(found.size, np.sqrt((rows**2).mean(0)))


def test_equal_numbers_have_no_spread() -> None:
    found = Moments(2)
    for size in (3, 7, 11):
        found.add(np.tile([0.1, -1e9 / 3], (size, 1)))
    assert found.deviation.tolist() == [0, 0]


def test_the_mean_of_squares_would_have_found_a_spread() -> None:
    """Why the spread is that of deviations: the difference of two large squares is their rounding."""
    rows = np.full(1000, 1e4 / 3)
    assert abs((rows**2).sum() / 1000 - (rows.sum() / 1000) ** 2) > 1e-9
    found = Moments(1)
    found.add(rows[:, None])
    assert found.deviation.tolist() == [0]


def test_what_is_the_rounding_of_its_operands_is_nothing() -> None:
    one, other = np.array([0.1 + 0.2, 7.0, -(0.1 + 0.2), 1e-20]), np.array([0.3, 7.0 + 1e-9, -0.3, 0.0])
    assert (one - other)[0] != 0
    found = without_noise(one - other, np.abs(one))
    assert found.tolist() == [0.0, one[1] - other[1], 0.0, 1e-20]
    assert copysign(1, found[2]) == 1, "no negative zero"
    assert NOISE < 1e-9


def test_an_effect_of_equal_associations_is_nothing() -> None:
    x = np.array([0.1 + 0.2, 0.3, 0.3])
    assert x.std(ddof=1) > 0
    assert effect(x, np.array([0.3, 0.1 + 0.2])) == {"effect_size": 0.0, "p": 1.0, "permutations": 1}


@pytest.mark.parametrize("of", [1, 2, 7, 20, 30, 1001])
def test_the_interval_of_none_begins_at_0_and_that_of_all_ends_at_1(of: int) -> None:
    low, high = wilson_arrays(np.array([0, of]), np.array([of, of]))
    assert low[0] == 0
    assert high[1] == 1
    assert 0 < high[0] < 1 and 0 < low[1] < 1
