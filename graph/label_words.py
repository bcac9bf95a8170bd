"""The words and numbers that files and models use for the labels of a scorer."""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.graph.scorer import NEGATIVE, NEUTRAL, POSITIVE

OTHER = "other"
"""Neither positive, nor negative, nor neutral: no statistic counts it as one of them."""

LABELS = (NEGATIVE, NEUTRAL, POSITIVE, OTHER)
"""The labels in the order in which models trained by harmgraph number them."""

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
"""Labels by the numbers of Regard (Sheng et al. 2019) and by the words that classifiers use."""


def label_of(word: str) -> str | None:
    """The label that a word or number stands for, ignoring upper and lower case; None if there is none."""
    return WORDS.get(word.strip().lower())
