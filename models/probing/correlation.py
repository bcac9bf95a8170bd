"""What scores are correlated with: the counts of the graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


def log_ratio(counts: npt.NDArray[np.int64]) -> Numbers:
    """log((count_a + 1) / (count_b + 1)) of each row [k, 2]."""
    ratios: Numbers = np.log((counts[:, 0] + 1) / (counts[:, 1] + 1))
    return ratios
