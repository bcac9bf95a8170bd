"""The third step of the curriculum: a language model goes on learning, with a loss for telling values apart.

Huang et al. 2020, section 4: beside the cross-entropy of a text stands ``1 - cos`` between the hidden states after a value and
after another in its place. Imports torch at the top.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from harmgraph.models.language.counterfactual.projection import Projection, padded_ends, pooled
from harmgraph.models.language.counterfactual.recipe import AUGMENT, NONE, REGULARISED, SENTIMENT, Debiasing
from harmgraph.models.language.cross_entropies import cross_entropies
from harmgraph.models.language.judging.perplexity import nats, perplexity
from harmgraph.models.language.sequences import Tokens, batch_of
from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep, by_length

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from harmgraph.models.language.counterfactual.values import Ids, Matcher, ValuePlace
    from harmgraph.models.language.recipe import LanguageRecipe

MOST = 512
"""Held-out places at which the distance is judged."""


@dataclass(frozen=True, slots=True)
class Window:
    """A window of texts, and where values stand in it."""

    tokens: Tokens
    places: tuple[ValuePlace, ...]


@dataclass(frozen=True, slots=True)
class FairnessExample:
    """What is learnt at once.

    Attributes:
        tokens: the window. at: the last token of a value in it. other: the tokens up to there with another value; empty where
            none is exchanged.
    """

    tokens: Tokens
    at: int = 0
    other: Ids = ()


Piece = tuple[FairnessExample, ...]


def with_values(windows: Sequence[Tokens], matcher: Matcher) -> list[Window]:
    """The windows in which a value stands that the model reads, which the last token of a window is not."""
    made = []
    for tokens in windows:
        places = tuple(
            place
            for place in matcher.places(tokens.ids)
            if place.last < len(tokens.ids) and matcher.others(place.value)
        )
        if places:
            made.append(Window(tokens, places))
    return made


@dataclass(slots=True)
class FairTask:
    """Training of a language model towards equal states after the values; see ``models.text.finetuning.Task``.

    Every epoch draws a place of each window and the other value. All epochs are trained, and the last stays: the measure is
    the number of the epoch. With each stand the ``perplexity`` of the held-out texts and the ``distance`` of states on them.

    Attributes:
        every: windows with a value or without. chosen: those with one.
        projection: of the method ``sentiment``, fixed.
    """

    model: PreTrainedModel
    every: Sequence[Tokens]
    chosen: Sequence[Window]
    valid: Sequence[Tokens]
    matcher: Matcher
    recipe: LanguageRecipe
    debiasing: Debiasing
    projection: Projection | None = None
    precision: str = "fp32"
    number: int = 0
    held: list[FairnessExample] = field(default_factory=list)

    def __post_init__(self) -> None:
        from harmgraph.models.language.sequences import windows

        if self.valid:
            found = with_values(windows(self.valid, self.recipe.context), self.matcher)[:MOST]
            generator = np.random.default_rng([self.recipe.seed, 1])
            self.held = [self._exchanged(window, generator) for window in found]

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self.precision, self.number = precision, number
        return self._steps

    def steps(self, number: int) -> Iterator[OptimiserStep[Piece]]:
        """See ``Task.steps``."""
        generator = np.random.default_rng([self.recipe.seed, number])
        examples = self._examples(generator)
        order = generator.permutation(len(examples))
        lengths = np.array([len(examples[place].tokens.ids) for place in order.tolist()])
        for done, places in enumerate(by_length(order, lengths, self.recipe.batch, generator)):
            piece = tuple(examples[place] for place in places.tolist())
            predicted = sum(example.tokens.predicted for example in piece)
            yield OptimiserStep(
                [piece], predicted, self.recipe.rate(number * self._steps + done, self._steps), predicted
            )

    def loss(self, piece: Piece) -> Tensor:
        """The sum of the cross-entropies of the tokens, and the distance of each window times its tokens and the weight.

        All methods learn without dropout: with it, states after the same value would differ too, and the loss would be of that.
        """
        self.model.eval()
        ids, labels = batch_of([example.tokens for example in piece], self.model.device)
        apart = self.debiasing.method in REGULARISED and self.debiasing.weight > 0
        with self._autocast():
            each, outputs = cross_entropies(self.model, ids, labels, output_hidden_states=apart)
        lost = each.sum()
        if apart:
            assert (self.debiasing.method == SENTIMENT) == (self.projection is not None), "its classifier is missing"
            distances = self._distances(piece, outputs.hidden_states, self.projection)
            tokens = torch.tensor([example.tokens.predicted for example in piece], device=distances.device)
            lost = lost + self.debiasing.weight * (distances * tokens).sum()
        return lost

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        mean = self.nats_a_token()
        return HeldOutVerdict(float(self.number), {"perplexity": perplexity(mean), "distance": self.distance()})

    def nats_a_token(self) -> float:
        """Of the held-out texts."""
        lost = nats(self.model, self.valid, self.recipe.context)
        return float(lost.sum()) / sum(tokens.predicted for tokens in self.valid)

    def distance(self) -> float | None:
        """Mean of ``1 - cos`` of the states after a value and after another, on the held-out texts; None without a value."""
        if not self.held:
            return None
        self.model.eval()
        total = 0.0
        with torch.inference_mode():
            for first in range(0, len(self.held), self.recipe.batch):
                few = self.held[first : first + self.recipe.batch]
                ids, _ = batch_of([example.tokens for example in few], self.model.device)
                hidden = self.model(input_ids=ids, use_cache=False, output_hidden_states=True).hidden_states
                total += float(self._distances(few, hidden, None).double().sum())
        return total / len(self.held)

    def _distances(
        self, piece: Sequence[FairnessExample], hidden: Sequence[Tensor], projection: Projection | None
    ) -> Tensor:
        """``1 - cos`` of the states of each window at its place and of the others, [windows]."""
        device = self.model.device
        table, last = padded_ends([example.other for example in piece], device)
        with self._autocast():
            others = self.model(input_ids=table, use_cache=False, output_hidden_states=True, logits_to_keep=1)
        at = torch.tensor([example.at for example in piece], device=device)
        mine, other = pooled(hidden, at), pooled(others.hidden_states, last)
        if projection is not None:
            mine, other = projection(mine), projection(other)
        return 1 - torch.nn.functional.cosine_similarity(mine, other, dim=-1)

    def _examples(self, generator: np.random.Generator) -> list[FairnessExample]:
        """The examples of an epoch, as many for every method."""
        method = self.debiasing.method
        if method == NONE:
            places = generator.permutation(len(self.every))[: len(self.chosen)]
            return [FairnessExample(self.every[place]) for place in places.tolist()]
        if method == AUGMENT:
            return [
                FairnessExample(self._with_others(window, generator) if generator.random() < 0.5 else window.tokens)
                for window in self.chosen
            ]
        return [self._exchanged(window, generator) for window in self.chosen]

    def _exchanged(self, window: Window, generator: np.random.Generator) -> FairnessExample:
        place = window.places[int(generator.integers(len(window.places)))]
        others = self.matcher.others(place.value)
        other = self.matcher.exchanged(place, others[int(generator.integers(len(others)))])
        before: list[int] = window.tokens.ids[: place.first].tolist()
        # A value of more tokens may go over the context: the first tokens of the window then go.
        return FairnessExample(window.tokens, place.last - 1, (*before, *other)[-self.recipe.context :])

    def _with_others(self, window: Window, generator: np.random.Generator) -> Tokens:
        """The window with another value in each place, the same for the same value, and at most as many tokens."""
        chosen: dict[int, int] = {}
        ids: list[int] = []
        done = 0
        for place in window.places:
            others = self.matcher.others(place.value)
            if place.value not in chosen:
                chosen[place.value] = others[int(generator.integers(len(others)))]
            ids += window.tokens.ids[done : place.first].tolist()
            ids += self.matcher.exchanged(place, chosen[place.value])
            done = place.last
        ids += window.tokens.ids[done:].tolist()
        return Tokens(np.array(ids[: self.recipe.context + 1], window.tokens.ids.dtype), 1)

    def _autocast(self) -> Any:
        return torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.precision == "bf16")

    @property
    def _steps(self) -> int:
        return math.ceil(len(self.chosen) / self.recipe.batch)
