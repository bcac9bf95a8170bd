"""What is known of a scorer that learnt from people, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.classifier.learnt.three_numbers import PeopleScore
from harmgraph.models.classifier.scorer_folders import ScorerFolders
from harmgraph.models.record import FINISHED, Records
from harmgraph.models.text.encoder import PEOPLE

FACTS = PEOPLE
WEIGHTS = "head.safetensors"


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """How often people gave a label where the scorer's probability of it was between two ends.

    Attributes:
        label: one of ``PEOPLE_NAMES``. least, most: the ends.
        n: sentences. said: the mean probability. people: the share of people's labels that are this one.
    """

    label: str
    least: float
    most: float
    n: int
    said: float
    people: float


@dataclass(frozen=True, slots=True)
class SilverSource:
    """A file of silver labels, and how many examples of it were learnt."""

    file: str
    examples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntRecord:
    """What is known of a scorer that learnt from people: ``people.json``.

    Attributes:
        identity: everything that determines the result.
        files: of people's labels, and of silver ones.
        sentences, labels, targets: that people judged.
        teachers: their signatures and options.
        scores: of this scorer, of each teacher, and of people with each other. Of this scorer by targets that it did not learn.
        gains: how much better it is than each of the others.
        error, error_before: how far the probabilities are from people's shares, with and without the temperature; see
            ``calibration_error``.
    """

    name: str
    identity: Mapping[str, Any]
    files: tuple[str, ...]
    sentences: int
    labels: int
    targets: int
    teachers: tuple[Mapping[str, Any], ...] = ()
    silver: tuple[SilverSource, ...] = ()
    strength: float = 0.0
    temperature: float = 1.0
    shift: tuple[float, ...] = ()
    scores: tuple[PeopleScore, ...] = ()
    gains: tuple[PeopleScore, ...] = ()
    calibration: tuple[CalibrationRow, ...] = ()
    error: float = 0.0
    error_before: float = 0.0
    precision: str = "fp32"
    versions: Mapping[str, str] = field(default_factory=dict)
    trained_at: str = ""

    @property
    def state(self) -> str:
        """``finished`` of every one that has a folder."""
        return FINISHED


FOLDERS = ScorerFolders("scorers", "scorer", FACTS, "trains or removes")
RECORDS = Records(
    FOLDERS,
    LearntRecord,
    "scorer train",
    unknown="scorer of people's labels",
    damaged=lambda path, _: UnreadableFile(path, "is damaged", remedy="train it again with --again"),
    other=lambda place: InputError(
        "a scorer of this name was trained on other labels or with other options",
        where=str(place),
        remedy="choose another name, or train it again with --again",
    ),
)


def signature(name: str) -> str:
    """Its name and the digest of all that it learnt from, as labels record them.

    Raises:
        UnknownMember: there is none of that name.
        UnreadableFile: it is damaged.
    """
    return f"{name}@{RECORDS.read(name).identity['digest'][:12]}"
