"""Options of a training of a populator."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.models.population.neighbours import DIRECTIONS

SEPARATORS = ("sep", "none", "added")
FILTERS = ("both", "influence", "agreement", "none")
PSEUDO = ("teacher", "candidates", "plausible_above", "implausible_below", "filters", "passes", "pseudo_epochs")
"""The options of a model that learns from pseudo-labels."""
SPECIAL = ("neighbours", "drawn", "judged", "separators", "as_released", *PSEUDO)
"""Options that only some models have."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Options of a training; the defaults are those of Fang et al. 2021, section 6.2 and C.1, where it has them.

    Attributes:
        neighbours: ``out`` is equation (1) of C.2, ``both`` is equation (2).
        drawn: neighbours drawn of each node in each step.
        judged: neighbours of each node in an evaluation, drawn with the seed; 0 for all.
        separators: between the texts of a passage: ``sep`` the encoder's own as in section 6.1, ``none`` as in the code
            released with it, ``added`` a new token, as are the relations, as in the code of 2022.
        as_released: the neighbours as in the code released with the paper.
        frozen: train only the output layer.
        epochs: at most. patience: epochs without a better AUC on the valid examples after which training stops.
        batch: triples per step. accumulate: pieces of a batch, whose gradients are added, to save memory.
        tokens: at most in a passage; of the rest the longest text is cut.
        seed: of draws, order, dropout and the output layer.
        teacher: name of the populator that labels candidates, and from which training goes on.
        candidates: path of the unlabelled triples.
        plausible_above, implausible_below: probabilities from which on the teacher's label is taken.
        filters: of the labels: by influence on the loss of the valid triples, by agreement under dropout.
        passes: with dropout, all of which must agree.
        pseudo_epochs: the first of the epochs, on candidates; the others are on the labelled triples.
    """

    neighbours: str = "both"
    drawn: int = 4
    judged: int = 4
    separators: str = "sep"
    as_released: bool = False
    frozen: bool = False
    epochs: int = 3
    patience: int = 2
    batch: int = 32
    accumulate: int = 1
    learning_rate: float = 5e-5
    tokens: int = 64
    seed: int = 0
    teacher: str = ""
    candidates: str = ""
    plausible_above: float = 0.9
    implausible_below: float = 0.1
    filters: str = "both"
    passes: int = 5
    pseudo_epochs: int = 1

    def __post_init__(self) -> None:
        if self.neighbours not in DIRECTIONS:
            raise BadName("neighbours", self.neighbours, f"is none of {', '.join(DIRECTIONS)}")
        if self.separators not in SEPARATORS:
            raise BadName("separators", self.separators, f"is none of {', '.join(SEPARATORS)}")
        if self.filters not in FILTERS:
            raise BadName("filters", self.filters, f"is none of {', '.join(FILTERS)}")
        if not 0 <= self.implausible_below < self.plausible_above <= 1:
            raise BadName(
                "thresholds",
                f"{self.implausible_below:g} and {self.plausible_above:g}",
                "are not probabilities, the one for implausible below the other",
            )
        if self.teacher and self.pseudo_epochs >= self.epochs:
            raise BadName(
                "epochs", str(self.epochs), "leave none for the labelled triples: give more than --pseudo-epochs"
            )
        if not 0 < self.learning_rate < math.inf:
            raise BadName("learning rate", str(self.learning_rate), "is not valid: give a number above 0, such as 5e-5")

    def special(self) -> tuple[str, ...]:
        """The options that only some models have and that are not at their defaults."""
        plain = Recipe()
        return tuple(name for name in SPECIAL if getattr(self, name) != getattr(plain, name))

    def lasting(self) -> dict[str, Any]:
        """What makes two trainings the same; more epochs continue a training."""
        return {name: value for name, value in asdict(self).items() if name not in ("epochs", "patience")}
