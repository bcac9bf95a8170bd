"""Rank correlation of scores with the counts of the graph, with a confidence interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harmgraph.graph.common.intervals import Z

Numbers = npt.NDArray[np.float64]
FEWEST = 5  # pairs; with fewer an interval is meaningless


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of ``n`` pairs; NaN if one side is constant, or with fewer than 5 pairs."""

    value: float
    low: float
    high: float
    n: int


def spearman(left: Numbers, right: Numbers) -> Correlation:
    """Spearman's correlation with the 95 % interval of Bonett and Wright 2000: Fisher's z, variance (1 + r^2 / 2) / (n - 3)."""
    from scipy.stats import rankdata

    n = len(left)
    ranks = [rankdata(side) for side in (left, right)]
    if n < FEWEST or any(np.ptp(side) == 0 for side in ranks):
        return Correlation(np.nan, np.nan, np.nan, n)
    value = float(np.corrcoef(*ranks)[0, 1])
    if abs(value) > 1 - 1e-12:
        return Correlation(round(value), round(value), round(value), n)
    half = Z * np.sqrt((1 + value**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(value) + np.array([-half, half]))
    return Correlation(value, float(low), float(high), n)


def log_ratio(counts: npt.NDArray[np.int64]) -> Numbers:
    """log((count_a + 1) / (count_b + 1)) of each row [k, 2]."""
    ratios: Numbers = np.log((counts[:, 0] + 1) / (counts[:, 1] + 1))
    return ratios
