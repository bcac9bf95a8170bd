"""Trains an encoder on a graph. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch.nn import ModuleDict

from harmgraph.common.errors import BadName
from harmgraph.common.progress import Tell
from harmgraph.models.embedding.beginning import BEGIN
from harmgraph.models.embedding.graph_model import new_weights
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.scaled import Scaled
from harmgraph.models.embedding.training.graph_task import GraphTask
from harmgraph.models.embedding.training.live_sampling import LiveSampling
from harmgraph.models.embedding.training.neighbour_sampling import NeighbourSampling
from harmgraph.models.embedding.training.trainer import (
    EachEpoch,
    TrainedEmbedding,
    check_plateau,
    check_triples,
    identity,
    learning_rate,
)
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.split import VALID
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text.finetuning import Epoch, Task, Training


def check(
    training: EmbeddingOptions,
    subgraph: Subgraph | LiveGraph,
    folder: Path,
    *,
    device: str = "cpu",
    processes: int = 1,
    chosen_on: Subgraph | None = None,
) -> None:
    """Checks that ``train`` can start, before anything is changed.

    Raises:
        BadName: several processes. InputError: nothing to train on, or a plateau is waited for without valid triples.
    """
    if processes > 1:
        raise BadName("number of processes", str(processes), f"does not work with the encoder {training.encoder}")
    if isinstance(subgraph, Subgraph):
        check_triples(subgraph)
        judged = subgraph if chosen_on is None else chosen_on
        check_plateau(training, valid=bool((judged.split == VALID).any()))
    else:
        check_plateau(training, valid=bool(subgraph.place["valid"]))


def train(
    subgraph: Subgraph | LiveGraph,
    training: EmbeddingOptions,
    folder: Path,
    *,
    device: str = "cpu",
    processes: int = 1,
    threads: int = 0,
    tell: Tell | None = None,
    each_epoch: EachEpoch | None = None,
    chosen_on: Subgraph | None = None,
    features: Mapping[str, Any] | None = None,
) -> TrainedEmbedding:
    """Trains, or goes on from the checkpoint in ``folder``, which then has the weights of the best epoch.

    Args:
        as those of ``trainer.train``, and chosen_on: see ``GraphTask``; not for a live graph.
        features: what is kept of what entities begin with, see ``EmbeddingConfig``; the subgraphs have its values.

    Raises:
        as ``check``, and ``Training.run``.
    """
    check(training, subgraph, folder, device=device, processes=processes, chosen_on=chosen_on)
    weights = new_weights(training, len(subgraph.relations), features)
    if isinstance(subgraph, Subgraph):
        _scale(weights, subgraph)
    weights.to(device)
    task: Task[Any]
    if isinstance(subgraph, LiveGraph):
        task = LiveSampling(weights, subgraph, training, device)
    else:
        task = (NeighbourSampling if training.fanout else GraphTask)(weights, subgraph, training, device, chosen_on)
    loop: Training[Any] = Training(
        task=task,
        folder=folder,
        identity=identity(training, subgraph, chosen_on, features),
        most=training.epochs,
        patience=training.patience,
        seed=training.seed,
        threads=threads,
        tell=tell,
        precision="fp32",
        quicker="--epoch-triples makes it shorter",
        slower=lambda epochs: learning_rate(training, [{"valid_mrr": epoch.measure} for epoch in epochs]) / training.lr,
        each_epoch=lambda epoch: each_epoch(_row(epoch)) if each_epoch else None,
    )
    loop.run()
    history = [_row(epoch) for epoch in loop.epochs]
    judged = bool(loop.best.more)
    return TrainedEmbedding(
        tables=None,
        history=tuple(history),
        epochs=len(loop.epochs),
        best_epoch=loop.best.number + 1 if judged else 0,
        best_mrr=loop.best.more.get("valid_mrr", math.nan),
        stopped=loop.stopped,
        threads=loop.threads,
    )


def _scale(weights: ModuleDict, subgraph: Subgraph) -> None:
    """What entities begin with is scaled as this graph needs it."""
    if BEGIN in weights and isinstance(begin := weights[BEGIN], Scaled):
        begin.scale_to(torch.from_numpy(subgraph.node_features[BEGIN]))


def _row(epoch: Epoch) -> dict[str, Any]:
    return {"epoch": epoch.number + 1, "loss": epoch.loss, **epoch.more}
