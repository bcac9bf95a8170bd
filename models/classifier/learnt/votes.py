"""People's labels of sentences, as a scorer learns them: how often each label was given, and whom the sentence is about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.label_words import PEOPLE_LABELS

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A sentence that people judged.

    Attributes:
        text: the sentence, masked.
        votes: how often each label of ``PEOPLE_LABELS`` was given.
        about: the targets that it is about; the text itself where nobody knows them. Sentences that share a target are never
            on both sides of a split.
    """

    text: str
    votes: tuple[int, int, int]
    about: tuple[str, ...]

    @property
    def first(self) -> str:
        """The target by which it is put into a part, or drawn again."""
        return self.about[0]


def votes_of(examples: Sequence[JudgedText]) -> Numbers:
    """The votes, shape [examples, 3]."""
    import numpy as np

    return np.array([example.votes for example in examples], dtype=np.float64).reshape(-1, len(PEOPLE_LABELS))


def digest(examples: Sequence[JudgedText]) -> str:
    """SHA-256 of the examples, whatever their order."""
    rows = sorted([example.text, *example.votes, *example.about] for example in examples)
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def people_with_each_other(votes: Numbers) -> Numbers:
    """One person's labels against another's: every ordered pair of labels of one sentence, shape [examples, 3, 4].

    Sentences with one label have no pair.
    """
    import numpy as np

    pairs = votes[:, :, None] * votes[:, None, :]
    places = np.arange(votes.shape[1])
    pairs[:, places, places] -= votes
    return np.pad(pairs, ((0, 0), (0, 0), (0, 1)))


def confusion(votes: Numbers, labels: Numbers) -> Numbers:
    """People's labels (rows) by a scorer's (columns), of each sentence, shape [examples, 3, 4].

    Args:
        labels: indices into ``PEOPLE_LABELS``; -1 for no opinion or another label. It is the last column, and counts as wrong.
    """
    import numpy as np

    table = np.zeros((len(votes), votes.shape[1], votes.shape[1] + 1))
    table[np.arange(len(votes)), :, labels] = votes
    return table
