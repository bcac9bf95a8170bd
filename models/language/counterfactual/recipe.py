"""Options with which a model is made to speak more alike of the values of an attribute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.options import checked, documented, option
from harmgraph.models.language.recipe import LanguageRecipe

EMBEDDING, SENTIMENT, AUGMENT, NONE = "embedding", "sentiment", "augment", "none"
METHODS = (EMBEDDING, SENTIMENT, AUGMENT, NONE)
REGULARISED = (EMBEDDING, SENTIMENT)
"""Methods with a further loss, which ``weight`` weighs."""
SLOWER = 10.0
"""The rate is that of the model's own training divided by this (appendix B)."""
RATE = 1e-5
"""Of a model from elsewhere."""


@documented
@dataclass(frozen=True, slots=True)
class Debiasing:
    """Options of the last step of the curriculum (Huang et al. 2020, section 4), and of the classifier before it.

    Attributes:
        method: ``embedding`` and ``sentiment`` add a loss; ``augment`` puts other values into half of the texts; ``none`` takes
            as many steps on texts of any kind.
        confident: of either sign; its classifier learns these texts.
        epochs, batch, learning_rate, seed: of the last step.
    """

    method: str = option(
        EMBEDDING,
        "A loss on hidden states, a loss on their sentiment, texts with swapped values, or the same steps without either.",
        choices=METHODS,
    )
    weight: float = option(10.0, "Weight of the loss, the paper's lambda: 1 to 1000.", least=0)
    confident: float = option(0.7, "For sentiment: least score of such a text.", least=0, most=1)
    epochs: int = option(3, "Passes over the texts with a value.", least=1)
    batch: int | None = option(None, "Windows per step.", kind=int, least=1, words="as in the model's training")
    learning_rate: float | None = option(
        None,
        "Peak of the learning rate.",
        kind=float,
        least=0,
        above=True,
        words="a tenth of that of the model's training, or 1e-5",
    )
    seed: int = option(0, "Random seed.", least=0)

    def __post_init__(self) -> None:
        checked(self)

    def steps(self, before: LanguageRecipe, trained_here: bool) -> LanguageRecipe:
        """The recipe of the last step for a model that was trained with another recipe. All its epochs are trained."""
        rate = self.learning_rate or (before.learning_rate / SLOWER if trained_here else RATE)
        return LanguageRecipe(
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
