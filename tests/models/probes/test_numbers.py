"""The numbers of probes against cases computed by hand and against other libraries."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from harmgraph.common.correlation import spearman
from harmgraph.common.errors import InputError
from harmgraph.common.intervals import Z
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.probes.pairs import Pairs
from harmgraph.models.probes.parity import Parity
from harmgraph.models.probes.shift import Shift
from harmgraph.models.probes.weat import Weat, effect
from harmgraph.models.probing.control import control, log_ratio
from harmgraph.models.probing.probe import EncodedQuestion
from tests.support.probed import between_two

NONE = np.zeros((0, 2), np.int64)


def flat(name: str = "dot") -> EncodedQuestion:
    """TransE in the plane: 0 is a, 1 is b, 2 and 3 are objects, 4 to 7 people."""
    rows = [[1.0, 0.0], [0.0, 1.0], [3.0, 1.0], [0.0, 2.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]]
    tables = Tables(
        "transe",
        name,
        torch.tensor(rows, dtype=torch.float64),
        torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64),
        tuple(f"e{number}" for number in range(8)),
        ("GENDER", "PROFESSION"),
    )
    people, counts = np.arange(4, 8), np.array([[3, 0], [0, 1]])
    holds = np.array([[0, 0], [1, 0], [2, 1]])
    keys, names = ("e2", "e3"), ("pilot", "nurse")
    return between_two(
        tables,
        objects=np.array([2, 3]),
        people=people,
        with_a=np.array([0, 1]),
        with_b=np.array([2, 3]),
        counts=counts,
        holds=holds,
        keys=keys,
        names=names,
    )


def test_a_shift_by_hand() -> None:
    # The gradient of (e + r)a - (e + r)b is a - b = (1, -1); a hundredth of it times the objects (3, 1) and (0, 2).
    np.testing.assert_allclose(Shift().scores(flat()).values, [0.02, -0.02])
    np.testing.assert_allclose(Shift().scores(flat(), step=1.0).values, [2.0, -2.0])


def test_a_shift_of_squared_distances_by_hand() -> None:
    # The gradient of -|e - a|^2 + |e - b|^2 is 2(a - b) = (2, -2). With a step of 1 the person (1, 0) stands at (3, -2) and is
    # at (4, -1) with the profession's (1, 1): 5 of squared distance from (3, 1), from which it was 1 - a change of -4. The
    # others: (2, 0) of 0 + 0 to 4 + 4, (0, 1) of 4 + 1 to 0 + 1, (0, 3) of 4 + 9 to 0 + 1.
    found = Shift().scores(flat("l2"), step=1.0, squared=True).values
    assert found[0] == pytest.approx(np.mean([-4, -8, 4, 12]))


def test_pairs_by_hand() -> None:
    # (person + (1, 1)) times an object: for (3, 1) 7, 10 with a and 5, 7 with b.
    found = Pairs().scores(flat())
    assert found.values[0] == pytest.approx((7 + 10) / 2 - (5 + 7) / 2)
    one = Pairs().scores(flat(), keys=[("e4", "e6")])
    assert one.values.tolist() == [2.0, -2.0]
    assert one.low is None
    two = Pairs().scores(flat(), keys=[("e4", "e6"), ("e5", "e7")])
    assert two.values[0] == pytest.approx((2 + 3) / 2)
    assert two.low is not None and two.values[0] - two.low[0] == pytest.approx(Z * 0.5)
    with pytest.raises(InputError, match="no vector for e9"):
        Pairs().scores(flat(), keys=[("e4", "e9")])


def test_parity_by_hand() -> None:
    # Scores (pilot, nurse) of the four: (7, 2), (10, 2), (5, 4), (7, 8): pilot is predicted for three, nurse for the last.
    found = Parity().scores(flat(), predicted=1)
    assert found.values.tolist() == [1 - 1 / 2, 0 - 1 / 2]
    assert found.columns["rate_a"].tolist() == [1, 0]
    assert found.columns["precision_a"][0] == 1  # both are pilots
    assert found.columns["precision_b"].tolist() == [0, 0]  # who is predicted to fly is a nurse; the nurse is nothing
    assert np.isnan(found.columns["precision_a"][1])
    low, high = confint_proportions_2indep(2, 2, 1, 2, method="newcomb", compare="diff")
    assert found.low is not None and found.high is not None
    assert (found.low[0], found.high[0]) == pytest.approx((low, high), abs=1e-6)
    with pytest.raises(InputError, match="all 2 objects would be predicted"):
        Parity().scores(flat(), predicted=2)


def test_weat_by_hand() -> None:
    # Unit vectors of a's people (1, 0), of b's (0, 1): the difference of an object's two cosines.
    found = Weat().scores(flat())
    np.testing.assert_allclose(found.values, [(3 - 1) / np.sqrt(10), -1.0])


def test_an_effect_size_by_hand() -> None:
    found = effect(np.array([3.0, 4.0]), np.array([1.0, 2.0]))
    assert found["effect_size"] == pytest.approx(2 / np.std([1, 2, 3, 4], ddof=1))
    assert (found["p"], found["permutations"]) == (1 / 6, 6)
    assert effect(np.array([1.0, 2.0]), np.array([3.0, 4.0]))["p"] == 1
    assert effect(np.ones(2), np.ones(3)) == {"effect_size": 0.0, "p": 1.0, "permutations": 1}


def test_random_permutations_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.normal(0.6, 1, 15), rng.normal(0, 1, 12)
    found = effect(one, two, 20_000)
    other = stats.permutation_test(
        (one, two), lambda x, y: x.mean() - y.mean(), n_resamples=20_000, alternative="greater", rng=1
    )
    assert found["p"] == pytest.approx(other.pvalue, abs=0.01)
    assert effect(one, two, 20_000) == found


def test_spearman_is_that_of_scipy() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=30).round(1)  # with ties
    two = one + rng.normal(size=30)
    found = spearman(one, two)
    assert found.value == pytest.approx(stats.spearmanr(one, two).statistic)
    assert found.low < found.value < found.high
    assert spearman(one, -two).low == pytest.approx(-found.high)
    assert np.isnan(spearman(one[:4], two[:4]).value)
    assert np.isnan(spearman(np.zeros(9), np.arange(9.0)).value)
    assert spearman(np.arange(9.0), np.arange(9.0) ** 3).high == 1


def test_the_interval_of_spearman_holds_what_it_says() -> None:
    rng = np.random.default_rng(1)
    truth = 6 / np.pi * np.arcsin(0.7 / 2)  # of normal pairs with a correlation of .7
    held = 0
    for _ in range(400):
        pairs = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], 44)
        found = spearman(pairs[:, 0], pairs[:, 1])
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_log_ratio_by_hand() -> None:
    np.testing.assert_allclose(log_ratio(np.array([[3, 0], [0, 0]])), [np.log(4), 0])


def planted(seed: int = 0) -> EncodedQuestion:
    """Objects whose place along a - b follows their counts, among many other directions."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(300, 20))
    counts = rng.integers(0, 60, (30, 2))
    vectors[2:32, 0] += 3 * log_ratio(counts)
    vectors[:2] = 0
    vectors[0, 0], vectors[1, 0] = 1, -1
    tables = Tables("transe", "dot", torch.from_numpy(vectors), torch.zeros(2, 20, dtype=torch.float64))
    return between_two(
        tables,
        objects=np.arange(2, 32),
        people=np.arange(40, 60),
        with_a=np.arange(10),
        with_b=np.arange(10, 20),
        counts=counts,
        holds=NONE,
    )


def test_the_control_tells_a_direction_from_random_ones() -> None:
    found = control(Shift(), planted(), {}, draws=199)
    assert found.p == pytest.approx(1 / 200)
    assert found.middle < found.most < 0.99
    nothing = planted()
    one, two = 100, 101
    random = [
        control(Shift(), EncodedQuestion(**{**vars(nothing), "a": one + at, "b": (two + at,)}), {}, draws=39, seed=at).p
        for at in range(0, 60, 2)
    ]
    assert 0.3 < np.mean(random) < 0.7  # a direction that means nothing is one among the others
