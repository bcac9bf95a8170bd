"""The hypergeometric distribution for arrays, as ``scipy.stats.hypergeom`` gives it.

That package takes longer to import than a statistic takes to compute: it writes the documentation of all its distributions
anew. Its numbers are Boost's, which ``scipy.special`` has under names of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]


def pmf(k: Array, size: Array, total: Array, drawn: Array) -> Array:
    """The probability of ``k`` counted ones.

    Args:
        k, size, total, drawn: whole numbers, shape (rows,): of ``size``, ``total`` are counted ones, and ``drawn`` are drawn.

    Returns:
        Shape (rows,), from 0 to 1; not-a-number where the numbers cannot be.
    """
    return _within("pmf", k, size, total, drawn, below=0.0, above=0.0)


def cdf(k: Array, size: Array, total: Array, drawn: Array) -> Array:
    """The probability of ``k`` counted ones or fewer; see ``pmf``."""
    return _within("cdf", k, size, total, drawn, below=0.0, above=1.0)


def sf(k: Array, size: Array, total: Array, drawn: Array) -> Array:
    """The probability of more than ``k`` counted ones; see ``pmf``."""
    return _within("sf", k, size, total, drawn, below=1.0, above=0.0)


def _boost(what: str) -> Any:
    """Boost's function in ``scipy.special``; None if this scipy has it not, or under another name."""
    from scipy.special import _ufuncs

    return getattr(_ufuncs, f"_hypergeom_{what}", None)


def _within(what: str, k: Array, size: Array, total: Array, drawn: Array, *, below: float, above: float) -> Array:
    """Boost's values between the least and the most that can be drawn, and those outside."""
    import numpy as np

    boost = _boost(what)
    if boost is None:
        from scipy.stats import hypergeom

        values: Array = getattr(hypergeom, what)(k, size, total, drawn)
        return values
    least, most = np.maximum(drawn - (size - total), 0), np.minimum(total, drawn)
    values = np.where(k < least, below, above)
    ends = k >= most if what != "pmf" else k > most
    inside = (k >= least) & ~ends
    values[inside] = boost(k[inside], total[inside], drawn[inside], size[inside])
    possible = (size > 0) & (total >= 0) & (drawn >= 0) & (total <= size) & (drawn <= size)
    return np.where(possible, np.clip(values, 0.0, 1.0), np.nan)
