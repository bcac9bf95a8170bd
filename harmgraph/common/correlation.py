"""Spearman's rank correlation with a confidence interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.intervals import Z

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

FEWEST = 5  # pairs; with fewer an interval is meaningless


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of ``n`` pairs; NaN if one side is constant, or with fewer than 5 pairs."""

    value: float
    low: float
    high: float
    n: int


def spearman(left: Sequence[float] | Numbers, right: Sequence[float] | Numbers) -> Correlation:
    """Spearman's correlation with the 95 % interval of Bonett and Wright 2000: Fisher's z, variance (1 + r^2 / 2) / (n - 3)."""
    import numpy as np
    from scipy.stats import rankdata

    n = len(left)
    ranks: list[Any] = [rankdata(side) for side in (left, right)]
    if n < FEWEST or any(np.ptp(side) == 0 for side in ranks):
        return Correlation(math.nan, math.nan, math.nan, n)
    value = float(np.corrcoef(*ranks)[0, 1])
    if abs(value) > 1 - 1e-12:
        return Correlation(round(value), round(value), round(value), n)
    half = Z * math.sqrt((1 + value**2 / 2) / (n - 3))
    low, high = (math.tanh(math.atanh(value) + side) for side in (-half, half))
    return Correlation(value, low, high, n)
