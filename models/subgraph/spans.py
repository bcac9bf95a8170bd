"""Spans of numbers, one after another."""

from __future__ import annotations

import numpy as np

from harmgraph.models.subgraph.split import Integers


def spans(first: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """The numbers of some spans.

    Args:
        first: the first number of each span. counts: how many it has.

    Returns:
        The span that each number is of, and the numbers, [sum of counts] both.
    """
    span = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(span)) - np.repeat(np.cumsum(counts) - counts, counts)
    return span, first[span] + within
