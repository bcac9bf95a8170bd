"""Other scorers whose labels and values a scorer learns from, beside what an encoder makes of a text."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import BadName, InputError
from harmgraph.common.label_words import PEOPLE_LABELS
from harmgraph.common.scorer import Score, Scorer, scorers

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

NONE = "none"
SAID = (*PEOPLE_LABELS, NONE)
"""What a teacher can say of a text. Another label counts as none."""
COLUMNS = len(SAID) + 1
LEARNT = "learnt"
"""The scorer that has teachers, which cannot be one."""


@dataclass(frozen=True, slots=True)
class Teacher:
    """A scorer with its options.

    Attributes:
        name: of the scorer. options: that differ from their defaults.
        by: its signature when it taught; empty before.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    by: str = ""

    @property
    def scorer(self) -> Scorer:
        """The scorer.

        Raises:
            UnknownMember: there is none of that name here.
        """
        return scorers.get(self.name)

    @property
    def chosen(self) -> dict[str, Any]:
        """All options of the scorer."""
        return self.scorer.chosen(self.options)

    def signed(self) -> Teacher:
        """The teacher with the signature that it has now."""
        return Teacher(self.name, self.options, self.scorer.by(self.chosen))

    def check(self) -> None:
        """Checks that it says the same as when it taught.

        Raises:
            InputError: its version or its model is another one.
        """
        now = self.scorer.by(self.chosen)
        if now != self.by:
            raise InputError(f"it learnt from {self.by}, which is {now} now", remedy="train it again with --again")

    def says(self, texts: Sequence[str]) -> list[Score | None]:
        """Its score of each text."""
        return list(self.scorer.scores(texts, self.chosen))


def read_teachers(given: Iterable[str]) -> tuple[Teacher, ...]:
    """Teachers from ``vader`` and from ``regard model=tone precision=fp32``: a scorer, and its options with spaces before them.

    Values with spaces are quoted as in a shell. Files and folders become absolute.

    Raises:
        UnknownMember: there is no such scorer.
        BadName: an option that it does not have, is not of the form NAME=VALUE or cannot be read, or a scorer that cannot teach.
    """
    read: list[Teacher] = []
    for text in given:
        name, *pairs = _words(text)
        if name == LEARNT or not scorers.get(name).masked:
            raise BadName("teacher", name, "cannot teach: it looks labels up, or is taught itself")
        options: dict[str, str] = {}
        for pair in pairs:
            option, equals, value = pair.partition("=")
            if not (option and equals) or option in options:
                raise BadName("teacher", text, f"has {pair!r}: give each option once, as NAME=VALUE")
            options[option.replace("-", "_")] = value
        known = scorers.get(name).located(scorers.get(name).read(options))
        teacher = Teacher(name, {option: known[option] for option in sorted(options)})
        if teacher in read:
            raise BadName("teacher", text, "is given twice")
        read.append(teacher)
    return tuple(read)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text) or [text]
    except ValueError as error:
        raise BadName("teacher", text, f"cannot be read: {error}") from error


def columns_of(said: Sequence[Score | None]) -> Numbers:
    """A teacher's value, and 1 in the column of what it says, shape [texts, ``COLUMNS``]."""
    import numpy as np

    table = np.zeros((len(said), COLUMNS))
    for row, score in enumerate(said):
        label = score.label if score and score.label in PEOPLE_LABELS else NONE
        table[row, 0] = score.value if score else 0.0
        table[row, 1 + SAID.index(label)] = 1.0
    return table


def places_of(said: Sequence[Score | None]) -> Numbers:
    """The index of each label in ``PEOPLE_LABELS``; -1 for none of them."""
    import numpy as np

    labels = [score.label if score else NONE for score in said]
    return np.array([PEOPLE_LABELS.index(label) if label in PEOPLE_LABELS else -1 for label in labels])
