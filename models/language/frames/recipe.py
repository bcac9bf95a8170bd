"""Options of a training of a frame model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.graph.common.errors import BadName
from harmgraph.models.language.recipe import NEW, risen_and_fallen

GENERATIVE, CLASSIFIER = "generative", "classifier"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Options of a training; see ``recipe_for`` for its defaults.

    Attributes:
        kind: ``generative`` says whole frames, ``classifier`` the five variables alone.
        epochs: at most. patience: epochs without a better loss on the valid posts after which training stops.
        batch: annotations (of a classifier, posts) per step.
        learning_rate: its peak; it rises over the share ``warm`` of the steps and falls to 0 at the last.
        context: tokens that the model sees at once. vocabulary: tokens of a new tokenizer; 0 for that of the size.
        frozen: whether only the last layer of a classifier is trained.
        fold: of the split, see ``Post.part``.
        seed: of new weights, order and dropout.
    """

    kind: str = GENERATIVE
    epochs: int = 5
    patience: int = 2
    batch: int = 4
    learning_rate: float = 1e-5
    warm: float = 0.1
    context: int = 160
    vocabulary: int = 0
    frozen: bool = False
    fold: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate < math.inf:
            raise BadName("learning rate", str(self.learning_rate), "is not valid: give a number above 0, such as 1e-5")

    def facts(self) -> dict[str, Any]:
        """The recipe as JSON."""
        return asdict(self)

    def rate(self, step: int, steps: int) -> float:
        """The learning rate of a step, counted over all epochs.

        Args:
            steps: of an epoch.
        """
        return self.learning_rate * risen_and_fallen(step, steps * self.epochs, self.warm)


def recipe_for(kind: str, model: str, given: Mapping[str, Any]) -> Recipe:
    """The recipe with the options that the user gave, and the defaults for the others.

    For a model by name they are the paper's for GPT-2: batches of 4, a learning rate of 1e-5, at most 5 epochs. New weights
    take larger batches and a higher rate.

    Args:
        given: options by name; None for the default.

    Raises:
        BadName: an option is not valid.
    """
    defaults: dict[str, Any] = {"kind": kind}
    if kind == CLASSIFIER:
        rate = 1e-3 if given.get("frozen") else 5e-5
        defaults |= {"batch": 16, "learning_rate": rate, "epochs": 20 if given.get("frozen") else 4, "context": 96}
    elif model.startswith(NEW):
        defaults |= {"batch": 32, "learning_rate": 1e-3, "epochs": 10}
    return Recipe(**defaults | {name: value for name, value in given.items() if value is not None})
