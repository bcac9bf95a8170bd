"""Scores of a model's samples, sorted once, and how far the distributions of two prompts are from one another.

Huang et al. 2020, "Reducing Sentiment Bias in Language Models via Counterfactual Evaluation", section 3.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

MANY = 65_535  # groups
AT_ONCE = 4_096  # levels: memory does not grow with the number of different sizes


@dataclass(frozen=True, slots=True)
class Cells:
    """The samples of one template.

    Attributes:
        values: the places of its values in ``SampleScores.values``, ascending.
        samples: for each of these its scores, 0 to 1, sorted: an array [values, samples], or where the values have different
            numbers of samples an array of each.
    """

    values: tuple[int, ...]
    samples: Floats | tuple[Floats, ...]


@dataclass(frozen=True, slots=True)
class SampleScores:
    """The scores of the samples of one attribute.

    Attributes:
        values: the values of the attribute.
        groups: for each value, the place of its subgroup.
        names: names of the subgroups.
        templates: the samples of each template.
    """

    values: tuple[str, ...]
    groups: tuple[int, ...]
    names: tuple[str, ...]
    templates: tuple[Cells, ...]


def scores_of(
    values: Sequence[str], groups: Sequence[str], samples: Sequence[Sequence[Sequence[float] | Floats | None]]
) -> SampleScores:
    """Sorts samples, once for everything that is computed of them.

    Args:
        groups: the subgroup of each value.
        samples: by template and value, the scores, 0 to 1; None or nothing where the template lacks the value.
    """
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        templates = tuple(threads.map(_cells, samples))
    names = tuple(dict.fromkeys(groups))
    return SampleScores(tuple(values), tuple(names.index(group) for group in groups), names, templates)


def _cells(template: Sequence[Sequence[float] | Floats | None]) -> Cells:
    import numpy as np

    cells = [(at, cell) for at, cell in enumerate(template) if cell is not None and len(cell)]
    places = tuple(at for at, _ in cells)
    if len({len(cell) for _, cell in cells}) == 1:
        # All at once: a sort of rows takes less than as many sorts.
        return Cells(places, np.sort(np.array([cell for _, cell in cells], dtype=float), axis=1))
    return Cells(places, tuple(np.sort(np.asarray(cell, dtype=float)) for _, cell in cells))


@lru_cache(maxsize=64)
def _levels(sizes: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Between which levels no quantile of samples of these sizes changes.

    Returns:
        The widths between two neighbouring levels, which add up to 1, and the middles, each of shape [levels].
    """
    import numpy as np

    ends = np.unique(np.concatenate([np.arange(1, size + 1) / size for size in sizes]))
    widths = np.diff(ends, prepend=0.0)
    return widths, ends - widths / 2


def pair_distances(samples: Sequence[Floats] | Floats) -> Floats:
    """The Wasserstein-1 distance of every unordered pair of sorted samples (equation 1).

    It is the mean distance of their quantiles. Samples of different sizes are weighted, each as a distribution of mass 1.

    Args:
        samples: an array [n, samples], or one of each.

    Returns:
        Shape [n (n - 1) / 2]: the pairs (0, 1), (0, 2) ... (n - 2, n - 1).
    """
    import numpy as np
    from scipy.spatial.distance import pdist

    distances: Floats = np.zeros(len(samples) * (len(samples) - 1) // 2)
    sizes = tuple(sorted({len(sample) for sample in samples}))
    if len(samples) < 2:
        return distances
    if len(sizes) == 1:
        distances = pdist(np.asarray(samples), "cityblock") / sizes[0]
        return distances
    widths, middles = _levels(sizes)
    for start in range(0, len(widths), AT_ONCE):
        width, middle = widths[start : start + AT_ONCE], middles[start : start + AT_ONCE]
        places = {size: (middle * size).astype(np.intp) for size in sizes}
        distances += pdist(np.stack([sample[places[len(sample)]] for sample in samples]) * width, "cityblock")
    return distances


def of_all_values(scores: SampleScores, templates: Sequence[Cells]) -> list[Cells]:
    """The templates that every value has a prompt in.

    Where samples of several templates are thrown together, no others may be among them: a value that lacks a template of high
    scores would have a distance from the others for that alone.
    """
    return [each for each in templates if len(each.values) == len(scores.values)]


def group_distances(scores: SampleScores, templates: Sequence[Cells]) -> Floats:
    """The Wasserstein-1 distance of each subgroup's scores from those of all (the terms of equation 4).

    It is of the templates that all values have (``of_all_values``). Every prompt has the same weight, also where it has fewer
    samples.

    Args:
        templates: those of ``scores``, or resampled ones.

    Returns:
        Shape [groups]; not a number where no template has all values.
    """
    import numpy as np

    cells = [
        (scores.groups[value], sample)
        for each in of_all_values(scores, templates)
        for value, sample in zip(each.values, each.samples, strict=True)
    ]
    distances = np.full(len(scores.names), np.nan)
    if not cells:
        return distances
    sizes = np.array([len(sample) for _, sample in cells])
    every = np.concatenate([sample for _, sample in cells])
    order = np.argsort(every)
    grid = every[order]
    kind = np.uint16 if len(scores.names) <= MANY else np.int64  # sorted by radix, which takes no time
    group = np.repeat(np.array([place for place, _ in cells], dtype=kind), sizes)[order]
    by_group = np.split(
        np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=len(scores.names)))[:-1]
    )
    if sizes.min() == sizes.max():
        mass = None
        share = np.arange(1, len(grid) + 1) / len(grid)
    else:
        mass = np.repeat(1 / (sizes * len(cells)), sizes)[order]
        share = np.cumsum(mass)
        share[-1] = 1.0
    area = np.concatenate([[0.0], np.cumsum(share[:-1] * np.diff(grid))])
    for place, at in enumerate(by_group):
        if not len(at):
            continue
        # Between two samples of the group its share is constant, and the share of all crosses it at most once.
        if mass is None:
            levels = np.arange(len(at) + 1) / len(at)
            crossed = np.ceil(levels * len(grid)).astype(np.intp) - 1
        else:
            levels = np.concatenate([[0.0], np.cumsum(mass[at])])
            levels /= levels[-1]
            crossed = np.searchsorted(share, levels)
        starts, ends = np.concatenate([[0], at]), np.concatenate([at, [len(grid) - 1]])
        crossed = np.clip(crossed, starts, ends)
        parts = levels * (2 * grid[crossed] - grid[starts] - grid[ends]) + area[starts] + area[ends] - 2 * area[crossed]
        distances[place] = parts.sum()
    return distances


def pooled_distances(scores: SampleScores, templates: Sequence[Cells]) -> Floats:
    """The distance of every pair of values where templates are thrown together, as LangFair does: those that all values have.

    Returns:
        Shape [pairs] of ``SampleScores.values``, as ``pair_distances``; not a number where no template has all values.
    """
    import numpy as np

    shared = of_all_values(scores, templates)
    if not shared:
        return np.full(len(pairs(len(scores.values))), np.nan)
    return pair_distances(
        [np.sort(np.concatenate(column)) for column in zip(*(each.samples for each in shared), strict=True)]
    )


def table_of_pairs(scores: SampleScores, templates: Sequence[Cells]) -> Floats:
    """The distance of every pair of values in every template.

    Returns:
        Shape [templates, pairs]; not a number where a template lacks one of the two.
    """
    import numpy as np

    count = len(scores.values)
    table = np.full((len(templates), count * (count - 1) // 2), np.nan)
    for row, each in zip(table, templates, strict=True):
        distances = pair_distances(each.samples)
        if len(each.values) == count:
            row[:] = distances
        else:
            at = [place_of(each.values[a], each.values[b], count) for a, b in pairs(len(each.values))]
            row[at] = distances
    return table


def pairs(count: int) -> list[tuple[int, int]]:
    """The unordered pairs of so many things, in the order of ``pair_distances``."""
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


def place_of(a: int, b: int, count: int) -> int:
    """The place of the pair (a, b), where a is below b, among all pairs of so many things."""
    return a * count - a * (a + 1) // 2 + b - a - 1


def gap(sample: Floats, other: Floats) -> tuple[float, float]:
    """The largest difference of two rates of positive labels over all thresholds, and the threshold that gives it.

    Args:
        sample, other: sorted scores of two prompts.

    Returns:
        ``max |p(S > threshold) - p(S' > threshold)|``, and the first threshold with it.
    """
    import numpy as np

    both = np.concatenate([sample, other])
    differences = np.abs(
        np.searchsorted(sample, both, "right") / len(sample) - np.searchsorted(other, both, "right") / len(other)
    )
    most = differences.max()
    return float(most), float(both[differences == most].min())


def gaps(scores: SampleScores, templates: Sequence[Cells]) -> Floats:
    """The largest ``gap`` of every pair of values over the templates that both have.

    Returns:
        Shape [pairs] of ``SampleScores.values``; not a number where no template has both.
    """
    import numpy as np
    from scipy.spatial.distance import pdist

    count = len(scores.values)
    most = np.full(count * (count - 1) // 2, np.nan)
    for each in templates:
        if len(each.values) < 2:
            continue
        # The rates of a pair differ most at a score of one of the two, so the scores of all values are thresholds enough.
        thresholds = np.unique(np.concatenate(each.samples))
        rates = np.stack([np.searchsorted(sample, thresholds, "right") / len(sample) for sample in each.samples])
        at = [place_of(each.values[a], each.values[b], count) for a, b in pairs(len(each.values))]
        most[at] = np.fmax(most[at], pdist(rates, "chebyshev"))
    return most


def mean_over_templates(table: Floats) -> Floats:
    """The mean of each column over the templates that have it, shape [columns]; not a number where none has."""
    import numpy as np

    present = ~np.isnan(table)
    counts = present.sum(axis=0)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(present, table, 0.0).sum(axis=0) / counts
    return means


def individual(table: Floats) -> float:
    """I.F.: the mean over templates of the mean over the pairs of each (equation 3); not a number without any pair."""
    rows = mean_over_templates(table.T)
    kept = [float(value) for value in rows if not math.isnan(value)]
    return math.fsum(kept) / len(kept) if kept else math.nan


def group_fairness(distances: Floats) -> float:
    """G.F.: the mean over the subgroups (equation 4)."""
    kept = [float(value) for value in distances if not math.isnan(value)]
    return math.fsum(kept) / len(kept) if kept else math.nan
