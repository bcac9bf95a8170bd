"""Bootstrap intervals of means and variances over targets: the targets are resampled, as they are the population of
equations 3 and 4 of Mehrabi et al. 2021.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.intervals import percentiles

if TYPE_CHECKING:
    import numpy
    import pandas

    Table = numpy.ndarray[Any, Any]

ROUNDING = 1e-12  # values that lie within so much of their size of one another are equal
# Of a column: what it takes of each target's counts, and what it is over the targets.
ESTIMATES: dict[str, tuple[Callable[[Table], Table], str]] = {
    "d_r": (lambda counts: counts[:, 0], "var"),
    "d_o_plus": (lambda counts: 100 * counts[:, 1] / counts[:, 0], "var"),
    "d_o_minus": (lambda counts: 100 * counts[:, 2] / counts[:, 0], "var"),
    "neutral_mean": (lambda counts: 100 * counts[:, 1] / counts[:, 0], "mean"),
    "neutral_variance": (lambda counts: 100 * counts[:, 1] / counts[:, 0], "var"),
}


def with_intervals(frame: pandas.DataFrame, column: str, *, resamples: int, seed: int) -> pandas.DataFrame:
    """The frame with ``<measure>_low`` and ``<measure>_high`` beside each measure of ``ESTIMATES``, and without the counts.

    Args:
        frame: rows of a statistic over targets.
        column: name of the column with the counts of each target, its statements first.
        resamples: how often the targets are drawn again, with replacement.

    Returns:
        Percentile intervals at 95 %, None where a row rests on fewer than three targets.
    """
    import numpy

    measures = [name for name in frame.columns if name in ESTIMATES]
    bounds: dict[str, list[float | None]] = {f"{name}_{end}": [] for name in measures for end in ("low", "high")}
    for counts in frame[column]:
        table = numpy.asarray(counts, dtype=float).reshape(len(counts), -1)
        generator = numpy.random.default_rng(seed)
        for name in measures:
            values, estimate = ESTIMATES[name]
            low, high = interval(values(table), estimate, resamples, generator)
            bounds[f"{name}_low"].append(low)
            bounds[f"{name}_high"].append(high)
    made = frame.drop(columns=[column])
    for name in measures:
        place: Any = made.columns.get_loc(name)
        made.insert(place + 1, f"{name}_low", bounds[f"{name}_low"])
        made.insert(place + 2, f"{name}_high", bounds[f"{name}_high"])
    return made


def interval(
    values: Table, estimate: str, resamples: int, generator: numpy.random.Generator
) -> tuple[float | None, float | None]:
    """Percentile bootstrap interval of a mean or a population variance (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: shape (targets,).
        estimate: ``mean`` or ``var``.

    Returns:
        Lower and upper end; None where there are fewer than three values.
    """
    if len(values) < 3:
        return None, None
    import numpy

    drawn = generator.choice(values, size=(resamples, len(values)), replace=True)
    found = getattr(drawn, estimate)(axis=1)
    if estimate == "var":
        # Of equal values the variance is 0; their mean is rounded, which leaves 1e-28.
        found = numpy.where(numpy.ptp(drawn, axis=1) <= ROUNDING * numpy.abs(drawn).max(axis=1), 0.0, found)
    return percentiles(found)
