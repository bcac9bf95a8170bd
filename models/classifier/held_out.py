"""Scores of a classifier on held-out examples: accuracy, and precision, recall and F1 of each label, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.intervals import percentiles, wilson
from harmgraph.common.label_words import CLASSIFIER_LABELS

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.classifier.examples import Examples, TextExample

    Counts = numpy.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class LabelScore:
    """Scores of a label, 0 to 1.

    Attributes:
        n: number of held-out examples with this label.
        f1_low, f1_high: 95 % interval; None if it cannot be computed.
    """

    label: str
    n: int
    precision: float
    recall: float
    f1: float
    f1_low: float | None
    f1_high: float | None


@dataclass(frozen=True, slots=True)
class FileScore:
    """Scores on a held-out file, 0 to 1.

    Attributes:
        file: its name. data: its SHA-256.
        n: number of examples judged.
        accuracy: the share with the right label. low, high: its 95 % interval, Wilson's.
        repeated: examples left out because their text was in the file to learn from.
        rejected: lines without an example.
        scores: of each label that it has.
    """

    file: str
    data: str
    n: int
    accuracy: float
    low: float
    high: float
    repeated: int
    rejected: int
    scores: tuple[LabelScore, ...]


def file_score(
    file: str, found: Examples, examples: Sequence[TextExample], predicted: Counts, *, seed: int = 0
) -> FileScore:
    """Compares the labels of a held-out file with predicted ones.

    Args:
        found: what the file has. examples: of it, those that are judged.
        predicted: indices into ``CLASSIFIER_LABELS``, of shape (examples,).
    """
    n = len(examples)
    right = sum(int(label) == example.label for example, label in zip(examples, predicted, strict=True))
    left_out = len(found.examples) - n
    scores = tuple(judged(examples, predicted, seed=seed))
    return FileScore(file, found.digest, n, right / n, *wilson(right, n), left_out, found.rejected, scores)


def judged(
    examples: Sequence[TextExample], predicted: Counts, *, resamples: int = 1_000, seed: int = 0
) -> list[LabelScore]:
    """Compares the labels of examples with predicted ones.

    Args:
        predicted: indices into ``CLASSIFIER_LABELS``, of shape (examples,).
        resamples: of the bootstrap, which draws whole targets, because statements about the same target are alike.
    """
    import numpy as np

    groups = [example.group for example in examples]
    each = np.zeros((len(examples), len(CLASSIFIER_LABELS), len(CLASSIFIER_LABELS)))
    each[np.arange(len(examples)), [example.label for example in examples], predicted] = 1
    tables = resampling.clustered(groups, each, sorted(set(groups)))
    blocks = resampling.places(len(tables), resamples, seed)
    drawn = np.array([_parts(tables[chosen].sum(axis=0))[2] for block in blocks for chosen in block])
    precision, recall, f1 = _parts(tables.sum(axis=0))
    scores = []
    for place, label in enumerate(CLASSIFIER_LABELS):
        n = int(tables[:, place].sum())
        if n:
            low, high = percentiles(drawn[:, place]) if resamples and len(tables) > 2 else (None, None)
            means = float(precision[place]), float(recall[place]), float(f1[place])
            scores.append(LabelScore(label, n, *means, low, high))
    return scores


def f1_by_label(wanted: Sequence[int], predicted: Counts) -> dict[str, float]:
    """F1 of each label that occurs in ``wanted``, 0 to 1.

    Args:
        wanted, predicted: indices into ``CLASSIFIER_LABELS``.
    """
    import numpy as np

    table = np.zeros((len(CLASSIFIER_LABELS), len(CLASSIFIER_LABELS)))
    np.add.at(table, (np.asarray(wanted), predicted), 1)
    f1 = _parts(table)[2]
    return {CLASSIFIER_LABELS[label]: float(f1[label]) for label in sorted(set(wanted))}


def _parts(table: Counts) -> tuple[Counts, Counts, Counts]:
    """Precision, recall and F1 of each label from a table (label, predicted label); 0 instead of a division by 0."""
    import numpy as np

    right = table.diagonal()
    predicted, actual = table.sum(axis=0), table.sum(axis=1)
    return (
        right / np.maximum(predicted, 1),
        right / np.maximum(actual, 1),
        2 * right / np.maximum(predicted + actual, 1),
    )
