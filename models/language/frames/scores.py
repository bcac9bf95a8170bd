"""Precision, recall and F1 of the variables of a frame, with intervals over posts (Sap et al. 2020, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.frames import VARIABLES, binary
from harmgraph.common.intervals import percentiles, wilson
from harmgraph.models.language.frames.frame import Frame

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.frames.posts import Post

    Numbers = numpy.ndarray[Any, Any]

DRAWS = 1_000
FEWEST = 20
"""Posts below which no interval is given: it would be too narrow."""


@dataclass(frozen=True, slots=True)
class VariableScore:
    """How well a variable is predicted.

    Attributes:
        model: whose. posts: those whose annotators were asked. positive, said: of them, those where the mean of the answers is at
            least one half, and those that the model says.
        precision: None where the model never says yes. recall, f1: None where no post is positive.
        precision_low, precision_high and so on: 95 % intervals from resampled posts; None for fewer than ``FEWEST``. Of none or
            all of them, Wilson's interval: there every resample gives the same. F1 is then ``2 s / (1 + s)``, with s the share of
            hits among the posts that are positive or said.
        of: the part of the posts, see ``slices``; ``all`` for all of them.
    """

    model: str
    variable: str
    posts: int
    positive: int
    said: int
    precision: float | None
    precision_low: float | None
    precision_high: float | None
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    f1: float | None
    f1_low: float | None
    f1_high: float | None
    of: str = "all"

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


ALWAYS = "always yes"
LITTLE = 1e-9  # less than two F1 differ by


def always_yes(posts: Sequence[Post], *, draws: int = DRAWS, seed: int = 0) -> list[VariableScore]:
    """The scores of what says yes to everything. A model that knows something has a higher F1."""
    yes = (1.0,) * len(VARIABLES)
    rows = variable_scores(ALWAYS, posts, [Frame(yes, yes)] * len(posts), draws=draws, seed=seed)
    return [replace(row, recall_low=None, recall_high=None) for row in rows]  # 1 by what it is, not by these posts


def variable_scores(
    model: str, posts: Sequence[Post], frames: Sequence[Frame], *, draws: int = DRAWS, seed: int = 0
) -> list[VariableScore]:
    """A row for each variable. One that a model leaves out of a frame counts as no.

    A post that stands here twice, as in the test parts of two splits, is drawn with both of its frames or with none.

    Args:
        draws: resamples of posts; 0 for no intervals.
    """
    rows = []
    for place, variable in enumerate(VARIABLES):
        pairs = [
            (post.text, binary(post.means[place] or 0.0), frame.values[place] or 0.0)
            for post, frame in zip(posts, frames, strict=True)
            if post.means[place] is not None
        ]
        rows.append(_score(model, variable.name, pairs, draws, seed))
    return rows


def mean_f1(posts: Sequence[Post], frames: Sequence[Frame]) -> float:
    """The mean F1 of the variables of which some post is positive, by which the paper chooses its models (section 4.2)."""
    found = [row.f1 for row in variable_scores("", posts, frames, draws=0) if row.f1 is not None]
    return sum(found) / max(1, len(found))


def by_f1(f1: float, loss: float) -> float:
    """The measure of an epoch that is chosen by F1: of equal F1, the lower loss counts.

    A model that does not say yes yet has an F1 of 0 for some epochs, in which it learns.
    """
    return f1 - LITTLE * loss


def _score(
    model: str, variable: str, pairs: Sequence[tuple[str, float, float]], draws: int, seed: int
) -> VariableScore:
    import numpy as np

    wanted = np.array([pair[1] for pair in pairs], bool)
    said = np.array([pair[2] for pair in pairs], bool)
    # Of each distinct post how often it is a hit, positive, and said.
    counts = resampling.clustered([pair[0] for pair in pairs], np.column_stack([wanted & said, wanted, said]))
    values = _ratios(counts.sum(axis=0)[None])[0]
    ends: list[float | None] = [None] * 6
    if draws and len(counts) >= FEWEST:
        drawn = np.concatenate([_ratios(times @ counts) for times in resampling.times(len(counts), draws, seed)])
        for column, value in enumerate(values.tolist()):
            defined = drawn[~np.isnan(drawn[:, column]), column]
            if np.isnan(value) or not len(defined):
                continue
            known = _of_certain(counts, column, value) if value in (0.0, 1.0) else percentiles(defined)
            ends[2 * column : 2 * column + 2] = known
    precision, recall, f1 = (None if np.isnan(value) else float(value) for value in values)
    return VariableScore(
        model,
        variable,
        len(pairs),
        int(wanted.sum()),
        int(said.sum()),
        precision=precision,
        precision_low=ends[0],
        precision_high=ends[1],
        recall=recall,
        recall_low=ends[2],
        recall_high=ends[3],
        f1=f1,
        f1_low=ends[4],
        f1_high=ends[5],
    )


def _of_certain(counts: Numbers, column: int, value: float) -> tuple[float, float]:
    """The interval of a column of ``_ratios`` that is 0 or 1, which resampling cannot give."""
    _, wanted, said = counts.T > 0
    n = int((said, wanted, wanted | said)[column].sum())
    low, high = wilson(n * value, n)
    return (low, high) if column < 2 else (2 * low / (1 + low), 2 * high / (1 + high))


def _ratios(sums: Numbers) -> Numbers:
    """Precision, recall and F1 of sums of hits, positive and said, [rows, 3]; nan where they are not defined."""
    import numpy as np

    hits, positive, said = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = np.where(positive > 0, 2 * hits / (positive + said), np.nan)
        return np.column_stack([hits / said, hits / positive, f1])
