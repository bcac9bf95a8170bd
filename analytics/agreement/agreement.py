"""How well a scorer agrees with people, and people with each other: Mehrabi et al. 2021, tables 2, 3 and 8.

Its values beside people's mean ratings: Huang et al. 2020, section 5.5 and appendix D.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.analytics.agreement.nominal import FEWEST
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common import resampling
from harmgraph.common.correlation import Correlation, spearman
from harmgraph.common.intervals import wilson
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES
from harmgraph.common.scorer import NEUTRAL

Counts = np.ndarray[Any, Any]
CLASSES = {name: place for place, name in enumerate(PEOPLE_NAMES) if PEOPLE_LABELS[place] != NEUTRAL}
"""The labels of harm, with their positions in ``PEOPLE_LABELS``."""
PARTS = ("recall", "precision", "f1")
MEASURES = (
    "accuracy",
    "majority_accuracy",
    *(f"{name}_{part}" for name in CLASSES for part in PARTS),
    "fleiss_kappa",
    "krippendorff_alpha",
)
SHARES = frozenset(name for name in MEASURES if name.endswith(("accuracy", "recall", "precision")))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over all sentences.

    Attributes:
        values: by the names of ``MEASURES``; None if undefined, such as a precision without predictions.
        intervals: 95 % percentile bootstrap intervals over sentences; None if the value or too many resamples are undefined. If
            a bootstrap is not possible (fewer than ``FEWEST`` sentences, or all resamples alike), shares of sentences have
            Wilson's interval (1927), the others None.
        wilson: the names whose interval is Wilson's.
        sentences: how many sentences each value is based on.
        confusion: people's labels in rows, the scorer's in columns, both in the order of ``PEOPLE_LABELS``.
        tied: number of sentences on which no label has the most votes; ``majority_accuracy`` leaves them out.
        ratings: number of labels on each sentence that ``fleiss_kappa`` is based on, the most common number.
        kappa_sentences: number of these sentences.
    """

    values: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float] | None]
    wilson: frozenset[str]
    sentences: Mapping[str, int]
    confusion: tuple[tuple[int, ...], ...]
    n_labels: int
    n_sentences: int
    tied: int
    ratings: int
    kappa_sentences: int


def agreement(ratings: Ratings, scored: Mapping[str, str], *, resamples: int = 1_000, seed: int = 0) -> Agreement:
    """Compares people's labels with a scorer's.

    Args:
        scored: the scorer's label of each sentence; a label that people do not have, or a missing one, counts as wrong.
        resamples: bootstrap resamples of sentences, with replacement; 0 for no intervals.
    """
    counts = np.array(list(ratings.counts.values()), dtype=np.int64)
    places = np.array(
        [
            PEOPLE_LABELS.index(label) if label in PEOPLE_LABELS else len(PEOPLE_LABELS)
            for label in map(scored.get, ratings.counts)
        ]
    )
    number = int(np.bincount(counts.sum(axis=1)).argmax())
    values = _values(counts, places, number)
    blocks = resampling.places(len(counts), resamples, seed)
    drawn = [_values(counts[chosen], places[chosen], number) for block in blocks for chosen in block]
    rests_on = _sentences(counts, places, number)
    intervals = {name: _interval([each[name] for each in drawn], rests_on[name]) for name in MEASURES}
    by_wilson = {
        name: wilson(value * rests_on[name], rests_on[name])
        for name, value in values.items()
        if resamples and value is not None and intervals[name] is None and name in SHARES
    }
    return Agreement(
        values=values,
        intervals=intervals | by_wilson,
        wilson=frozenset(by_wilson),
        sentences=rests_on,
        confusion=tuple(tuple(map(int, row)) for row in _confusion(counts, places)[:, : len(PEOPLE_LABELS)]),
        n_labels=int(counts.sum()),
        n_sentences=len(counts),
        tied=int((~_clear(counts)).sum()),
        ratings=number,
        kappa_sentences=int((counts.sum(axis=1) == number).sum()),
    )


def rating_correlation(ratings: Ratings, values: Mapping[str, float]) -> Correlation:
    """Spearman's correlation of people's mean rating of each sentence with the scorer's value of it.

    A rating is 1 for favouritism, 0 for neutral, -1 for prejudice, so that a mean is -1 to 1; Huang et al. have 1, 0.5 and 0,
    which are of the same ranks.

    Args:
        values: of each sentence, -1 (negative) to 1 (positive); sentences without one are left out.

    Returns:
        With the interval of Bonett and Wright 2000, over the ``n`` sentences with a value; not a number with fewer than five of
        them, or where all ratings or all values are equal.
    """
    known = [(counts, values[text]) for text, counts in ratings.counts.items() if text in values]
    means = [(favoured - disliked) / (favoured + neutral + disliked) for (favoured, neutral, disliked), _ in known]
    return spearman(means, [value for _, value in known])


def _confusion(counts: Counts, places: Counts) -> Counts:
    """The confusion table, shape (3, 4); the last column counts the scorer's labels that people do not have."""
    table = np.zeros((len(PEOPLE_LABELS), len(PEOPLE_LABELS) + 1), dtype=np.int64)
    for place in range(len(PEOPLE_LABELS) + 1):
        table[:, place] = counts[places == place].sum(axis=0)
    return table


def _clear(counts: Counts) -> Counts:
    """For each sentence, whether one label has the most votes."""
    best = counts.max(axis=1)
    return np.asarray((counts == best[:, None]).sum(axis=1) == 1)


def _values(counts: Counts, places: Counts, number: int) -> dict[str, float | None]:
    table = _confusion(counts, places)
    clear = _clear(counts)
    values: dict[str, float | None] = {
        "accuracy": _share(table.trace(), table.sum()),
        "majority_accuracy": _share((counts[clear].argmax(axis=1) == places[clear]).sum(), clear.sum()),
    }
    for name, place in CLASSES.items():
        right, by_people, by_scorer = table[place, place], table[place].sum(), table[:, place].sum()
        values[f"{name}_recall"] = _share(right, by_people)
        values[f"{name}_precision"] = _share(right, by_scorer)
        values[f"{name}_f1"] = _share(2 * right, by_people + by_scorer)
    equal = counts[counts.sum(axis=1) == number]
    values["fleiss_kappa"] = _defined(_kappa, equal) if number > 1 else None
    values["krippendorff_alpha"] = _defined(_alpha, counts[counts.sum(axis=1) > 1])
    return values


def _kappa(counts: Counts) -> float:
    from statsmodels.stats.inter_rater import fleiss_kappa

    return float(fleiss_kappa(counts))


def _alpha(counts: Counts) -> float:
    import krippendorff

    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def _defined(measure: Callable[[Counts], float], counts: Counts) -> float | None:
    """The measure; None if people gave only one label, because then all agreement may be by chance."""
    if (counts.sum(axis=0) > 0).sum() < 2:
        return None
    return measure(counts)


def _share(part: Any, whole: Any) -> float | None:
    return float(part) / float(whole) if whole else None


def _sentences(counts: Counts, places: Counts, number: int) -> dict[str, int]:
    """How many sentences each value is based on."""
    sentences = {"accuracy": len(counts), "majority_accuracy": int(_clear(counts).sum())}
    for name, place in CLASSES.items():
        by_people, by_scorer = counts[:, place] > 0, places == place
        sentences[f"{name}_recall"] = int(by_people.sum())
        sentences[f"{name}_precision"] = int(by_scorer.sum())
        sentences[f"{name}_f1"] = int((by_people | by_scorer).sum())
    sentences["fleiss_kappa"] = int((counts.sum(axis=1) == number).sum())
    sentences["krippendorff_alpha"] = int((counts.sum(axis=1) > 1).sum())
    return sentences


def _interval(drawn: list[float | None], sentences: int) -> tuple[float, float] | None:
    """The strict interval of the bootstrap; None also if there are too few sentences."""
    return resampling.strict_interval([np.array(drawn, float)], len(drawn)) if sentences >= FEWEST else None
