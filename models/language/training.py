"""A causal language model as a task of the training loop. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from harmgraph.models.language.cross_entropies import cross_entropies
from harmgraph.models.language.judging.perplexity import nats, perplexity
from harmgraph.models.language.sequences import batch_of
from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep, by_length

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from harmgraph.models.language.recipe import LanguageRecipe
    from harmgraph.models.language.sequences import Tokens

    Numbers = np.ndarray[Any, Any]

Piece = tuple["Tokens", ...]


@dataclass(slots=True)
class LanguageTask:
    """Training of a language model; see ``models.text.finetuning.Task``.

    The measure is the negative of the nats a token on the held-out texts; with each epoch stands their ``perplexity``.
    """

    model: PreTrainedModel
    train: Sequence[Tokens]
    valid: Sequence[Tokens]
    recipe: LanguageRecipe
    precision: str = "fp32"

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self.precision = precision
        return self._steps

    def steps(self, number: int) -> Iterator[OptimiserStep[Piece]]:
        """See ``Task.steps``."""
        recipe = self.recipe
        generator = np.random.default_rng([recipe.seed, number])
        order = generator.permutation(len(self.train))
        lengths = np.array([len(self.train[place].ids) for place in order.tolist()])
        for done, places in enumerate(by_length(order, lengths, recipe.batch, generator)):
            batch = [self.train[place] for place in places.tolist()]
            size = math.ceil(len(batch) / recipe.accumulate)
            pieces = [tuple(batch[first : first + size]) for first in range(0, len(batch), size)]
            predicted = sum(tokens.predicted for tokens in batch)
            yield OptimiserStep(pieces, predicted, recipe.rate(number * self._steps + done, self._steps), predicted)

    def loss(self, piece: Piece) -> torch.Tensor:
        """The sum of the cross-entropies of the predicted tokens."""
        ids, labels = batch_of(piece, self.model.device)
        with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.precision == "bf16"):
            return cross_entropies(self.model, ids, labels)[0].sum()

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        lost = nats(self.model, self.valid, self.recipe.context)
        mean = float(lost.sum()) / sum(tokens.predicted for tokens in self.valid)
        return HeldOutVerdict(-mean, {"perplexity": perplexity(mean)})

    @property
    def _steps(self) -> int:
        return math.ceil(len(self.train) / self.recipe.batch)
