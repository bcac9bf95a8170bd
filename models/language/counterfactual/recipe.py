"""Options with which a model is made to speak more alike of the values of an attribute."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.models.language.recipe import Recipe

EMBEDDING, SENTIMENT, AUGMENT, NONE = "embedding", "sentiment", "augment", "none"
METHODS = (EMBEDDING, SENTIMENT, AUGMENT, NONE)
REGULARISED = (EMBEDDING, SENTIMENT)
"""Methods with a further loss, which ``weight`` weighs."""
WEIGHT = 10.0
SLOWER = 10.0
"""The rate is that of the model's own training divided by this (appendix B)."""
RATE = 1e-5
"""Of a model from elsewhere."""


@dataclass(frozen=True, slots=True)
class Debiasing:
    """Options of the last step of the curriculum (Huang et al. 2020, section 4), and of the classifier before it.

    Attributes:
        method: ``embedding`` and ``sentiment`` add a loss; ``augment`` puts other values into half of the texts; ``none`` takes
            as many steps on texts of any kind.
        weight: of the added loss, the paper's lambda.
        confident: texts whose score is as far from 0 are learnt by the classifier.
        epochs, batch, learning_rate, seed: of the last step; None for those of the model's own training, or the defaults.
    """

    method: str = EMBEDDING
    weight: float = WEIGHT
    confident: float = 0.7
    epochs: int = 3
    batch: int | None = None
    learning_rate: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadName("method", self.method, f"is none of {', '.join(METHODS)}")
        if not 0 <= self.weight < math.inf:
            raise BadName("weight", f"{self.weight:g}", "is not valid: give 0 or more, such as 10")
        if not 0 <= self.confident <= 1:
            raise BadName("confident", f"{self.confident:g}", "is not from 0 to 1, such as 0.7")

    def steps(self, before: Recipe, trained_here: bool) -> Recipe:
        """The recipe of the last step for a model that was trained with another recipe. All its epochs are trained."""
        rate = self.learning_rate or (before.learning_rate / SLOWER if trained_here else RATE)
        return Recipe(
            epochs=self.epochs,
            patience=self.epochs,
            batch=self.batch or before.batch,
            learning_rate=rate,
            context=before.context,
            held_out=before.held_out,
            seed=self.seed,
        )

    def facts(self) -> Mapping[str, Any]:
        """The options that mean something, as JSON."""
        unused = set[str]()
        if self.method not in REGULARISED:
            unused.add("weight")
        if self.method != SENTIMENT:
            unused.add("confident")
        return {name: value for name, value in asdict(self).items() if name not in unused}
