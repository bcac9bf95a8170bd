"""Intervals: Wilson's of a share (1927), and percentiles of what was resampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Table = np.ndarray[Any, Any]
    Floats = npt.NDArray[np.float64]


def wilson(count: float, n: int) -> tuple[float, float]:
    """The 95 % interval of ``count / n``, from 0 to 1.

    Args:
        count: a fraction where the ``n`` are sentences some of which are right in part.

    Raises:
        ValueError: no share of anything: n is 0, or the count is not within it.
    """
    if not 0 <= count <= n or not n:
        raise ValueError(f"{count} of {n} is no share")
    low, high = wilson_arrays(count, n)
    return float(low), float(high)


def wilson_arrays(counts: Any, n: Any) -> tuple[Floats, Floats]:
    """Lower and upper ends of the same, of arrays of counts.

    None of all begins at exactly 0 and all of them end at exactly 1, where floating point would leave 3e-17.
    """
    import numpy as np
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(counts, n, method="wilson")
    return np.where(np.equal(counts, 0), 0.0, low), np.where(np.equal(counts, n), 1.0, high)


LEVEL = 0.95
Z = 1.959963984540054
"""Standard deviations on each side of a normal distribution's mean between which ``LEVEL`` of it lies."""


def percentiles(drawn: Sequence[float] | Table) -> tuple[float, float]:
    """The ends between which ``LEVEL`` of the resampled values lie."""
    import numpy

    low, high = numpy.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
