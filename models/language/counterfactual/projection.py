"""The second step of the curriculum: a perceptron that tells sentiment from hidden states. Imports torch at the top.

Huang et al. 2020, section 4 and appendix B: three layers, 128 wide, trained on texts whose sentiment a scorer is confident of,
positive and negative ones alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Linear, Module, ReLU, Sequential

from harmgraph.common.errors import InputError
from harmgraph.common.progress import notice, progress
from harmgraph.common.scorer import Scorer
from harmgraph.models.checkpoint import load_weights, read_tensors
from harmgraph.models.language.corpus import Text
from harmgraph.models.language.counterfactual.sentences import sentences
from harmgraph.models.language.sequences import end_of, prompt_ids
from harmgraph.models.text.finetuning import WEIGHTS, HeldOutVerdict, OptimiserStep, Training

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.language.sequences import Tokens

    Numbers = np.ndarray[Any, Any]

WIDTH = 128
EPOCHS, PATIENCE, BATCH, RATE = 20, 3, 64, 1e-3
HELD_OUT = 0.1
FEWEST = 10
"""Texts of a label; with fewer it cannot be learnt."""
LABELS = ("negative", "positive")
AT_ONCE = 64  # texts whose states are computed together


class Projection(Module):
    """Hidden states to the states of its second layer, [..., WIDTH], in which only sentiment should remain."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.hidden = Sequential(Linear(dimension, WIDTH), ReLU(), Linear(WIDTH, WIDTH), ReLU())
        self.output = Linear(WIDTH, len(LABELS))

    def forward(self, states: Tensor) -> Tensor:
        """The states of the second layer."""
        hidden: Tensor = self.hidden(states)
        return hidden

    def logits(self, states: Tensor) -> Tensor:
        """Of the labels, [..., 2]."""
        labels: Tensor = self.output(self.hidden(states))
        return labels


@dataclass(frozen=True, slots=True)
class LearntProjection:
    """A projection and how good it is.

    Attributes:
        texts: confident texts it was trained on. held_out: and those it was judged on.
        accuracy: on these. majority: share of their commoner label, which a guess would reach.
    """

    projection: Projection
    texts: int
    held_out: int
    accuracy: float
    majority: float

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON."""
        numbers = {"texts": self.texts, "held_out": self.held_out}
        return numbers | {"accuracy": round(self.accuracy, 4), "majority": round(self.majority, 4)}


@dataclass(slots=True)
class ProjectionTask:
    """Training of a projection on states and labels; see ``models.text.finetuning.Task``.

    The measure is the negative of the cross-entropy on the held-out texts; with each epoch stands the ``accuracy`` on them.
    """

    model: Projection
    states: Tensor
    labels: Tensor
    held_states: Tensor
    held_labels: Tensor
    seed: int

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        return math.ceil(len(self.labels) / BATCH)

    def steps(self, number: int) -> Iterator[OptimiserStep[Tensor]]:
        """See ``Task.steps``."""
        order = torch.from_numpy(np.random.default_rng([self.seed, number]).permutation(len(self.labels)))
        for places in order.split(BATCH):
            yield OptimiserStep([places], len(places), RATE, len(places))

    def loss(self, piece: Tensor) -> Tensor:
        """The sum of the cross-entropies."""
        return torch.nn.functional.cross_entropy(
            self.model.logits(self.states[piece]), self.labels[piece], reduction="sum"
        )

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        with torch.inference_mode():
            logits = self.model.logits(self.held_states)
            lost = float(torch.nn.functional.cross_entropy(logits, self.held_labels))
        accuracy = float((logits.argmax(-1) == self.held_labels).float().mean())
        return HeldOutVerdict(-lost, {"accuracy": accuracy})


def pooled(hidden: Sequence[Tensor], places: Tensor) -> Tensor:
    """The mean of the last two layers at a token of each row, [rows, dimension].

    Args:
        hidden: of every layer, [rows, tokens, dimension]. places: tokens.
    """
    rows = torch.arange(len(places), device=places.device)
    return (hidden[-2][rows, places].float() + hidden[-1][rows, places].float()) / 2


def confident_texts(
    tokenizer: PreTrainedTokenizerBase,
    read: Sequence[Tokens],
    scorer: Scorer,
    options: dict[str, Any],
    confident: float,
) -> tuple[list[str], list[int]]:
    """The distinct sentences of texts whose score is far from 0, and their labels, places in ``LABELS``.

    Raises:
        InputError: fewer than ``FEWEST`` are positive, or negative.
    """
    distinct: dict[str, None] = {}
    for sequence in read:
        text = tokenizer.decode(sequence.ids.tolist(), skip_special_tokens=True, clean_up_tokenization_spaces=False)
        distinct.update(dict.fromkeys(sentences(str(text))))
    listed, chosen, labels = list(distinct), list[str](), list[int]()
    with scorer.session(options) as session:
        session.foresee(listed)
        for first in range(0, len(listed), scorer.texts_at_once):
            progress(f"scoring sentences with {scorer.name}", first, len(listed))
            few = listed[first : first + scorer.texts_at_once]
            for text, score in zip(few, session.scores(few), strict=True):
                if score and abs(score.value) >= max(confident, 1e-9):
                    chosen.append(text)
                    labels.append(int(score.value > 0))
    for line in session.said:
        notice(line)
    for label, name in enumerate(LABELS):
        if labels.count(label) < FEWEST:
            raise InputError(
                f"{scorer.name} is confident of {labels.count(label):,} {name} sentences of {len(listed):,}, and "
                f"{FEWEST} are needed",
                remedy="lower --confident, choose another --scorer, or give more texts with --corpus",
            )
    return chosen, labels


def states_of(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    context: int,
) -> Tensor:
    """The hidden states at the last token of each text, [texts, dimension]; of a longer text at the last of the context."""
    end, ids = end_of(tokenizer), prompt_ids(tokenizer, texts)
    cut = [[end, *each][:context] for each in ids]
    order = sorted(range(len(cut)), key=lambda place: len(cut[place]))
    model.eval()
    states: Tensor | None = None
    for first in range(0, len(order), AT_ONCE):
        progress("hidden states of sentences", first, len(order))
        few = order[first : first + AT_ONCE]
        table, last = padded_ends([cut[place] for place in few], model.device)
        with torch.inference_mode():
            outputs = model(input_ids=table, use_cache=False, output_hidden_states=True, logits_to_keep=1)
            made = pooled(outputs.hidden_states, last).cpu()
        if states is None:
            states = torch.zeros(len(cut), made.shape[-1])
        states[few] = made
    assert states is not None, "there are texts"
    return states


def padded_ends(ids: Sequence[Sequence[int]], device: torch.device | str) -> tuple[Tensor, Tensor]:
    """Token ids filled up at their ends, which a causal model does not see from before, and the last token of each row."""
    table = np.zeros((len(ids), max(map(len, ids))), np.int64)
    for row, tokens in enumerate(ids):
        table[row, : len(tokens)] = tokens
    last = torch.tensor([len(tokens) - 1 for tokens in ids], device=device)
    return torch.from_numpy(table).to(device), last


def learnt(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    labels: Sequence[int],
    context: int,
    folder: Path,
    identity: str,
    seed: int,
) -> LearntProjection:
    """Trains a projection, or reads the one of an interrupted training; a tenth of the texts, by a hash, is held out."""
    states = states_of(model, tokenizer, texts, context)
    wanted = torch.tensor(labels)
    order = sorted(range(len(texts)), key=lambda place: Text(texts[place]).place)
    count = max(1, round(HELD_OUT * len(texts)))
    held, rest = torch.tensor(sorted(order[:count])), torch.tensor(sorted(order[count:]))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        projection = Projection(states.shape[-1])
    task = ProjectionTask(projection, states[rest], wanted[rest], states[held], wanted[held], seed)
    # The states are read before; what is left to compute is too little for another precision.
    loop: Training[Tensor] = Training(
        task=task,
        folder=folder,
        identity=identity,
        most=EPOCHS,
        patience=PATIENCE,
        seed=seed,
        threads=torch.get_num_threads(),
        precision="fp32",
    )
    loop.run()
    load_weights(projection, read_tensors(folder / WEIGHTS)[0])
    projection.requires_grad_(False)
    positive = float(wanted[held].float().mean())
    return LearntProjection(
        projection, len(rest), len(held), float(loop.best.more["accuracy"]), max(positive, 1 - positive)
    )
