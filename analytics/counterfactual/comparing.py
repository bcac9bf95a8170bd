"""I.F. and G.F. of several models side by side, and how much each differs from the first.

Templates are drawn for all models together, so that what a template does to all of them does not widen the intervals of their
differences. The excess of a number is what it is above its floor; a change of I.F. alone may come from less varied scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from harmgraph.analytics.counterfactual.fairness_columns import NAMES
from harmgraph.analytics.counterfactual.generated import Samples, check_alike, read_samples, scored, values_of
from harmgraph.analytics.counterfactual.resampling import FairnessNumbers, dealt, dealt_once, numbers, resampled
from harmgraph.analytics.counterfactual.scores import SampleScores
from harmgraph.common.intervals import percentiles
from harmgraph.common.progress import progress
from harmgraph.common.scorer import Scorer

if TYPE_CHECKING:
    from harmgraph.analytics.counterfactual.scores import Floats

PAIRED = 2  # stream of random numbers, beside those of ``resampling``


class Quality(Protocol):
    """What a model's samples are worth beside fairness: the further columns of each, in the order of the samples."""

    def __call__(
        self,
        listed: Sequence[Samples],
        /,
    ) -> Sequence[Mapping[str, Any]]: ...


def compared_files(
    files: Sequence[Path],
    scorer: Scorer,
    options: Mapping[str, Any],
    *,
    quality: Quality | None = None,
    min_samples: int = 1,
    permutations: int = 200,
    resamples: int = 200,
    seed: int = 0,
) -> tuple[list[dict[str, Any]], list[str]]:
    """A row for each attribute and model of some files of samples, and what a reader must know, a line each.

    The column ``n`` is how many samples are compared.

    Raises:
        UnreadableFile: a file holds no samples.
        InputError: models were asked other prompts, or no template has two values left.
    """
    by_attribute: dict[str, list[Samples]] = {}
    for path in files:
        for samples in read_samples(path):
            by_attribute.setdefault(samples.attribute, []).append(samples)
    for listed in by_attribute.values():
        check_alike(listed)
    known = values_of((samples for listed in by_attribute.values() for samples in listed), scorer, options)
    rows: list[dict[str, Any]] = []
    said: list[str] = []
    for attribute, listed in by_attribute.items():
        judged = scored(listed, scorer, options, min_samples, known=known)
        said += judged.remarks()
        fair = compared(judged.scores, permutations=permutations, resamples=resamples, seed=seed)
        good: Sequence[Mapping[str, Any]] = [{} for _ in listed]
        if quality:
            good = quality([each.only(judged.selection.prompts) for each in listed])
        for samples, n, fairness, further in zip(listed, judged.samples, fair, good, strict=True):
            rows.append({"model": samples.name, "attribute": attribute, "n": n, **fairness, **further})
    return rows, said


def compared(
    scores: Sequence[SampleScores],
    *,
    permutations: int = 200,
    resamples: int = 200,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """A row for each model: I.F. and G.F. with interval, floor, excess and p, and the changes from the first model.

    The columns ``x_change`` are the number less that of the first model, ``x_excess_change`` the same of the excesses; their
    intervals are of templates and samples drawn again. None for the first model, and where there is no number, as of G.F. where
    no template has all values.

    Args:
        scores: of each model, of the same values and templates, each with two values or more.
    """
    import numpy as np

    standing = [numbers(each, each.templates) for each in scores]
    chance = [dealt(each, permutations, seed) for each in scores]
    floors = np.array([each.floor("whole")[: len(NAMES)] for each in chance])
    whole = np.array([each.whole[: len(NAMES)] for each in standing])
    drawn, excess = _drawn(scores, resamples, seed)
    rows: list[dict[str, Any]] = []
    for place in range(len(scores)):
        row: dict[str, Any] = {}
        for at, name in enumerate(NAMES):
            row |= _with_ends(name, whole[place, at], drawn[:, place, at], 0.0)
            row[f"{name}_floor"] = _number(floors[place, at])
            row[f"{name}_p"] = _number(chance[place].p("whole", standing[place])[at])
            row |= _with_ends(f"{name}_excess", whole[place, at] - floors[place, at], excess[:, place, at])
            for kind, value, ends in (
                ("change", whole[:, at], drawn[:, :, at]),
                ("excess_change", whole[:, at] - floors[:, at], excess[:, :, at]),
            ):
                first = place == 0
                row |= _with_ends(
                    f"{name}_{kind}", None if first else value[place] - value[0], ends[:, place] - ends[:, 0]
                )
        rows.append(row)
    return rows


def _drawn(scores: Sequence[SampleScores], resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Resampled numbers, and their excess over those of the same samples dealt out once, [resamples, models, numbers]."""
    import numpy as np

    generator = np.random.default_rng([seed, PAIRED])
    count = len(scores[0].templates)
    shape = (resamples, len(scores), len(NAMES))
    drawn, excess = np.zeros(shape), np.zeros(shape)
    for number in range(resamples):
        progress("drawing samples again", number, resamples)
        chosen = generator.integers(count, size=count)
        for place, of in enumerate(scores):
            again = [resampled(of.templates[at], generator) for at in chosen]
            made: FairnessNumbers = numbers(of, again)
            floor = numbers(of, [dealt_once(cells, generator) for cells in again])
            drawn[number, place] = made.whole[: len(NAMES)]
            excess[number, place] = drawn[number, place] - floor.whole[: len(NAMES)]
    return drawn, excess


def _with_ends(name: str, value: float | None, drawn: Floats, least: float | None = None) -> Mapping[str, float | None]:
    """A number with its interval, shifted to lie about the number, as resampling adds the noise of small samples again."""
    import numpy as np

    drawn = drawn[~np.isnan(drawn)]  # where no template drawn has all values there is no G.F.
    value = None if value is None else _number(value)
    if value is None or not len(drawn):
        return {name: value, f"{name}_low": None, f"{name}_high": None}
    low, high = (end - float(drawn.mean()) + value for end in percentiles(drawn))
    if least is not None:
        low, high = max(low, least), max(high, least)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
