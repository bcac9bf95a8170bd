"""A scorer that learnt from people, opened from its folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harmgraph.common.errors import InputError
from harmgraph.common.label_words import PEOPLE_LABELS
from harmgraph.models.checkpoint import read_tensors
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.learnt.features import JudgingFeatures, SilverHead, TextReading
from harmgraph.models.classifier.learnt.head import Head
from harmgraph.models.classifier.learnt.learnt_record import FOLDERS, RECORDS, WEIGHTS, LearntRecord
from harmgraph.models.classifier.learnt.teacher import Teacher


@dataclass(frozen=True)
class LearntScorer:
    """A scorer that learnt from people, ready to score.

    Attributes:
        known: what is known of it. features: of texts. head: the layer.
    """

    known: LearntRecord
    features: JudgingFeatures
    head: Head

    def judge(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        """The label of each text, and P(favouritism) - P(prejudice), calibrated, -1 to 1."""
        probabilities = self.head.probabilities(self.features.table(texts))
        labels = self.head.labels(probabilities)
        values = (probabilities[:, 0] - probabilities[:, 2]).clip(-1, 1)
        return [(PEOPLE_LABELS[label], float(value)) for label, value in zip(labels, values, strict=True)]


def opened_learnt(name: str) -> LearntScorer:
    """Opens a scorer that learnt from people.

    Raises:
        UnknownMember: there is none of that name.
        UnreadableFile: its files are damaged.
        InputError: its encoder or a teacher is another one than it learnt from.
    """
    known = RECORDS.read(name)
    tensors, more = read_tensors(FOLDERS.of(name) / WEIGHTS)
    encoder = more["encoder"]
    if model_identity(encoder) != known.identity["encoder"]:
        raise InputError(
            f"it learnt from the encoder {known.identity['encoder']}, which is {model_identity(encoder)} now",
            where=name,
            remedy="install that version, or train it again with --again",
        )
    teachers = tuple(Teacher(**teacher) for teacher in known.teachers)
    for teacher in teachers:
        teacher.check()
    silver = tuple(
        SilverHead(tensors[f"silver.{number}.weights"].numpy(), tensors[f"silver.{number}.bias"].numpy())
        for number in range(len(known.silver))
    )
    up, middle, down = known.shift
    head = Head(tensors["weights"].numpy(), tensors["bias"].numpy(), known.temperature, (up, middle, down))
    return LearntScorer(known, JudgingFeatures(TextReading(encoder), teachers, silver), head)
