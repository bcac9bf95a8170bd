"""The words and numbers that files and models use for the labels of a scorer."""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.graph.scorer import NEGATIVE, NEUTRAL, POSITIVE

OTHER = "other"
"""Neither positive, nor negative, nor neutral: no statistic counts it as one of them."""

LABELS = (NEGATIVE, NEUTRAL, POSITIVE, OTHER)
"""In the order in which models that are trained here number them."""

WORDS: Mapping[str, str] = {
    "-1": NEGATIVE,
    "0": NEUTRAL,
    "1": POSITIVE,
    "+1": POSITIVE,
    "2": OTHER,
    "neg": NEGATIVE,
    "neu": NEUTRAL,
    "pos": POSITIVE,
    "prejudice": NEGATIVE,
    "favouritism": POSITIVE,
    "favoritism": POSITIVE,
    **{label: label for label in LABELS},
}
"""Regard's own numbers (Sheng et al. 2019) and the words that classifiers go by."""


def label_of(word: str) -> str | None:
    """The label that a word or number stands for, in any case; None where it stands for none."""
    return WORDS.get(word.strip().lower())
