"""Bootstrap intervals of the disparities: the targets are resampled, as they are the population of equations 3 and 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import pandas

LEVEL = 0.95
MEASURES = ("d_r", "d_o_plus", "d_o_minus")


def with_intervals(frame: pandas.DataFrame, column: str, *, resamples: int, seed: int) -> pandas.DataFrame:
    """The frame with ``<measure>_low`` and ``<measure>_high`` beside each disparity, and without the counts.

    Args:
        frame: rows of a disparity statistic.
        column: name of the column with ``[n, positive, negative]`` of each target.
        resamples: how often the targets are drawn again, with replacement.

    Returns:
        Percentile intervals at 95 %, None where a row rests on fewer than three targets.
    """
    import numpy

    bounds: dict[str, list[float | None]] = {f"{name}_{end}": [] for name in MEASURES for end in ("low", "high")}
    for counts in frame[column]:
        table = numpy.asarray(counts, dtype=float).reshape(-1, 3)
        values = {
            "d_r": table[:, 0],
            "d_o_plus": 100 * table[:, 1] / table[:, 0],
            "d_o_minus": 100 * table[:, 2] / table[:, 0],
        }
        generator = numpy.random.default_rng(seed)
        for name in MEASURES:
            low, high = variance_interval(values[name], resamples, generator)
            bounds[f"{name}_low"].append(low)
            bounds[f"{name}_high"].append(high)
    made = frame.drop(columns=[column])
    for name in MEASURES:
        place: Any = made.columns.get_loc(name)
        made.insert(place + 1, f"{name}_low", bounds[f"{name}_low"])
        made.insert(place + 2, f"{name}_high", bounds[f"{name}_high"])
    return made


def variance_interval(
    values: numpy.ndarray[Any, Any], resamples: int, generator: numpy.random.Generator
) -> tuple[float | None, float | None]:
    """Percentile bootstrap interval of a population variance (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: shape (targets,).

    Returns:
        Lower and upper end; None where there are fewer than three values.
    """
    import numpy

    if len(values) < 3:
        return None, None
    drawn = generator.choice(values, size=(resamples, len(values)), replace=True)
    low, high = numpy.quantile(drawn.var(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
