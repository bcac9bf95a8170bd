"""Rows that are drawn with replacement, and the intervals of their values."""

from __future__ import annotations

import numpy as np
import pytest

from harmgraph.common.resampling import (
    AT_ONCE,
    clustered,
    defined,
    interval,
    places,
    ratios,
    strict_interval,
    times,
)

DRAWS = 2 * AT_ONCE + 30


@pytest.mark.parametrize("n", [1, 2, 7, 64, 1_003])
def test_the_blocks_are_the_draws_one_by_one_and_all_at_once(n: int) -> None:
    blocks = list(places(n, DRAWS, 3))
    assert [len(block) for block in blocks] == [AT_ONCE, AT_ONCE, 30]
    generator = np.random.default_rng(3)
    one_by_one = [generator.integers(0, n, n) for _ in range(DRAWS)]
    assert np.array_equal(np.concatenate(blocks), one_by_one)
    assert np.array_equal(one_by_one, np.random.default_rng(3).integers(n, size=(DRAWS, n)))
    assert np.array_equal(np.random.default_rng(3).choice(np.arange(n), (DRAWS, n)), one_by_one)
    counted = [np.bincount(row, minlength=n) for row in one_by_one]
    assert np.array_equal(np.concatenate(list(times(n, DRAWS, 3))), counted)


def test_a_generator_goes_on_where_it_is() -> None:
    generator = np.random.default_rng(5)
    first, second = (np.concatenate(list(places(9, 60, generator))) for _ in range(2))
    assert np.array_equal(np.concatenate([first, second]), np.concatenate(list(places(9, 120, 5))))


def test_ratios_are_rounded_as_those_of_single_draws() -> None:
    generator = np.random.default_rng(1)
    of, by = generator.gamma(3, 20, 517), generator.integers(1, 300, 517)
    drawn = np.random.default_rng(8)
    wanted = [of[rows].sum() / by[rows].sum() for rows in (drawn.integers(0, 517, 517) for _ in range(DRAWS))]
    assert np.concatenate(list(ratios(of, by, DRAWS, 8))).tolist() == wanted
    assert interval(ratios(of, by, DRAWS, 8)) == tuple(np.percentile(wanted, [2.5, 97.5]))


def test_rows_of_a_cluster_are_summed() -> None:
    rows = np.array([[1, 0], [2, 1], [4, 0]])
    assert clustered(["b", "a", "b"], rows).tolist() == [[5, 0], [2, 1]]
    assert clustered(["b", "a", "b"], rows, ["a", "none", "b"]).tolist() == [[2, 1], [0, 0], [5, 0]]
    assert clustered(["b", "a", "b"], np.array([True, True, False])).tolist() == [1, 1]
    assert clustered([], np.zeros((0, 2))).shape == (0, 2)


def test_a_missing_cluster_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such cluster: b"):
        clustered(["b", "a"], np.ones(2), ["a"])


def test_an_interval_is_that_of_numpy() -> None:
    values = np.random.default_rng(2).normal(size=DRAWS)
    wanted = tuple(np.quantile(values, [0.025, 0.975]))
    assert interval(np.split(values, [50, 100])) == pytest.approx(wanted, abs=1e-15)
    assert strict_interval([values, np.array([np.nan])], DRAWS + 1) == interval([values])
    assert defined([values, np.array([np.nan])]).tolist() == values.tolist()


def test_a_strict_interval_needs_values_that_differ() -> None:
    values = np.arange(100.0)
    assert strict_interval([values[:95]], 100)
    assert strict_interval([values[:94], np.full(6, np.nan)], 100) is None
    assert strict_interval([np.ones(100)], 100) is None
    assert strict_interval([], 0) is None
