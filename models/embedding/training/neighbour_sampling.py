"""Trains an encoder on drawn neighbourhoods, so that a step does not cost more in a larger graph. Imports torch at the top."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from harmgraph.models.embedding.comparators import ABSENT, comparator
from harmgraph.models.embedding.encoder import VectorEncoder
from harmgraph.models.embedding.graph_model import questions
from harmgraph.models.embedding.ranking import SIDES
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.training.graph_task import GraphTask
from harmgraph.models.subgraph.split import Integers


@dataclass
class NeighbourSampling(GraphTask):
    """See ``GraphTask``; Hamilton et al. 2017, section 3.1.

    A step draws entities, which are the negatives of all its questions. It passes messages over drawn neighbourhoods of these and
    of the batch's heads and tails. A drawn entity may be another right answer. In a graph so large that entities are drawn
    this is rare, and looking it up would cost more than the step.
    """

    def loss(self, piece: Integers) -> Tensor:
        """See ``GraphTask.loss``."""
        looking, training, subgraph = self._looking, self.training, self.subgraph
        encoder = looking.encoder
        assert isinstance(encoder, VectorEncoder)
        seed = [training.seed, self._epoch, zlib.crc32(np.ascontiguousarray(piece).tobytes())]
        negatives = np.random.default_rng(seed).integers(len(subgraph.entities), size=training.negatives)
        ids, places = np.unique(np.concatenate([piece[:, 0], piece[:, 2], negatives]), return_inverse=True)
        bound = looking.drawn([subgraph.entities[place] for place in ids.tolist()], seed)
        size = len(piece)
        local = np.stack([places[:size], piece[:, 1], places[size : 2 * size]], axis=1)
        kept = bound.kept.clone()
        kept[torch.from_numpy(bound.graph.edges_of(local)).to(self.device)] = 0
        state, kinds = encoder.vectors(self.model, training, replace(bound, kept=kept))
        asked = [questions(local, side, len(looking.relation_names)) for side in SIDES]
        entities, relations, answers = (
            torch.from_numpy(np.concatenate(column)).to(self.device) for column in zip(*asked, strict=True)
        )
        drawn = torch.from_numpy(places[2 * size :]).to(self.device)
        function = score_functions.get(training.model)
        compared = comparator(training.chosen_comparator, paired=function.paired)
        query = function.tail_query(state.index_select(0, entities), kinds.index_select(0, relations))
        right = compared.rows(query, state.index_select(0, answers))
        wrong = compared.matrix(query, state.index_select(0, drawn), False)
        wrong = wrong.masked_fill(drawn.unsqueeze(0) == answers.unsqueeze(1), ABSENT)
        scores = torch.cat([right.unsqueeze(1), wrong], dim=1)
        return cross_entropy(scores, torch.zeros_like(answers), reduction="sum")
