"""Trains an encoder on a subgraph: questions of which every entity is a possible answer. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict
from torch.nn.functional import cross_entropy

from harmgraph.common.errors import BadName
from harmgraph.common.progress import Tell
from harmgraph.models.embedding.evaluation import sampled
from harmgraph.models.embedding.graph_model import GraphModel, new_weights, questions
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.ranking import SIDES, Known, summary
from harmgraph.models.embedding.training.trainer import EachEpoch, TrainedEmbedding, check_triples, identity
from harmgraph.models.subgraph.split import TRAIN, VALID, Integers
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text.finetuning import Epoch, HeldOutVerdict, OptimiserStep, Training


@dataclass
class GraphTask:
    """Training of an encoder; see ``models.text.finetuning.Task``. The measure is the MRR on valid triples.

    The edges of a step's triples carry no messages in it: otherwise each answer would be one step away. All entities that the
    training triples do not name as another answer are negatives. Without valid triples the last epoch is the best.
    """

    model: ModuleDict
    subgraph: Subgraph
    training: EmbeddingOptions
    device: str = "cpu"
    _epoch: int = 0

    @cached_property
    def _triples(self) -> Integers:
        return self.subgraph.triples(TRAIN)

    @cached_property
    def _valid(self) -> Integers:
        return sampled(self.subgraph.triples(VALID), self.training.valid_sample, self.training.seed)

    @cached_property
    def _looking(self) -> GraphModel:
        return GraphModel(self.training, self.model, self.subgraph.relations, self.subgraph, self.device)

    @cached_property
    def _trained(self) -> Known:
        return Known(self._triples, len(self.subgraph.relations))

    @cached_property
    def _every(self) -> Known:
        return Known(self.subgraph.triples(), len(self.subgraph.relations))

    def _of_epoch(self, number: int) -> Integers:
        order = np.random.default_rng([self.training.seed, number]).permutation(len(self._triples))
        return self._triples[order[: self.training.epoch_triples or None]]

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self._epoch = number
        return math.ceil(len(self._of_epoch(number)) / self.training.batch)

    def steps(self, number: int) -> Iterator[OptimiserStep[Integers]]:
        """See ``Task.steps``."""
        triples = self._of_epoch(number)
        for start in range(0, len(triples), self.training.batch):
            batch = triples[start : start + self.training.batch]
            yield OptimiserStep([batch], 2.0 * len(batch), self.training.lr, len(batch))

    def loss(self, piece: Integers) -> Tensor:
        """The sum of the cross-entropies of the answers, for heads and tails."""
        asked = [questions(piece, side, len(self.subgraph.relations)) for side in SIDES]
        entities, relations, answers = (
            torch.from_numpy(np.concatenate(column)).to(self.device) for column in zip(*asked, strict=True)
        )
        looking, bound = self._looking, self._looking.bound
        kept = bound.kept.clone()
        kept[torch.from_numpy(bound.graph.edges_of(piece)).to(self.device)] = 0
        scores = looking.encoder.scores(self.model, self.training, replace(bound, kept=kept), entities, relations)
        others = torch.zeros_like(scores, dtype=torch.bool)
        for number, side in enumerate(SIDES):
            place, known = self._trained.answers(side, asked[number][0], piece[:, 1])
            others[torch.from_numpy(place + number * len(piece)), torch.from_numpy(known)] = True
        others[torch.arange(len(answers)), answers] = False
        return cross_entropy(scores.masked_fill(others, -torch.inf), answers, reduction="sum")

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        if not len(self._valid):
            return HeldOutVerdict(float(self._epoch))
        found = summary(self._looking.ranks(self._valid, self._every))
        return HeldOutVerdict(float(found["mrr"]), {"valid_mrr": found["mrr"]})


def task_of(training: EmbeddingOptions) -> type[GraphTask]:
    """What trains: with a fan-out on drawn neighbourhoods, else on the whole graph."""
    from harmgraph.models.embedding.training.neighbour_sampling import NeighbourSampling

    return NeighbourSampling if training.fanout else GraphTask


def check(
    training: EmbeddingOptions, subgraph: Subgraph, folder: Path, *, device: str = "cpu", processes: int = 1
) -> None:
    """Checks that ``train`` can start, before anything is changed.

    Raises:
        BadName: several processes. InputError: nothing to train on.
    """
    if processes > 1:
        raise BadName("number of processes", str(processes), f"does not work with the encoder {training.encoder}")
    check_triples(subgraph)


def train(
    subgraph: Subgraph,
    training: EmbeddingOptions,
    folder: Path,
    *,
    device: str = "cpu",
    processes: int = 1,
    threads: int = 0,
    tell: Tell | None = None,
    each_epoch: EachEpoch | None = None,
) -> TrainedEmbedding:
    """Trains, or goes on from the checkpoint in ``folder``, which then has the weights of the best epoch.

    Args:
        as those of ``trainer.train``.

    Raises:
        as ``check``, and ``Training.run``.
    """
    check(training, subgraph, folder, device=device, processes=processes)
    weights = new_weights(training, len(subgraph.relations)).to(device)
    task = task_of(training)(weights, subgraph, training, device)
    loop = Training(
        task=task,
        folder=folder,
        identity=identity(training, subgraph),
        most=training.epochs,
        patience=training.patience,
        seed=training.seed,
        threads=threads,
        tell=tell,
        precision="fp32",
        quicker="--epoch-triples makes it shorter",
        each_epoch=lambda epoch: each_epoch(_row(epoch)) if each_epoch else None,
    )
    loop.run()
    history = [_row(epoch) for epoch in loop.epochs]
    judged = "valid_mrr" in loop.best.more
    return TrainedEmbedding(
        tables=None,
        history=tuple(history),
        epochs=len(loop.epochs),
        best_epoch=loop.best.number + 1 if judged else 0,
        best_mrr=loop.best.measure if judged else math.nan,
        stopped=loop.stopped,
        threads=loop.threads,
    )


def _row(epoch: Epoch) -> dict[str, Any]:
    return {"epoch": epoch.number + 1, "loss": epoch.loss, **epoch.more}
