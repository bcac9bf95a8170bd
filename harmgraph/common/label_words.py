"""The words, numbers and orders of labels.

There are three numberings: of people's labels, of Regard, and of the outputs of a classifier. In each, 2 is another label.
"""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.common.errors import BadName
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE

OTHER = "other"
"""Neither positive, nor negative, nor neutral: no statistic counts it as one of them."""

PEOPLE_LABELS = (POSITIVE, NEUTRAL, NEGATIVE)
"""The labels of people, in the order in which they are counted. Their favouritism is positive, their prejudice negative."""

PEOPLE_NAMES = ("favouritism", "neutral", "prejudice")
"""How people's labels are called (Mehrabi et al. 2021), in the same order."""

PEOPLE_NUMBERS: Mapping[str, str] = {str(number): label for number, label in enumerate(PEOPLE_LABELS, 1)}
"""People's labels by the numbers in the files of Mehrabi et al. 2021: 2 is neutral."""

CLASSIFIER_LABELS = (NEGATIVE, NEUTRAL, POSITIVE, OTHER)
"""The labels in the order of the outputs of a classifier trained by harmgraph: output 2 is positive."""

REGARD_NUMBERS: Mapping[str, str] = {"-1": NEGATIVE, "0": NEUTRAL, "1": POSITIVE, "+1": POSITIVE, "2": OTHER}
"""Labels by the numbers of Regard (Sheng et al. 2019), which examples for a training have: 2 is other."""

_WORDS: Mapping[str, str] = {
    **dict(zip(PEOPLE_NAMES, PEOPLE_LABELS, strict=True)),
    "favoritism": POSITIVE,
    **{label: label for label in PEOPLE_LABELS},
}
_PEOPLE = {**_WORDS, **PEOPLE_NUMBERS}
_CLASSIFIER = {**_WORDS, **REGARD_NUMBERS, "neg": NEGATIVE, "neu": NEUTRAL, "pos": POSITIVE, OTHER: OTHER}


def people_label(word: str) -> str | None:
    """The label that a word or number stands for in people's labels, ignoring upper and lower case; None if there is none."""
    return _PEOPLE.get(word.strip().lower())


def classifier_label(word: str) -> str | None:
    """The label that a word, or a number of Regard, stands for in examples and models; None if there is none."""
    return _CLASSIFIER.get(word.strip().lower())


def label_meanings(mapping: str) -> dict[str, str]:
    """What names of labels mean, from ``0=negative,1=positive``, by name; empty for an empty text.

    Raises:
        BadName: what a name stands for is not a label.
    """
    meanings: dict[str, str] = {}
    for pair in filter(None, mapping.split(",")):
        name, _, word = pair.partition("=")
        label = classifier_label(word)
        if label is None:
            raise BadName("label", word, f"is not one of {', '.join(CLASSIFIER_LABELS)}")
        meanings[name.strip()] = label
    return meanings
