"""What a probe says where there is nothing to be found: a control without any training.

The other control, a model that is trained on a graph whose sensitive values were dealt out anew, is a model like any other: see
``cypher/subgraph/shuffled.cypher``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.graph.common.progress import Progress, silent
from harmgraph.models.probing.correlation import log_ratio, spearman
from harmgraph.models.probing.probe import Posed, Probe


@dataclass(frozen=True, slots=True)
class Control:
    """Correlations of what was drawn at random.

    Attributes:
        draws: random pairs of entities, or random groups of people, in the place of a and b.
        middle, most: median and 95th percentile of the absolute correlation.
            Not-a-number, as ``p`` is, where no correlation can be had.
        p: share of the draws, this one's own among them, whose absolute correlation is as large (Phipson and Smyth 2010).
    """

    draws: int
    middle: float
    most: float
    p: float


def control(
    probe: Probe,
    posed: Posed,
    options: Mapping[str, Any],
    *,
    draws: int,
    seed: int = 0,
    progress: Progress = silent,
) -> Control:
    """Puts what ``Probe.random`` draws in the place of a and b, and correlates with the same counts."""
    rng = np.random.default_rng(seed)
    ratios = log_ratio(posed.counts)
    own = abs(spearman(probe.scores(posed, **options).values, ratios).value)
    found = []
    for draw in range(draws):
        found.append(abs(spearman(probe.scores(probe.random(posed, rng, options), **options).values, ratios).value))
        progress("control", draw + 1, draws)
    values = np.array(found)
    if np.isnan(own) or np.isnan(values).any():  # too few objects, or all with one score
        return Control(draws, np.nan, np.nan, np.nan)
    at_least = int((values >= own).sum())
    return Control(draws, float(np.median(values)), float(np.quantile(values, 0.95)), (at_least + 1) / (draws + 1))
