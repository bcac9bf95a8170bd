"""The five variables of a social bias frame (Sap et al. 2020, section 2), which the importer and the agreement both read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

YES = 0.5
"""The least answer that counts as 1: yes (1), maybe (.5) and probably (.66) do, probably not (.33) and no (0) do not."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable.

    Attributes:
        name: its property of a post.
        column: its column in the files.
        meaning: what is asked.
        choices: the answers and their words; no answer means that it was not asked.
        agreement, alpha: pairwise agreement and Krippendorff's alpha of the annotators in the paper, section 3.2.
        percent: share of positive answers in the paper, table 3.
    """

    name: str
    column: str
    meaning: str
    choices: Mapping[float, str]
    agreement: float
    alpha: float
    percent: float

    @property
    def answers(self) -> str:
        """The property with the number of answers."""
        return f"{self.name}_answers"


_MAYBE = {0.0: "no", 0.5: "maybe", 1.0: "yes"}
_PROBABLY = {0.0: "no", 0.33: "probably not", 0.66: "probably", 1.0: "yes"}
_YES_NO = {0.0: "no", 1.0: "yes"}

VARIABLES = (
    Variable("offensive", "offensiveYN", "whether it could offend anyone", _MAYBE, 0.76, 0.51, 44.8),
    Variable("intent", "intentYN", "whether it was meant to offend", _PROBABLY, 0.75, 0.46, 43.4),
    Variable("lewd", "sexYN", "whether it is lewd or sexual", _MAYBE, 0.94, 0.62, 7.9),
    Variable("group_targeted", "whoTarget", "whether it targets a group, not one person", _YES_NO, 0.74, 0.48, 50.9),
    Variable("in_group", "speakerMinorityYN", "whether its author belongs to the group", _MAYBE, 0.94, 0.17, 4.6),
)


def binary(answer: float) -> float:
    """The answer as 0 or 1 (footnote 8 of the paper)."""
    return float(answer >= YES)


def split_groups(text: str) -> list[str]:
    """The groups that stand in a text with commas between them, each once."""
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
