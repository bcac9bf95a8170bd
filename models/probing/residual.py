"""How far the score of each object is from what the counts of the other objects predict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harmgraph.common.correlation import FEWEST
from harmgraph.common.intervals import LEVEL
from harmgraph.models.probing.probe import Numbers

ALONE = 1e-9  # what is left of an object's weight where the others have no slope


@dataclass(frozen=True, slots=True)
class Residuals:
    """Residuals of objects [k], and their 95 % prediction intervals; NaN where the other objects give no line.

    Attributes:
        values: score less prediction, in the unit of the score. low, high: 0 is outside where the score is not as the
            counts predict.
    """

    values: Numbers
    low: Numbers
    high: Numbers


def residuals(scores: Numbers, ratios: Numbers) -> Residuals:
    """The residual of each object o from the least-squares line through all *other* objects.

    residual(o) = score(o) - (c + m x(o)), with x = log((count_a + 1) / (count_b + 1)). The numbers c and m are those that fit
    the scores of the other objects best. Were o among them, a far score would draw the line to itself. With the leverage
    h(o) = 1/k + (x(o) - mean x)^2 / sum (x - mean x)^2 it is the residual of the common line divided by 1 - h(o). The interval
    is the prediction interval for one more object: residual(o) -/+ t s / sqrt(1 - h(o)). Here s^2 is the residual variance of
    the others, and t the 97.5th percentile of Student's t with k - 3 degrees of freedom (Cook and
    Weisberg 1982).

    Args:
        scores: of the objects [k]. ratios: x of the objects [k].
    """
    from scipy.stats import t

    k = len(scores)
    unknown = np.full(k, np.nan)
    if k < FEWEST or np.ptp(ratios) == 0:
        return Residuals(unknown, unknown, unknown)
    x = ratios - ratios.mean()
    spread = float(x @ x)
    around = scores - scores.mean()
    left = around - x * float(x @ around) / spread
    free = 1 - (1 / k + x**2 / spread)
    known = free > ALONE
    free = np.where(known, free, np.nan)
    values = left / free
    variance = np.maximum(float(left @ left) - left**2 / free, 0) / (k - 3)
    half = t.ppf((1 + LEVEL) / 2, k - 3) * np.sqrt(variance / free)
    return Residuals(values, values - half, values + half)
