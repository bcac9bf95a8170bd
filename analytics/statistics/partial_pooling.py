"""Partial pooling: what a rate probably is, given its own statements and the rates of the other groups of its category.

Of a category the rates are taken to vary as a beta distribution does, and each count as a binomial one. The category's counts
say which beta distributions are likely (empirical Bayes: Efron and Morris 1975). A group with three statements then lies near the
middle of its category, and one with thousands stays where it is. The best beta alone would give intervals that are too narrow, as
if it were known. So all of a grid are averaged, each by its likelihood, with a prior density of ``(a + b)^(-5/2)`` (Gelman et al.
2013, Bayesian Data Analysis, section 5.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

MEANS = 60  # of the grid: logits, around the category's own rate
SIZES = 40  # of the grid: a + b, from 0.5 to 50,000
UNLIKELY = 1e-5  # share of the weight of all beta distributions below which one is left out
ROUNDS = 34  # halvings of an interval's end


def pooled(counts: Array, n: Array) -> tuple[Array, Array, Array]:
    """The pooled rates of the groups of one category, with 95 % intervals.

    Args:
        counts, n: whole numbers, shape (groups,); ``n`` is 1 or more.

    Returns:
        Means and both ends of the intervals (equal tails), shape (groups,) each, from 0 to 1.
    """
    import numpy as np

    from harmgraph.common.intervals import LEVEL

    a, b, weights = _betas(counts, n)
    sizes = a + b
    means = ((counts[:, None] + a) / (n[:, None] + sizes)) @ weights
    ends = [_quantile(level, counts, n, a, b, weights) for level in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)]
    return np.asarray(means), ends[0], ends[1]


def _betas(counts: Array, n: Array) -> tuple[Array, Array, Array]:
    """The likely beta distributions with their weights, shape (distributions,) each."""
    import numpy as np
    from scipy.special import betaln, expit, logit

    total, size = counts.sum(), n.sum()
    middle = logit((total + 0.5) / (size + 1))
    # As wide as the doubt of a mean of few groups; the more counts there are, the narrower.
    width = 6 * np.sqrt(1 / (total + 0.5) + 1 / (size - total + 0.5) + 2 / len(n))
    mean = expit(np.linspace(middle - width, middle + width, MEANS))
    sum_ = np.geomspace(0.5, 50_000, SIZES)
    a, b = ((mean[:, None] * sum_).ravel(), ((1 - mean)[:, None] * sum_).ravel())
    # Groups of the same counts have the same likelihood.
    pairs, times = np.unique(np.stack([counts, n], axis=1), axis=0, return_counts=True)
    likelihood = np.zeros(len(a))
    for (count, of), often in zip(pairs, times, strict=True):
        likelihood += often * (betaln(count + a, of - count + b) - betaln(a, b))
    # The prior is even over the mean and (a + b)^(-1/2); the grid is even over logits and log sizes.
    density = np.log(np.repeat(mean * (1 - mean), SIZES)) - 0.5 * np.log(a + b)
    weights = np.exp(likelihood + density - (likelihood + density).max())
    kept = weights > UNLIKELY * weights.sum()
    return a[kept], b[kept], weights[kept] / weights[kept].sum()


def _quantile(level: float, counts: Array, n: Array, a: Array, b: Array, weights: Array) -> Array:
    """The quantile of each group's mixture of beta distributions, by halving."""
    import numpy as np
    from scipy.special import betainc

    pairs, back = np.unique(np.stack([counts, n], axis=1), axis=0, return_inverse=True)
    count, of = pairs[:, :1], pairs[:, 1:]
    low, high = np.zeros(len(pairs)), np.ones(len(pairs))
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        below = betainc(count + a, of - count + b, middle[:, None]) @ weights < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(((low + high) / 2)[back.ravel()])
