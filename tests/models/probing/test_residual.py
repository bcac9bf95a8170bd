"""Residuals: a constructed one is found, each is what a regression without its object gives, and some cannot be had."""

from __future__ import annotations

import numpy as np
import pytest

from harmgraph.models.probing.residual import residuals

RNG = np.random.default_rng(5)
X = RNG.normal(size=12)
SCORES = 0.3 + 0.5 * X + RNG.normal(scale=0.2, size=12)


def test_an_object_off_the_line_of_all_others_has_its_distance() -> None:
    scores = 0.3 + 0.5 * X
    scores[4] -= 2.5
    found = residuals(scores, X)
    assert found.values[4] == pytest.approx(-2.5)
    assert (found.low[4], found.high[4]) == pytest.approx((-2.5, -2.5), abs=1e-6)
    assert (np.abs(np.delete(found.values, 4)) < 1.5).all()
    assert (found.low < 0).all() and (np.delete(found.high, 4) > 0).all()


def test_each_is_what_a_regression_without_the_object_gives() -> None:
    import statsmodels.api as sm

    found = residuals(SCORES, X)
    for at in range(len(X)):
        others = np.delete(np.arange(len(X)), at)
        fit = sm.OLS(SCORES[others], sm.add_constant(X[others])).fit()
        predicted = fit.get_prediction([[1.0, X[at]]]).summary_frame(alpha=0.05).iloc[0]
        assert found.values[at] == pytest.approx(SCORES[at] - predicted["mean"])
        assert found.low[at] == pytest.approx(SCORES[at] - predicted["obs_ci_upper"])
        assert found.high[at] == pytest.approx(SCORES[at] - predicted["obs_ci_lower"])


def test_the_intervals_leave_out_nothing_in_19_of_20_cases() -> None:
    rng = np.random.default_rng(0)
    outside = []
    for _ in range(400):
        x = rng.normal(size=20)
        found = residuals(2 * x + rng.normal(size=20), x)
        outside.append(np.mean((found.low > 0) | (found.high < 0)))
    assert np.mean(outside) == pytest.approx(0.05, abs=0.01)


def test_the_other_sign_where_a_and_b_change_places() -> None:
    found, turned = residuals(SCORES, X), residuals(-SCORES, -X)
    np.testing.assert_allclose(found.values, -turned.values)
    np.testing.assert_allclose(found.low, -turned.high)


def test_what_cannot_be_had_is_unknown() -> None:
    for scores, ratios in ((SCORES[:4], X[:4]), (SCORES, np.full(12, 0.7))):
        found = residuals(scores, ratios)
        assert np.isnan([found.values, found.low, found.high]).all()
    alone = residuals(SCORES[:6], np.array([1.0, 1, 1, 1, 1, 2]))  # the others have no slope without the last
    assert np.isnan(alone.values).tolist() == [False] * 5 + [True]


def test_equal_scores_leave_nothing() -> None:
    found = residuals(np.zeros(12), X)
    assert (found.values == 0).all() and (found.low == 0).all() and (found.high == 0).all()
