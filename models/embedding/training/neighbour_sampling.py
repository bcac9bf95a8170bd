"""Trains an encoder on drawn neighbourhoods, so that a step does not cost more in a larger graph. Imports torch at the top."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict
from torch.nn.functional import cross_entropy

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.comparators import ABSENT, comparator
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import questions
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.ranking import SIDES
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.training.graph_task import AskedTriples, GraphTask
from harmgraph.models.subgraph.split import Integers


@dataclass
class NeighbourSampling(GraphTask):
    """See ``GraphTask``; Hamilton et al. 2017, section 3.1.

    A step draws entities, which are the negatives of all its questions. It passes messages over drawn neighbourhoods of these and
    of the batch's heads and tails. A drawn entity may be another right answer. In a graph so large that entities are drawn
    this is rare, and looking it up would cost more than the step.
    """

    def _at_once(self, most: int) -> int:
        return most  # they share their negatives

    def loss(self, piece: AskedTriples) -> Tensor:
        """See ``GraphTask.loss``."""
        training, entities, triples = self.training, self.subgraph.entities, piece.triples
        seed = [training.seed, self._epoch, zlib.crc32(np.ascontiguousarray(triples).tobytes())]
        of_negatives, of_neighbours = seeds(seed)
        negatives = np.random.default_rng(of_negatives).integers(len(entities), size=training.negatives)
        ids, places = np.unique(np.concatenate([triples[:, 0], triples[:, 2], negatives]), return_inverse=True)
        bound = self._looking.drawn([entities[place] for place in ids.tolist()], of_neighbours)
        heads, tails, drawn = np.split(places, [len(triples), 2 * len(triples)])
        answered = drawn_scores(self.model, training, bound, np.stack([heads, triples[:, 1], tails], axis=1), drawn)
        return cross_entropy(answered, answered.new_zeros(len(answered), dtype=torch.int64), reduction="sum")


def seeds(step: Sequence[int]) -> tuple[list[int], list[int]]:
    """The seeds of a step's negatives and of its neighbourhoods.

    They differ from each other and from the step's own: of one seed the negatives would say which edges are drawn.
    """
    return [*step, 1], [*step, 2]  # numpy takes a 0 at the end for nothing


def drawn_scores(
    model: ModuleDict, training: EmbeddingOptions, bound: BoundGraph, triples: Integers, drawn: Integers
) -> Tensor:
    """Scores of the answers of triples, and of drawn entities in their place, [2 triples, 1 + drawn]: heads first, then tails.

    The edges of the triples carry no messages. Where the answer itself was drawn it has no score there.

    Args:
        bound: neighbourhoods of all these entities.
        triples: [t, 3] ids in that graph. drawn: ids [drawn].
    """
    encoder, device = encoders.get(training.encoder), bound.kept.device
    assert isinstance(encoder, VectorEncoder)
    kept = bound.kept.clone()
    kept[torch.from_numpy(bound.graph.edges_of(triples)).to(device)] = 0
    state, kinds = encoder.vectors(model, training, replace(bound, kept=kept))
    asked = [questions(triples, side, bound.graph.relations // 2) for side in SIDES]
    entities, relations, answers = (
        torch.from_numpy(np.concatenate(column)).to(device) for column in zip(*asked, strict=True)
    )
    others = torch.from_numpy(drawn).to(device)
    function = score_functions.get(training.model)
    compared = comparator(training.chosen_comparator, paired=function.paired)
    query = function.tail_query(state.index_select(0, entities), kinds.index_select(0, relations))
    right = compared.rows(query, state.index_select(0, answers))
    wrong = compared.matrix(query, state.index_select(0, others), False)
    wrong = wrong.masked_fill(others.unsqueeze(0) == answers.unsqueeze(1), ABSENT)
    return torch.cat([right.unsqueeze(1), wrong], dim=1)
