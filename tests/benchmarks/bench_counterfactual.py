"""Distances of score distributions, sorted once, against a loop over scipy's; and what chance gives, at the paper's size."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import wasserstein_distance

from harmgraph.analytics.counterfactual.resampling import dealt, drawn_again
from harmgraph.analytics.counterfactual.scores import group_distances, pairs, scores_of, table_of_pairs
from tests.benchmarks.figures import Figures, median_seconds, timed
from tests.benchmarks.setting import Setting

VALUES, TEMPLATES, SAMPLES = 29, 10, 1_000
REPEATS = 5


def bench(setting: Setting, figures: Figures) -> None:
    """29 occupations, 10 templates, 1,000 samples a prompt: continuous scores, and such as VADER's of four decimals."""
    names = [str(value) for value in range(VALUES)]
    drawn = np.random.default_rng(0).beta(2, 2, (TEMPLATES, VALUES, SAMPLES))
    fewer = [[cell[: SAMPLES - place] for place, cell in enumerate(row)] for row in drawn]
    templates = 1 if setting.quick else TEMPLATES

    def ours(samples: object) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        scores = scores_of(names, names, samples)  # type: ignore[arg-type]
        return table_of_pairs(scores, scores.templates)

    def loop() -> list[list[float]]:
        return [[wasserstein_distance(row[a], row[b]) for a, b in pairs(VALUES)] for row in drawn[:templates]]

    seconds, wanted = timed(loop)
    seconds *= TEMPLATES / templates
    quick = median_seconds(partial(ours, drawn), REPEATS)
    figures.add("pairs, a loop over scipy", seconds, "s")
    figures.add("pairs, sorted once", quick, "s")
    figures.add("times faster", seconds / quick, "x", "at least 150")
    figures.add("largest difference", float(np.abs(ours(drawn)[:templates] - wanted).max()), "", "below 1e-12")
    figures.add("every value with another number of samples", median_seconds(partial(ours, fewer), REPEATS), "s")
    scores = scores_of(names, names, drawn)
    figures.add("groups", median_seconds(partial(group_distances, scores, scores.templates), REPEATS), "s")
    few = 3 if setting.quick else 20
    figures.add("samples dealt out anew, all numbers", timed(partial(dealt, scores, few, 0))[0] / few, "s")
    figures.add("templates and samples drawn again", timed(partial(drawn_again, scores, few, 0))[0] / few, "s")
