"""A frame model as a task of the training loop. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from harmgraph.models.language.cross_entropies import cross_entropies
from harmgraph.models.language.frames.verdict import verdict
from harmgraph.models.language.judging.perplexity import judged_together
from harmgraph.models.language.sequences import batch_of
from harmgraph.models.text.finetuning import OptimiserStep, by_length

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from harmgraph.models.language.frames.generative.linearised import Linear
    from harmgraph.models.language.frames.recipe import FrameRecipe
    from harmgraph.models.text.finetuning import HeldOutVerdict

    Numbers = np.ndarray[Any, Any]

Piece = tuple["Linear", ...]


@dataclass(slots=True)
class FrameTask:
    """Training of a frame model; see ``models.text.finetuning.Task``.

    The measure is that of ``verdict``: the loss is the nats a token of the frames of the valid posts.

    Attributes:
        f1: gives the mean F1 of the valid posts; None if epochs are chosen by the loss.
    """

    model: PreTrainedModel
    train: Sequence[Linear]
    valid: Sequence[Linear]
    recipe: FrameRecipe
    f1: Callable[[], float] | None = None
    precision: str = "fp32"

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self.precision = precision
        return self._steps

    def steps(self, number: int) -> Iterator[OptimiserStep[Piece]]:
        """See ``Task.steps``."""
        generator = np.random.default_rng([self.recipe.seed, number])
        order = generator.permutation(len(self.train))
        lengths = np.array([len(self.train[place].ids) for place in order.tolist()])
        for done, places in enumerate(by_length(order, lengths, self.recipe.batch, generator)):
            batch = tuple(self.train[place] for place in places.tolist())
            learnt = sum(int(each.learnt.sum()) for each in batch)
            yield OptimiserStep([batch], learnt, self.recipe.rate(number * self._steps + done, self._steps), learnt)

    def loss(self, piece: Piece) -> torch.Tensor:
        """The sum of the cross-entropies of the learnt tokens."""
        with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.precision == "bf16"):
            ids, labels = batch_of(piece, self.model.device)
            return cross_entropies(self.model, ids, labels)[0].sum()

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        lost = sum(float(each.sum()) for _, each in judged_together(self.model, self.valid))
        mean = lost / sum(int(each.learnt.sum()) for each in self.valid)
        return verdict(mean, self.f1() if self.f1 else None)

    @property
    def _steps(self) -> int:
        return math.ceil(len(self.train) / self.recipe.batch)
