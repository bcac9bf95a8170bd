"""Precision, recall and F1 of the variables of a frame, with intervals over posts (Sap et al. 2020, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.frames import VARIABLES, binary
from harmgraph.common.intervals import percentiles

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.frames.frame import Frame
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
        precision_low, precision_high and so on: 95 % intervals from resampled posts; None for fewer than ``FEWEST``.
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
        for column in range(3):
            defined = drawn[~np.isnan(drawn[:, column]), column]
            if not np.isnan(values[column]) and len(defined):
                ends[2 * column : 2 * column + 2] = percentiles(defined)
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


def _ratios(sums: Numbers) -> Numbers:
    """Precision, recall and F1 of sums of hits, positive and said, [rows, 3]; nan where they are not defined."""
    import numpy as np

    hits, positive, said = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = np.where(positive > 0, 2 * hits / (positive + said), np.nan)
        return np.column_stack([hits / said, hits / positive, f1])
