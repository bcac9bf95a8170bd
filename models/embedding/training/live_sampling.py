"""Trains an encoder on a graph that stays in Neo4j: all that a step needs is drawn there. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict
from torch.nn.functional import cross_entropy

from harmgraph.models.embedding.graph_model import bound_around
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.training.neighbour_sampling import drawn_scores, seeds
from harmgraph.models.subgraph.live_graph import Keyed, LiveGraph
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep

CANDIDATES = 1_000
"""Entities among which the answers of valid triples are ranked after an epoch: vectors of all would not stay small."""


@dataclass
class LiveSampling:
    """See ``models.text.finetuning.Task``, and ``NeighbourSampling``, whose steps it takes.

    A piece is the seed of its draw: epoch and step. An epoch has as many triples as there are, drawn with repeats, or
    ``epoch_triples``. The measure is the MRR of valid triples among drawn entities, which is higher than that among all. Without
    valid triples the last epoch is the best.
    """

    model: ModuleDict
    graph: LiveGraph
    training: EmbeddingOptions
    device: str = "cpu"
    _epoch: int = 0

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self._epoch = number
        return math.ceil((self.training.epoch_triples or self.graph.place["train"]) / self.training.batch)

    def steps(self, number: int) -> Iterator[OptimiserStep[Integers]]:
        """See ``Task.steps``."""
        batch = self.training.batch
        for step in range(self.begin(number, "fp32")):
            yield OptimiserStep([np.array([number, step])], 2.0 * batch, self.training.lr, batch)

    def loss(self, piece: Integers) -> Tensor:
        """The sum of the cross-entropies of the answers, for heads and tails."""
        seed = [self.training.seed, *piece.tolist()]
        scores = self._scores(self.graph.triples(self.training.batch, seed), self.training.negatives, seed)
        return cross_entropy(scores, scores.new_zeros(len(scores), dtype=torch.int64), reduction="sum")

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        count = min(self.training.valid_sample, self.graph.place["valid"])
        if not count:
            return HeldOutVerdict(float(self._epoch))
        self.model.eval()
        found = []
        with torch.no_grad():
            for start in range(0, count, self.training.batch):
                seed = [self.training.seed, start]
                triples = self.graph.triples(min(self.training.batch, count - start), seed, "valid")
                scores = self._scores(triples, CANDIDATES, seed)
                right, wrong = scores[:, :1], scores[:, 1:]
                found.append(1 / (1 + (wrong > right).sum(1) + (wrong == right).sum(1) / 2))
        reached = float(torch.cat(found).mean())
        return HeldOutVerdict(reached, {f"valid_mrr_among_{CANDIDATES}": reached})

    def _scores(self, triples: Keyed, negatives: int, seed: list[int]) -> Tensor:
        """See ``drawn_scores``."""
        heads, names, tails = triples
        places: dict[str, int] = {}
        of_negatives, of_neighbours = seeds(seed)
        head, tail, drawn = (
            np.array([places.setdefault(key, len(places)) for key in keys], np.int64)
            for keys in (heads, tails, self.graph.entities(negatives, of_negatives))
        )
        known = {name: number for number, name in enumerate(self.graph.relations)}
        relation = np.array([known[name] for name in names], np.int64)
        near = self.graph.neighbours.around(list(places), self.training.fanouts, of_neighbours, ends=False)
        bound = bound_around(near, np.arange(len(known)), len(known), self.device)
        return drawn_scores(self.model, self.training, bound, np.stack([head, relation, tail], axis=1), drawn)
