"""Wilson's interval of a share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def wilson(hits: Any, of: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Lower and upper ends, 95 %, of counts or of arrays of counts.

    None of all begins at 0 and all of them ends at 1, which the formula gives but for its rounding.
    """
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(hits, of, method="wilson")
    return np.where(np.equal(hits, 0), 0.0, low), np.where(np.equal(hits, of), 1.0, high)
