"""Wilson's interval of a share (1927), for counts that are too few for a bootstrap."""

from __future__ import annotations


def wilson(count: float, n: int) -> tuple[float, float]:
    """The 95 % interval of ``count / n``, from 0 to 1.

    Its ends are 0 of nothing and 1 of all exactly, where floating point would leave 3e-17.

    Args:
        count: a fraction where the ``n`` are sentences some of which are right in part.

    Raises:
        ValueError: no share of anything: n is 0, or the count is not within it.
    """
    if not 0 <= count <= n or not n:
        raise ValueError(f"{count} of {n} is no share")
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, n, method="wilson")
    return (0.0 if count == 0 else float(low)), (1.0 if count == n else float(high))
