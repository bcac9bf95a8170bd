"""What chance gives: samples dealt out anew, and templates and samples drawn again.

The distance of two finite samples is above 0 even where nothing differs, so that no number stands alone here. Where the samples
of each template are dealt out anew among its values, nothing differs: the mean is the floor of a number, and the share of such
numbers at least as large is its p. Drawn again, with replacement, the templates and the samples of each give its interval.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harmgraph.analytics.counterfactual.scores import (
    Cells,
    SampleScores,
    group_distances,
    group_fairness,
    individual,
    mean_over_templates,
    pooled_distances,
    table_of_pairs,
)
from harmgraph.analytics.counterfactual.scores import gaps as largest_gaps
from harmgraph.common.intervals import LEVEL
from harmgraph.common.progress import progress

if TYPE_CHECKING:
    import numpy as np

    from harmgraph.analytics.counterfactual.scores import Floats

DEALT, DRAWN = 0, 1  # streams of random numbers, so that more of the one do not change the other


@dataclass(frozen=True, slots=True)
class FairnessNumbers:
    """The numbers of one set of samples; not a number where there is nothing to compare.

    Attributes:
        whole: I.F., G.F., the mean distance of pairs where templates are thrown together, and the largest distance of any pair in
            any template, shape [4].
        templates: I.F. of each template, shape [templates].
        pairs: mean distance over templates, shape [pairs].
        largest: largest distance over templates, shape [pairs].
        values: mean distance of each value from the others, over templates, shape [values].
        gaps: largest disparity of each pair over all thresholds and templates, shape [pairs]; [0] where they were not asked for,
            as they take longer than all else.
    """

    whole: Floats
    templates: Floats
    pairs: Floats
    largest: Floats
    values: Floats
    gaps: Floats


def numbers(scores: SampleScores, templates: Sequence[Cells], *, gaps: bool = False) -> FairnessNumbers:
    """All numbers of these templates; see ``FairnessNumbers``.

    Args:
        gaps: whether to compute the largest disparities too.
    """
    import numpy as np

    table = table_of_pairs(scores, templates)
    of_pairs = mean_over_templates(table)
    pooled = pooled_distances(scores, templates)
    whole = np.array(
        [
            individual(table),
            group_fairness(group_distances(scores, templates)),
            float(np.nanmean(pooled)) if not np.isnan(pooled).all() else np.nan,
            float(np.fmax.reduce(table, axis=None)),
        ]
    )
    return FairnessNumbers(
        whole,
        mean_over_templates(table.T),
        of_pairs,
        np.fmax.reduce(table, axis=0),
        of_values(of_pairs, len(scores.values)),
        largest_gaps(scores, templates) if gaps else np.empty(0),
    )


def of_values(of_pairs: Floats, count: int) -> Floats:
    """The mean over the pairs that each value is in, shape [values]; of shape [pairs]."""
    import numpy as np

    square = np.full((count, count), np.nan)
    rows, columns = np.triu_indices(count, 1)
    square[rows, columns] = square[columns, rows] = of_pairs
    return mean_over_templates(square)


@dataclass(frozen=True, slots=True)
class Chance:
    """Numbers of samples that were dealt out anew, of shapes [permutations, ...] as ``FairnessNumbers``."""

    drawn: FairnessNumbers

    def floor(self, part: str) -> Floats:
        """The mean of each number of a part."""
        import numpy as np

        floors: Floats = np.mean(getattr(self.drawn, part), axis=0)
        return floors

    def p(self, part: str, numbers: FairnessNumbers) -> Floats:
        """The share of permutations that give at least the number, which itself counts as one of them."""
        import numpy as np

        drawn, standing = getattr(self.drawn, part), getattr(numbers, part)
        # Rounding may tell equal numbers apart.
        larger = (drawn >= standing - TOLERANCE).sum(axis=0)
        shares: Floats = np.where(np.isnan(standing), np.nan, (1 + larger) / (1 + len(drawn)))
        return shares


TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Spread:
    """Numbers of resampled templates and samples, of shapes [resamples, ...] as ``FairnessNumbers``."""

    drawn: FairnessNumbers

    def interval(self, part: str, numbers: FairnessNumbers) -> tuple[Floats, Floats]:
        """The middle 95 % of each number of a part, shifted so that they lie about it.

        Resampling adds the noise of small samples a second time, so that the resampled numbers are all larger; the mean of what
        they are too large is taken away. The ends are not below 0.
        """
        import warnings

        import numpy as np

        drawn, standing = getattr(self.drawn, part), getattr(numbers, part)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of a column without any number
            excess = np.nanmean(drawn, axis=0) - standing
            ends = np.nanquantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0) - excess
        return np.maximum(ends[0], 0.0), np.maximum(ends[1], 0.0)


def dealt(scores: SampleScores, permutations: int, seed: int, *, gaps: bool = False) -> Chance:
    """Deals the samples of each template out anew among its values, so many times.

    Each value keeps its number of samples.

    Args:
        gaps: whether to compute the largest disparities too.
    """
    import numpy as np

    generator = np.random.default_rng([seed, DEALT])

    def draw() -> list[Cells]:
        return [dealt_once(each, generator) for each in scores.templates]

    return Chance(_repeated(scores, draw, permutations, "dealing samples out anew", gaps=gaps))


def dealt_once(cells: Cells, generator: np.random.Generator) -> Cells:
    """The samples of a template dealt out anew among its values, each of which keeps its number; none stay none."""
    import numpy as np

    if not len(cells.samples):
        return cells
    return Cells(cells.values, split(generator.permutation(np.concatenate(cells.samples)), cells))


def drawn_again(scores: SampleScores, resamples: int, seed: int, *, templates: bool = True) -> Spread:
    """Draws the templates, and then the samples of each prompt in them, with replacement, so many times.

    Args:
        templates: whether to draw templates; otherwise each stays, and the numbers of each have intervals too.
    """
    import numpy as np

    generator = np.random.default_rng([seed, DRAWN])
    count = len(scores.templates)

    def draw() -> list[Cells]:
        chosen = generator.integers(count, size=count) if templates else range(count)
        return [resampled(scores.templates[place], generator) for place in chosen]

    return Spread(_repeated(scores, draw, resamples, "drawing samples again"))


def _repeated(
    scores: SampleScores,
    draw: Callable[[], list[Cells]],
    times: int,
    stage: str,
    *,
    gaps: bool = False,
) -> FairnessNumbers:
    """The numbers of each drawn set. One thread draws, in order, so that equal seeds give equal numbers; others compute."""
    import numpy as np

    count = os.cpu_count() or 1
    threads = ThreadPoolExecutor(count)
    waiting: deque[Future[FairnessNumbers]] = deque()
    parts: list[FairnessNumbers] = []
    try:
        for number in range(times):
            progress(stage, number, times)
            waiting.append(threads.submit(numbers, scores, draw(), gaps=gaps))
            if len(waiting) > count:
                parts.append(waiting.popleft().result())
        parts += [each.result() for each in waiting]
    finally:
        threads.shutdown(cancel_futures=True)
    progress(stage, times, times)
    return FairnessNumbers(
        *(
            np.array([getattr(part, name) for part in parts])
            for name in ("whole", "templates", "pairs", "largest", "values", "gaps")
        )
    )


def split(every: Floats, cells: Cells) -> Floats | tuple[Floats, ...]:
    """Scores, shape [samples of all values], as samples of the values, sorted; one for each value, and none of no value."""
    import numpy as np

    sizes = [len(sample) for sample in cells.samples]
    if not sizes:
        return ()
    if len(set(sizes)) == 1:
        sorted_rows: Floats = np.sort(every.reshape(len(sizes), -1), axis=1)
        return sorted_rows
    return tuple(np.sort(part) for part in np.split(every, np.cumsum(sizes)[:-1]))


def resampled(cells: Cells, generator: np.random.Generator) -> Cells:
    """The samples of each value drawn again, with replacement."""
    import numpy as np

    sizes = {len(sample) for sample in cells.samples}
    if len(sizes) == 1:
        (size,) = sizes
        places = generator.integers(size, size=(len(cells.samples), size))
        drawn = np.sort(np.take_along_axis(np.asarray(cells.samples), places, axis=1), axis=1)
        return Cells(cells.values, drawn)
    return Cells(
        cells.values,
        tuple(np.sort(sample[generator.integers(len(sample), size=len(sample))]) for sample in cells.samples),
    )
