"""Options of a training of a language model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName

TEXT, COMET = "text", "comet"
KINDS = (TEXT, COMET)
NEW = "new:"
"""Before the size of a model that begins with random weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How a model is trained.

    Attributes:
        epochs: at most. patience: epochs without a better measure on what is held out after which training stops.
        batch: pieces of text per step.
        learning_rate: its peak; it rises over the share ``warm`` of the steps and falls to 0 at the last.
        context: tokens that the model sees at once.
        vocabulary: tokens of a new tokenizer; 0 for that of the size.
        seed: of new weights, order and dropout.
    """

    epochs: int = 10
    patience: int = 2
    batch: int = 16
    learning_rate: float = 1e-3
    warm: float = 0.05
    context: int = 128
    vocabulary: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate < math.inf:
            raise BadName("learning rate", str(self.learning_rate), "is not valid: give a number above 0, such as 5e-5")

    def facts(self) -> dict[str, Any]:
        """The options as JSON."""
        return asdict(self)

    def rate(self, step: int, steps: int) -> float:
        """The learning rate of a step, counted from 0 over all epochs.

        Args:
            steps: of an epoch.
        """
        every = steps * self.epochs
        first = max(1, round(every * self.warm))
        share = (step + 1) / first if step < first else (every - step) / max(1, every - first)
        return self.learning_rate * share


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Steps):
    """Options of a training of a language model; see ``recipe_for`` for its defaults.

    Attributes:
        kind: ``text`` learns every token, ``comet`` the tails of triples alone; a batch is of windows or of triples.
        accumulate: pieces of a batch, whose gradients are added, to save memory.
        held_out: share of the texts that is not trained on.
    """

    kind: str = TEXT
    accumulate: int = 1
    held_out: float = 0.1

    def __post_init__(self) -> None:
        Steps.__post_init__(self)
        if self.kind not in KINDS:
            raise BadName("kind", self.kind, f"is none of {', '.join(KINDS)}")
        if not 0 < self.held_out < 1:
            raise BadName("held-out share", f"{self.held_out:g}", "leaves nothing to train on, or nothing to judge on")


def recipe_for(kind: str, model: str, given: Mapping[str, Any]) -> Recipe:
    """The recipe with the options that the user gave, and the defaults for the others.

    For a model by name trained as a COMeT they are ``config_0`` of its authors: batches of 64, a learning rate of 1e-5 that
    rises over 0.2 % of the steps, and 64 epochs, which on ConceptNet-100K are their 100,000 steps. A new model needs a higher
    rate.

    Args:
        given: options by name; None for the default.

    Raises:
        BadName: an option is not valid.
    """
    new = model.startswith(NEW)
    defaults: dict[str, Any] = {"learning_rate": 1e-3 if new else 5e-5, "epochs": 10 if new else 3}
    if kind == COMET:
        defaults |= {"batch": 64, "context": 64, "held_out": 0.05}
        if not new:
            defaults |= {"learning_rate": 1e-5, "warm": 0.002, "epochs": 64}
    return Recipe(**{"kind": kind} | defaults | {name: value for name, value in given.items() if value is not None})
