"""Confidence intervals: Wilson's (1927) for a share, Student's (1908) for a mean, Newcombe's (2006) for a perfect AUC, and
percentiles of resampled values.
"""

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
        count: may be fractional, as when a sentence counts as partly right.

    Raises:
        ValueError: n is 0, or the count is not between 0 and n.
    """
    if not 0 <= count <= n or not n:
        raise ValueError(f"{count} of {n} is not a share")
    low, high = wilson_arrays(count, n)
    return float(low), float(high)


def wilson_arrays(counts: Any, n: Any) -> tuple[Floats, Floats]:
    """``wilson`` for arrays of counts: the lower ends and the upper ends.

    The interval of count 0 begins at exactly 0 and that of count ``n`` ends at exactly 1, without rounding errors such as 3e-17.
    """
    import numpy as np
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(counts, n, method="wilson")
    return np.where(np.equal(counts, 0), 0.0, low), np.where(np.equal(counts, n), 1.0, high)


LEVEL = 0.95
Z = 1.959963984540054
"""``LEVEL`` of a normal distribution lies within this many standard deviations of its mean."""


def student(deviation: Floats, count: int) -> Floats:
    """Half of the interval of each mean, by Student's t, which is wider than ``Z`` for few numbers.

    Args:
        deviation: standard deviations (n - 1). count: how many numbers each mean is of; 2 or more.
    """
    from scipy.stats import t

    half: Floats = t.ppf((1 + LEVEL) / 2, count - 1) * deviation / count**0.5
    return half


def percentiles(drawn: Sequence[float] | Table) -> tuple[float, float]:
    """The two ends of the interval that contains the middle ``LEVEL`` of the resampled values."""
    import numpy

    low, high = numpy.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def perfect_auc(positives: int, negatives: int) -> float:
    """The lower end of the 95 % interval of an AUC of 1. All resamples of such data have an AUC of 1, however few they are.

    Source: Newcombe 2006, *Confidence intervals for an effect size measure based on the Mann-Whitney statistic*, part 2,
    method 5.
    """
    from scipy.optimize import brentq

    mean = (positives + negatives) / 2 - 1

    def beyond(area: float) -> float:
        spread = 1 + mean * ((1 - area) / (2 - area) + area / (1 + area))
        return (1 - area) * positives * negatives - Z**2 * area * spread

    return float(brentq(beyond, 0, 1))
