"""Control of a probe: its result on random data, without training another model.

For the other control, a model trained on a graph with shuffled sensitive values, see ``cypher/subgraph/shuffled.cypher``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.correlation import spearman
from harmgraph.common.progress import progress, receiver, silent
from harmgraph.models.probing.probe import EncodedQuestion, Probe


@dataclass(frozen=True, slots=True)
class Control:
    """Correlations of random draws.

    Attributes:
        draws: number of random pairs of entities, or random groups of people, used instead of a and b.
        middle, most: median and 95th percentile of the absolute correlation.
            NaN, like ``p``, if a correlation is undefined.
        p: share of the draws, with the observed one among them, whose absolute correlation is at least as large as the
            observed one (Phipson and Smyth 2010).
    """

    draws: int
    middle: float
    most: float
    p: float


def control(
    probe: Probe,
    encoded: EncodedQuestion,
    options: Mapping[str, Any],
    *,
    draws: int,
    seed: int = 0,
) -> Control:
    """Replaces a and b by what ``Probe.random`` draws, and correlates the scores with the same counts."""
    rng = np.random.default_rng(seed)
    ratios = log_ratio(encoded.counts)
    observed = abs(spearman(probe.scores(encoded, **options).values, ratios).value)
    correlations = []
    for draw in range(draws):
        with receiver(silent):  # what is told is the draw
            drawn = probe.scores(probe.random(encoded, rng, options), **options).values
        correlations.append(abs(spearman(drawn, ratios).value))
        progress("control", draw + 1, draws)
    values = np.array(correlations)
    if np.isnan(observed) or np.isnan(values).any():  # too few objects, or all scores equal
        return Control(draws, np.nan, np.nan, np.nan)
    at_least = int((values >= observed).sum())
    return Control(draws, float(np.median(values)), float(np.quantile(values, 0.95)), (at_least + 1) / (draws + 1))


def log_ratio(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """What scores are correlated with: log((count_a + 1) / (count_b + 1)) of each row [k, 2]."""
    ratios: npt.NDArray[np.float64] = np.log((counts[:, 0] + 1) / (counts[:, 1] + 1))
    return ratios
