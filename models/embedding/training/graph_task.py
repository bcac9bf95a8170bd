"""What training of an encoder on a whole graph does in a step. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict
from torch.nn.functional import cross_entropy

from harmgraph.models.embedding.evaluation import sampled
from harmgraph.models.embedding.graph_model import GraphModel, questions
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.ranking import SIDES, Known, summary
from harmgraph.models.subgraph.split import TRAIN, VALID, Integers
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep


@dataclass(frozen=True, slots=True)
class AskedTriples:
    """Triples whose heads and tails are asked for at once, [t, 3] ids.

    Attributes:
        hidden: the triples of the whole step, whose edges carry no messages.
    """

    triples: Integers
    hidden: Integers


@dataclass
class GraphTask:
    """Training of an encoder; see ``models.text.finetuning.Task``. The measure is the MRR on valid triples.

    The edges of a step's triples carry no messages in it: otherwise each answer would be one step away. All entities that the
    training triples do not name as another answer are negatives. Without valid triples the last epoch is the best.

    Attributes:
        chosen_on: whose valid triples are ranked, if that is another graph: its own training edges carry the messages there.
    """

    model: ModuleDict
    subgraph: Subgraph
    training: EmbeddingOptions
    device: str = "cpu"
    chosen_on: Subgraph | None = None
    _epoch: int = 0

    @cached_property
    def _triples(self) -> Integers:
        return self.subgraph.triples(TRAIN)

    @cached_property
    def _valid(self) -> Integers:
        return sampled(self._judged.known_triples(VALID), self.training.valid_sample, self.training.seed)

    @cached_property
    def _looking(self) -> GraphModel:
        return GraphModel(self.training, self.model, self.subgraph.relations, self.subgraph, self.device)

    @cached_property
    def _judged(self) -> GraphModel:
        if self.chosen_on is None:
            return self._looking
        return GraphModel(self.training, self.model, self.subgraph.relations, self.chosen_on, self.device)

    @cached_property
    def _trained(self) -> Known:
        return Known(self._triples, len(self.subgraph.relations))

    @cached_property
    def _every(self) -> Known:
        return Known(self._judged.known_triples(), len(self.subgraph.relations))

    def _of_epoch(self, number: int) -> Integers:
        order = np.random.default_rng([self.training.seed, number]).permutation(len(self._triples))
        return self._triples[order[: self.training.epoch_triples or None]]

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self._epoch = number
        return math.ceil(len(self._of_epoch(number)) / self.training.batch)

    def steps(self, number: int) -> Iterator[OptimiserStep[AskedTriples]]:
        """See ``Task.steps``."""
        every = self._of_epoch(number)
        for start in range(0, len(every), self.training.batch):
            batch = every[start : start + self.training.batch]
            size = self._at_once(len(batch))
            pieces = [AskedTriples(batch[place : place + size], batch) for place in range(0, len(batch), size)]
            yield OptimiserStep(pieces, 2.0 * len(batch), self.training.lr, len(batch))

    def _at_once(self, most: int) -> int:
        """How many triples are asked about at once."""
        return max(1, self._looking.at_once(len(SIDES) * most) // len(SIDES))

    def loss(self, piece: AskedTriples) -> Tensor:
        """The sum of the cross-entropies of the answers, for heads and tails."""
        triples = piece.triples
        asked = [questions(triples, side, len(self.subgraph.relations)) for side in SIDES]
        entities, relations, answers = (
            torch.from_numpy(np.concatenate(column)).to(self.device) for column in zip(*asked, strict=True)
        )
        looking, bound = self._looking, self._looking.bound
        kept = bound.kept.clone()
        kept[torch.from_numpy(bound.graph.edges_of(piece.hidden)).to(self.device)] = 0
        scores = looking.encoder.scores(self.model, self.training, replace(bound, kept=kept), entities, relations)
        others = torch.zeros_like(scores, dtype=torch.bool)
        for number, side in enumerate(SIDES):
            place, known = self._trained.answers(side, asked[number][0], triples[:, 1])
            others[torch.from_numpy(place + number * len(triples)), torch.from_numpy(known)] = True
        others[torch.arange(len(answers)), answers] = False
        return cross_entropy(scores.masked_fill(others, -torch.inf), answers, reduction="sum")

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        if not len(self._valid):
            return HeldOutVerdict(float(self._epoch))
        found = summary(self._judged.ranks(self._valid, self._every))
        return HeldOutVerdict(float(found["mrr"]), {"valid_mrr": found["mrr"]})
