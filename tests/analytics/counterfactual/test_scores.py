"""Distances against scipy's, one pair at a time, on samples of equal and of different sizes, with and without ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from harmgraph.analytics.counterfactual.scores import (
    SampleScores,
    gap,
    gaps,
    group_distances,
    group_fairness,
    individual,
    pair_distances,
    pairs,
    place_of,
    pooled_distances,
    scores_of,
    table_of_pairs,
)

if TYPE_CHECKING:
    from harmgraph.analytics.counterfactual.scores import Floats

EQUAL = 1e-12
SIZES = ([40] * 5, [40, 40, 33, 7, 1], [13, 29, 100, 100, 8])


def drawn(sizes: Sequence[int], *, ties: bool, templates: int = 3, seed: int = 0) -> list[list[Floats]]:
    generator = np.random.default_rng(seed)
    samples = [[generator.beta(2, 2 + place / 5, size) for place, size in enumerate(sizes)] for _ in range(templates)]
    return [[np.round(cell, 1) for cell in row] for row in samples] if ties else samples


def made(samples: list[list[Floats]]) -> SampleScores:
    count = len(samples[0])
    return scores_of([str(place) for place in range(count)], ["ab"[place % 2] for place in range(count)], samples)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("ties", [False, True])
class TestAgainstScipy:
    def test_pairs(self, sizes: list[int], ties: bool) -> None:
        samples = drawn(sizes, ties=ties)
        scores = made(samples)
        table = table_of_pairs(scores, scores.templates)
        wanted = [[wasserstein_distance(row[a], row[b]) for a, b in pairs(len(row))] for row in samples]
        assert np.abs(table - wanted).max() < EQUAL
        assert individual(table) == pytest.approx(np.mean(wanted), abs=EQUAL)  # equation 3

    def test_groups(self, sizes: list[int], ties: bool) -> None:
        samples = drawn(sizes, ties=ties)
        scores = made(samples)
        cells = [
            (place % 2, cell, np.full(len(cell), 1 / len(cell))) for row in samples for place, cell in enumerate(row)
        ]
        every = np.concatenate([cell for _, cell, _ in cells])
        masses = np.concatenate([mass for _, _, mass in cells])
        wanted = []
        for group in (0, 1):
            own = np.concatenate([cell for place, cell, _ in cells if place == group])
            mass = np.concatenate([mass for place, _, mass in cells if place == group])
            wanted.append(wasserstein_distance(own, every, mass, masses))
        found = group_distances(scores, scores.templates)
        assert np.abs(found - wanted).max() < EQUAL
        assert group_fairness(found) == pytest.approx(np.mean(wanted), abs=EQUAL)  # equation 4

    def test_templates_thrown_together(self, sizes: list[int], ties: bool) -> None:
        samples = drawn(sizes, ties=ties)
        scores = made(samples)
        joined = [np.concatenate(column) for column in zip(*samples, strict=True)]
        wanted = [wasserstein_distance(joined[a], joined[b]) for a, b in pairs(len(joined))]
        assert np.abs(pooled_distances(scores, scores.templates) - wanted).max() < EQUAL


def test_it_is_the_mean_disparity_over_all_thresholds() -> None:
    one, other = (np.sort(cell) for cell in drawn([300, 200], ties=False, templates=1)[0])
    thresholds = (np.arange(200_000) + 0.5) / 200_000
    disparities = np.abs(
        np.searchsorted(one, thresholds, "right") / 300 - np.searchsorted(other, thresholds, "right") / 200
    )
    assert pair_distances([one, other])[0] == pytest.approx(disparities.mean(), abs=1e-5)  # equation 1
    most, threshold = gap(one, other)
    assert most == pytest.approx(disparities.max())
    assert abs((one > threshold).mean() - (other > threshold).mean()) == pytest.approx(most)


def test_a_missing_prompt_leaves_the_other_pairs() -> None:
    samples: list[list[Floats | None]] = [list(row) for row in drawn([20] * 4, ties=False)]
    samples[1][2] = None
    samples[2][0] = np.empty(0)
    scores = scores_of(list("abcd"), list("abcd"), samples)
    table = table_of_pairs(scores, scores.templates)
    missing = {(1, place_of(*sorted((2, other)), 4)) for other in (0, 1, 3)}  # type: ignore[misc]
    missing |= {(2, place_of(0, other, 4)) for other in (1, 2, 3)}
    assert {(int(row), int(column)) for row, column in np.argwhere(np.isnan(table))} == missing
    assert individual(table) == pytest.approx(np.mean([np.nanmean(row) for row in table]))


def test_a_missing_prompt_makes_no_difference_of_groups_or_of_templates_thrown_together() -> None:
    """Two templates, high and low, in which the values are alike; one value lacks the high one."""
    low, high = np.linspace(0, 0.4, 40), np.linspace(0.6, 1, 40)
    scores = scores_of(list("abc"), list("abc"), [[low, low, low], [high, high, None]])
    assert group_distances(scores, scores.templates) == pytest.approx([0, 0, 0], abs=EQUAL)
    assert pooled_distances(scores, scores.templates) == pytest.approx([0, 0, 0], abs=EQUAL)
    none = scores_of(list("abc"), list("abc"), [[low, None, low], [high, high, None]])
    assert np.isnan(group_distances(none, none.templates)).all()
    assert np.isnan(pooled_distances(none, none.templates)).all()
    assert np.isnan(group_fairness(group_distances(none, none.templates)))


@pytest.mark.parametrize("ties", [False, True])
def test_the_largest_gaps_are_those_of_each_pair_and_template(ties: bool) -> None:
    samples: list[list[Floats | None]] = [list(row) for row in drawn([13, 29, 100, 8], ties=ties)]
    samples[1][2] = None
    samples[0][3] = samples[1][3] = samples[2][3] = None
    samples.append([None, None, None, np.linspace(0, 1, 5)])
    scores = scores_of(list("abcd"), list("abcd"), samples)
    wanted = []
    for a, b in pairs(4):
        both = [(row[a], row[b]) for row in samples if row[a] is not None and row[b] is not None]
        wanted.append(max((gap(np.sort(one), np.sort(other))[0] for one, other in both), default=np.nan))
    assert np.isnan(wanted[2])
    assert gaps(scores, scores.templates) == pytest.approx(wanted, abs=EQUAL, nan_ok=True)


def test_the_place_of_a_pair() -> None:
    assert [place_of(a, b, 6) for a, b in pairs(6)] == list(range(15))


def test_nothing_to_compare() -> None:
    scores = scores_of(["a"], ["a"], [[[0.5, 0.5]]])
    assert np.isnan(individual(table_of_pairs(scores, scores.templates)))
    assert group_fairness(group_distances(scores, scores.templates)) == 0.0
    assert len(pair_distances([])) == 0


def test_opposite_templates_cancel_out_where_they_are_thrown_together() -> None:
    """What a pooled distance hides: one template favours a, the other b."""
    low, high = np.linspace(0, 0.4, 50), np.linspace(0.6, 1, 50)
    scores = scores_of(["a", "b"], ["a", "b"], [[low, high], [high, low]])
    assert individual(table_of_pairs(scores, scores.templates)) == pytest.approx(0.6)
    assert pooled_distances(scores, scores.templates)[0] == pytest.approx(0.0, abs=EQUAL)
