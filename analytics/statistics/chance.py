"""Whether a share differs from that of other statements by more than chance, and which difference could have been seen at all.

The test is Fisher's (1935), two-sided as twice the smaller tail. It holds for any counts. Harmful labels are rare and most groups
small, and a correction for hundreds of tests looks at p far below 0.05, where a normal approximation is off by orders of size. A
binomial test against the share of the others would take that share as known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

BEYOND = 0.05
"""The largest q that is beyond chance."""
DIGITS = 3
"""Decimal places of p and q for people."""
POWER = 0.8
"""The share of repetitions in which ``least_rise`` would be seen."""


def is_beyond(q: float | None) -> bool:
    """Whether a corrected p is beyond chance; None and not-a-number are not."""
    return q is not None and q <= BEYOND


def shown_chance(p: float | None) -> str:
    """A p or q for people: ``0.045``; ``<0.001`` where these places show nothing; a dash for None."""
    if p is None:
        return "–"
    least = 10**-DIGITS
    return f"<{least}" if p < least else f"{p:.{DIGITS}f}"


def fisher(counts: Any, n: Any, others: Any, others_n: Any) -> tuple[Array, Array]:
    """The p of each share ``counts / n`` against ``others / others_n``, and the smallest p that any counts could have had.

    If what was counted had nothing to do with the division into the two, any statements could be the counted ones. So the
    count is hypergeometric, given how many were counted in both together.

    Args:
        counts, n, others, others_n: whole numbers, shape (rows,) each or one for all rows.

    Returns:
        Two arrays of shape (rows,), from 0 to 1. The second takes as given how many were counted in both together.
    """
    import numpy as np

    from harmgraph.analytics.statistics.hypergeometric import cdf, pmf, sf

    counts, n, others, others_n = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.int64) for x in (counts, n, others, others_n))
    )
    total, size = counts + others, n + others_n
    least = 2 * np.minimum(
        pmf(np.minimum(total, n), size, total, n), pmf(np.maximum(total - others_n, 0), size, total, n)
    )
    p = np.minimum(1, 2 * np.minimum(sf(counts - 1, size, total, n), cdf(counts, size, total, n)))
    return np.asarray(p), np.minimum(1, least)


def corrected_for_number(p: Array, least: Array) -> Array:
    """The q of each p: corrected for the number of tests (Benjamini and Hochberg 1995).

    Tests that could not have come to ``BEYOND``, however the labels fell, are not made and do not count (Tarone 1990). The sizes
    decide which these are, and how many were counted in all, but not which ones they were.

    Args:
        p: shape (tests,). least: the smallest p that each test could have had, as ``fisher`` gives it.

    Returns:
        Shape (tests,); not-a-number for a test that is not made.
    """
    import numpy as np

    q = np.full(len(p), np.nan)
    made = np.flatnonzero(least <= BEYOND)
    if not len(made):
        return q
    order = made[np.argsort(p[made], kind="stable")]
    steps = p[order] * (len(made) / np.arange(1, len(made) + 1))
    q[order] = np.minimum(1, np.minimum.accumulate(steps[::-1])[::-1])
    return q


def least_rise(n: Any, others: Any, others_n: Any) -> Array:
    """The smallest share of ``n`` statements that would be told from the others' in ``POWER`` of all repetitions.

    It is exact for the test of ``fisher`` at 0.05, uncorrected, with the others' counts held fixed: ``c`` is the smallest count
    that the test tells from them, and of this share ``c`` or more of ``n`` are counted with a probability of ``POWER``.

    Args:
        n, others, others_n: whole numbers, shape (rows,) each.

    Returns:
        Shape (rows,), from 0 to 1; not-a-number where even ``n`` of ``n`` would not be told.
    """
    import numpy as np

    from harmgraph.analytics.statistics.hypergeometric import sf

    n, others, others_n = np.broadcast_arrays(*(np.asarray(x, dtype=np.int64) for x in (n, others, others_n)))

    def told(count: Array) -> Array:
        told_here: Array = 2 * sf(count - 1, n + others_n, others + count, n) <= BEYOND
        return told_here

    low, high = np.zeros_like(n), n.copy()  # not told at low, told at high
    possible = told(high) & (n > 0)
    while (open_ := possible & (high - low > 1)).any():
        middle = (low + high) // 2
        there = told(middle)
        low, high = np.where(open_ & ~there, middle, low), np.where(open_ & there, middle, high)
    return _share_that_reaches(high, n, possible)


def least_excess(n: int, expected: float, above: float) -> float:
    """As ``least_rise``, against an expected share that has an interval, where intervals tell (Zou and Donner 2008).

    Args:
        n: statements; 1 or more.
        expected: what is expected, from 0 to 1.
        above: how far the interval of what is expected reaches above it.

    Returns:
        The share, from 0 to 1; not-a-number where even ``n`` of ``n`` would not be told.
    """
    import numpy as np

    from harmgraph.common.intervals import wilson_arrays

    counts = np.arange(n + 1)
    low, _ = wilson_arrays(counts, n)
    shares = counts / n
    there = shares - expected > np.sqrt((shares - low) ** 2 + above**2)
    high = np.array([np.argmax(there)])
    return float(_share_that_reaches(high, np.array([n]), np.array([there.any()]))[0])


def _share_that_reaches(counts: Array, n: Array, possible: Array) -> Array:
    """The share of which ``counts`` or more of ``n`` are drawn with a probability of ``POWER``."""
    import numpy as np
    from scipy.special import betaincinv

    shares = np.full(n.shape, np.nan)
    at = possible & (counts > 0)
    shares[at] = betaincinv(counts[at], n[at] - counts[at] + 1, POWER)
    return shares
