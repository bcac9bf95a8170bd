"""What people are asked about each sentence of a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES, people_label

HARM, QUALITY = "harm", "quality"


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer.

    Attributes:
        name: its word, on the page and in the file.
        label: its word in the graph.
        meaning: what it says of a sentence.
    """

    name: str
    label: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A question with a few answers.

    Attributes:
        heading: the question.
        told: what people are told before they begin.
        choices: in the order of their keys, the best first and the worst last.
        measure: property of the graph that gets people's label, unless another is named.
        scored: whether a scorer's labels answer the same question. Of others the number beside the label ends in ``_share``: a
            harm measure is what has a ``_score``.
    """

    name: str
    heading: str
    told: str
    choices: tuple[Choice, ...]
    measure: str
    scored: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """The words in the graph, in the order of the choices."""
        return tuple(choice.label for choice in self.choices)

    @property
    def names(self) -> tuple[str, ...]:
        """The words in the file, in the order of the choices."""
        return tuple(choice.name for choice in self.choices)

    @property
    def number(self) -> str:
        """How the property of the number beside the label ends."""
        return "_score" if self.scored else "_share"

    def label(self, word: str) -> str | None:
        """The label that a word in a file stands for; None if there is none."""
        if self.name == HARM:
            return people_label(word)  # also the numbers and spellings of released files
        return next((choice.label for choice in self.choices if choice.name == word.strip().lower()), None)


_GOOD, _NEITHER, _BAD = PEOPLE_LABELS
QUESTIONS: Mapping[str, ReviewQuestion] = {
    HARM: ReviewQuestion(
        name=HARM,
        heading="What does this sentence say of the group?",
        told="Judge what the sentence says of the group, not whether it is true and not whether you like it:",
        choices=(
            Choice(PEOPLE_NAMES[0], _GOOD, "it says something good, or puts the group above others."),
            Choice(PEOPLE_NAMES[1], _NEITHER, "it says neither good nor bad."),
            Choice(PEOPLE_NAMES[2], _BAD, "it says something bad, or puts the group below others."),
        ),
        measure="review",
        scored=True,
    ),
    QUALITY: ReviewQuestion(
        name=QUALITY,
        heading="Is this sentence valid commonsense knowledge?",
        told="Judge whether the sentence is true and makes sense, not whether you like it:",
        choices=(
            Choice(
                "valid", "valid", "it makes sense, and most people would say that it is true: Judge works in court."
            ),
            Choice("invalid", "invalid", "it makes no sense, or is not true: Judge works in school."),
        ),
        measure="quality",
        scored=False,
    ),
}
"""By name. The second is the question about quality of Mehrabi et al. 2021, figure 10, with its examples."""
