"""Options of a training of a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.options import checked, documented, option

TEXT, COMET = "text", "comet"
KINDS = (TEXT, COMET)
NEW = "new:"
"""Before the size of a model that begins with random weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How a model is trained; the kinds of models have defaults of their own.

    Attributes:
        learning_rate: it rises over the share ``warm`` of the steps and falls to 0 at the last.
        seed: of new weights, order and dropout.
    """

    epochs: int
    patience: int
    batch: int
    learning_rate: float
    warm: float = 0.05
    context: int
    vocabulary: int = option(0, "Tokens of a new tokenizer.", least=300, words="by its size")
    seed: int = option(0, "Random seed.", least=0)

    def __post_init__(self) -> None:
        checked(self)

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


@documented
@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRecipe(Steps):
    """Options of a training of a language model; see ``recipe_for`` for its defaults.

    Attributes:
        kind: ``text`` learns every token; of a ``comet`` a batch is of triples.
        accumulate: the gradients of the pieces are added.
    """

    epochs: int = option(10, "Maximum epochs.", least=1, words="new 10, others 3; comet 64")
    patience: int = option(2, "Stop after this many epochs without a better held-out perplexity.", least=1)
    batch: int = option(16, "Windows or triples per step.", least=1, words="16; comet: 64")
    learning_rate: float = option(
        1e-3, "Peak of the learning rate.", least=0, above=True, words="new 1e-3, others 5e-5; comet 1e-5"
    )
    context: int = option(128, "Tokens seen at once.", least=8, words="128; comet: 64")
    seed: int = option(0, "Random seed, with --seeds of the first model.", least=0)
    kind: str = option(
        TEXT, "text learns whole texts. comet learns only the tails of a source's triples.", choices=KINDS, flag="as"
    )
    accumulate: int = option(1, "Compute each step in this many pieces, to save memory.", least=1)
    held_out: float = option(0.1, "Share of the texts to hold out. A hash chooses them.", words="0.1; comet: 0.05")

    def __post_init__(self) -> None:
        checked(self)
        if not 0 < self.held_out < 1:
            raise BadName("held-out share", f"{self.held_out:g}", "leaves nothing to train on, or nothing to judge on")


def recipe_for(kind: str, model: str, given: Mapping[str, Any]) -> LanguageRecipe:
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
    return LanguageRecipe(
        **{"kind": kind} | defaults | {name: value for name, value in given.items() if value is not None}
    )
