"""Trains an encoder on a graph that stays in Neo4j: all that a step needs is drawn there. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict
from torch.nn.functional import cross_entropy

from harmgraph.common.errors import NotFound
from harmgraph.models.embedding.evaluation import sampled
from harmgraph.models.embedding.graph_model import bound_around
from harmgraph.models.embedding.live_evaluation import LiveAnswers, triples_of
from harmgraph.models.embedding.live_vectors import vectors
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.ranking import ranks, summary
from harmgraph.models.embedding.training.ahead import Ahead
from harmgraph.models.embedding.training.neighbour_sampling import drawn_scores, seeds
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.neighbourhood import KHopNeighbourhood
from harmgraph.models.subgraph.reader import changed
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep

FEW = 500_000
"""Training edges: up to so many the answers of valid triples are ranked among all entities, which all get a vector for that."""
CANDIDATES = 1_000
"""Entities among which they are ranked where there are more."""


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """What is drawn for some triples.

    Attributes:
        near: neighbourhoods of all entities here.
        triples: [t, 3] ids in it. negatives: ids [n].
    """

    near: KHopNeighbourhood
    triples: Integers
    negatives: Integers


@dataclass
class LiveSampling:
    """See ``models.text.finetuning.Task``, and ``NeighbourSampling``, whose steps it takes.

    A piece is the seed of its draw: epoch and step. What the next step needs is read while a step is computed. An epoch has as
    many triples as there are, drawn with repeats, or ``epoch_triples``. The measure is the filtered MRR of valid triples among
    all entities, with all edges. Where there are more than ``FEW`` edges it is that among drawn entities, which is higher.
    Without valid triples the last epoch is the best.
    """

    model: ModuleDict
    graph: LiveGraph
    training: EmbeddingOptions
    device: str = "cpu"
    _epoch: int = 0

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self._epoch = number
        return self._steps

    def steps(self, number: int) -> Iterator[OptimiserStep[Integers]]:
        """See ``Task.steps``."""
        batch = self.training.batch
        for step in range(self.begin(number, "fp32")):
            yield OptimiserStep([np.array([number, step])], 2.0 * batch, self.training.lr, batch)

    def loss(self, piece: Integers) -> Tensor:
        """The sum of the cross-entropies of the answers, for heads and tails."""
        number, step = piece.tolist()
        scores = self._scores(self._ahead.get((number, step)))
        return cross_entropy(scores, scores.new_zeros(len(scores), dtype=torch.int64), reduction="sum")

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``.

        Raises:
            Busy: the graph changed during the epoch.
        """
        self.graph.check()
        count = min(self.training.valid_sample, self.graph.place["valid"])
        if not count:
            return HeldOutVerdict(float(self._epoch))
        if self.graph.place["train"] <= FEW:
            reached = self._among_all()
            self.graph.check()  # that took a while
            return HeldOutVerdict(reached, {"valid_mrr": reached})
        reached = self._among_drawn(count)
        return HeldOutVerdict(reached, {f"valid_mrr_among_{CANDIDATES}": reached})

    def _among_all(self) -> float:
        """The filtered MRR of the valid triples that ``GraphTask`` ranks too."""
        tables = vectors(
            self.training, self.model, self.graph.relations, self.graph, self._entities, device=self.device
        ).tables
        known = LiveAnswers(self.graph, self._entities, tables)
        return float(summary(ranks(tables, self._valid, known))["mrr"])

    def _among_drawn(self, count: int) -> float:
        """The MRR of so many drawn valid triples."""
        found = []
        self.model.eval()
        with torch.no_grad():
            for start in range(0, count, self.training.batch):
                of_part = (min(self.training.batch, count - start), "valid", CANDIDATES)
                scores = self._scores(self._drawn(*of_part, [self.training.seed, start]))
                right, wrong = scores[:, :1], scores[:, 1:]
                found.append(1 / (1 + (wrong > right).sum(1) + (wrong == right).sum(1) / 2))
        return float(torch.cat(found).mean())

    @cached_property
    def _entities(self) -> LiveEntities:
        return LiveEntities.of(self.graph)

    @cached_property
    def _valid(self) -> Integers:
        triples, _ = triples_of(self.graph, self._entities, "valid")
        return sampled(triples, self.training.valid_sample, self.training.seed)

    @cached_property
    def _ahead(self) -> Ahead[tuple[int, int], DrawnStep]:
        return Ahead(self._of_step, lambda step: (step[0], step[1] + 1) if step[1] + 1 < self._steps else None)

    @property
    def _steps(self) -> int:
        """How many an epoch has."""
        return math.ceil((self.training.epoch_triples or self.graph.place["train"]) / self.training.batch)

    def _of_step(self, step: tuple[int, int]) -> DrawnStep:
        """What a step of an epoch needs; both are numbers from 0."""
        return self._drawn(self.training.batch, "train", self.training.negatives, [self.training.seed, *step])

    def _drawn(self, count: int, split: str, negatives: int, seed: list[int]) -> DrawnStep:
        """Triples of a split, drawn entities, and the neighbourhoods of all.

        Raises:
            Busy: the graph changed, and one of them is gone.
        """
        heads, names, tails = self.graph.triples(count, seed, split)
        places: dict[str, int] = {}
        of_negatives, of_neighbours = seeds(seed)
        head, tail, drawn = (
            np.array([places.setdefault(key, len(places)) for key in keys], np.int64)
            for keys in (heads, tails, self.graph.entities(negatives, of_negatives))
        )
        try:
            near = self.graph.neighbours.around(list(places), self.training.fanouts, of_neighbours, ends=False)
        except NotFound as error:
            raise changed() from error
        return DrawnStep(near, np.stack([head, self.graph.kinds(names), tail], axis=1), drawn)

    def _scores(self, step: DrawnStep) -> Tensor:
        """See ``drawn_scores``."""
        relations = len(self.graph.relations)
        bound = bound_around(step.near, np.arange(relations), relations, self.device)
        return drawn_scores(self.model, self.training, bound, step.triples, step.negatives)
