"""The network of every populator: an encoder, means of its vectors, and the output layers. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from harmgraph.models.population.examples import Part
from harmgraph.models.text.arithmetic import quantised
from harmgraph.models.text.frozen_encoder import CHUNK, vectors_of
from harmgraph.models.text.inference import Lanes, in_lanes
from harmgraph.models.text.passages import SEPARATOR, Ids, Passage, PassageReader, Vectors

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def add_tokens(encoder: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, relations: Sequence[str]) -> None:
    """Makes ``SEPARATOR`` and the relations tokens of their own, with new vectors; known ones stay as they are."""
    from tokenizers import AddedToken

    names = [SEPARATOR, *relations]
    # Relations are names with capitals: a word of a text, which is in lower case, must not become one.
    tokenizer.add_tokens([AddedToken(name, normalized=False, single_word=True) for name in names])
    table = encoder.get_input_embeddings().weight
    if isinstance(table, Tensor) and len(tokenizer) > len(table):
        encoder.resize_token_embeddings(len(tokenizer), mean_resizing=False)


@dataclass(frozen=True, slots=True)
class TripleBatch:
    """Triples as the network reads them.

    Attributes:
        ids: token ids of each passage; every passage is there once, however many triples share it.
        means: [triples * parts, passages]: the share of each passage in each part.
        vectors: [passages, columns] of a frozen encoder that has read them before; None if it has yet to read them.
        size: number of triples.
    """

    ids: Sequence[Ids]
    means: Tensor
    size: int
    vectors: Tensor | None = None


def batch_of(parts: Sequence[Sequence[Part]], reader: PassageReader, vectors: Vectors | None = None) -> TripleBatch:
    """A batch of the parts of each triple."""
    places: dict[Passage, int] = {}
    for triple in parts:
        for part in triple:
            for passage in part:
                places.setdefault(passage, len(places))
    rows = [part for triple in parts for part in triple]
    means = np.zeros((len(rows), len(places)), np.float32)
    for row, part in enumerate(rows):
        for passage in part:
            # A neighbour may be drawn twice.
            means[row, places[passage]] += part[passage] if isinstance(part, Mapping) else 1 / len(part)
    passages = list(places)
    known = vectors.of(passages) if vectors else None
    return TripleBatch([] if vectors else reader.ids(passages), torch.from_numpy(means), len(parts), known)


class Network(Module):
    """An encoder and output layers.

    Args:
        frozen: the encoder is not trained, and reads without dropout.

    Attributes:
        relations: names of those that the output layers know by their ids; empty where they know none.
        by_mean: the vector of a passage is the mean over its tokens, not the first.
    """

    by_mean: ClassVar[bool] = False

    def __init__(self, encoder: PreTrainedModel, output: Module, *, frozen: bool = False) -> None:
        super().__init__()
        self.encoder = encoder
        self.output = output
        self.frozen = frozen
        self.precision = "fp32"
        self.relations: tuple[str, ...] = ()
        if frozen:
            encoder.requires_grad_(False)

    def train(self, mode: bool = True) -> Network:
        """See torch; a frozen encoder stays as it is."""
        super().train(mode)
        if self.frozen:
            self.encoder.eval()
        return self

    def prepare(self, texts: Tensor) -> None:
        """Is called before the first step of a training with what the frozen encoder made of its texts [texts, columns]."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def read(self, ids: Sequence[Ids]) -> Tensor:
        """The vector of the first token of each passage, or their mean, [passages, columns], in 32 bits."""
        return vectors_of(self.encoder, ids, precision=self.precision, by_mean=self.by_mean)

    def infer(self, precision: str) -> None:
        """Makes it ready to judge, and no longer to train.

        Args:
            precision: of the encoder: ``fp32``, ``bf16``, or ``int8`` (its dense layers, on the CPU).
        """
        self.eval()
        self.precision = precision
        if self.device.type == "cpu":
            # For texts this short plain attention is faster than the fused kernels, which are made for long texts.
            self.encoder.set_attn_implementation("eager")
        if precision == "int8":
            self.encoder = quantised(self.encoder, by_channel=True)

    def encode(self, ids: Sequence[Ids], tell: Callable[[int], None] = lambda done: None) -> Tensor:
        """``read`` without gradients, several batches at the same time on the CPU. Returns [passages, columns] on the CPU.

        Args:
            tell: is called with the number of passages done.
        """
        read = torch.empty((len(ids), int(self.encoder.config.hidden_size)))

        def some(places: Sequence[int]) -> None:
            read[places] = self.read([ids[place] for place in places]).cpu()

        in_lanes(ids, some, batch=CHUNK, lanes=None if self.device.type == "cpu" else Lanes(fixed=1), tell=tell)
        return read

    def represent(self, batch: TripleBatch) -> Tensor:
        """The representations of the triples, [triples, parts * columns]."""
        vectors = self.read(batch.ids) if batch.vectors is None else batch.vectors.to(self.device)
        return (batch.means.to(self.device) @ vectors).reshape(batch.size, -1)

    def forward(self, batch: TripleBatch) -> Tensor:
        """The logits of the triples, [triples]."""
        logits: Tensor = self.output(self.represent(batch)).squeeze(1)
        return logits
