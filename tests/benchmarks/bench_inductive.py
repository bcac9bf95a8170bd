"""Entities that training never saw: nbfnet beside PyKEEN's NodePiece with CompGCN, on ILPC small, as long a training of each."""

from __future__ import annotations

import importlib.util
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from harmgraph.models.checkpoint import load_weights, read_tensors
from harmgraph.models.embedding.graph_model import GraphModel, new_weights
from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.embedding.ranking import Known, summary
from harmgraph.models.embedding.training import graph_trainer
from harmgraph.models.store import WEIGHTS
from harmgraph.models.subgraph.split import TEST
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled
from tests.benchmarks.figures import Figures
from tests.benchmarks.setting import Setting

MINUTES = 60.0
GRAPH = {"train": "inference", "valid": "inference_validation", "test": "inference_test"}


def bench(setting: Setting, figures: Figures) -> None:
    """Filtered MRR and hits@10 on the test triples of the second graph, after so many minutes of training, one thread each."""
    if setting.data is None:
        print("  left out: it needs the real data")
        return
    folder = setting.data / "ilpc2022" / "small"
    minutes = 1.0 if setting.quick else MINUTES
    torch.set_num_threads(1)
    found = {"harmgraph, nbfnet": nbfnet(folder, minutes, setting.folder)}
    if importlib.util.find_spec("pykeen"):
        found["PyKEEN, InductiveNodePieceGNN"] = pykeen(folder, minutes)
    for name, (mrr, hits) in found.items():
        figures.add(f"{name}: MRR on test after {minutes:.0f} minutes", mrr, "")
        figures.add(f"{name}: hits@10", hits, "")


def read(folder: Path, files: dict[str, str]) -> Subgraph:
    """Some files of ILPC, by split."""
    rows = [
        (*line.rstrip("\n").split("\t"), split)
        for split, name in files.items()
        for line in (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    ]
    head, relation, tail, splits = zip(*rows, strict=True)
    return assembled(Columns(head, relation, tail, splits))


def nbfnet(folder: Path, minutes: float, work: Path) -> tuple[float, float]:
    """The epochs that the minutes allow, of the default size, and the best of them on the second graph's valid triples."""
    ours, others = read(folder, {"train": "train"}), read(folder, GRAPH)
    begun, epochs = time.perf_counter(), 0
    with tempfile.TemporaryDirectory(dir=work) as place:
        while time.perf_counter() - begun < minutes * 60:
            epochs += 1
            training = with_defaults("distmult", {"encoder": "nbfnet", "epochs": epochs, "patience": 1_000})
            graph_trainer.train(ours, training, Path(place), threads=1, chosen_on=others)
        weights = new_weights(training, len(ours.relations))
        load_weights(weights, read_tensors(Path(place) / WEIGHTS)[0])
    print(f"  {epochs} epochs of nbfnet in {time.perf_counter() - begun:.0f} s")
    model = GraphModel(training, weights.eval(), ours.relations, others)
    ranks = summary(model.ranks(model.known_triples(TEST), Known(model.known_triples(), len(ours.relations))))
    return float(ranks["mrr"]), float(ranks["hits@10"])


def pykeen(folder: Path, minutes: float) -> tuple[float, float]:
    """The same of PyKEEN: dimension 100, five tokens, 16 negatives, and a rate of .001. Nothing was tuned."""
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.losses import NSSALoss
    from pykeen.models.inductive import InductiveNodePieceGNN
    from pykeen.training import SLCWATrainingLoop
    from pykeen.triples import TriplesFactory
    from pykeen.typing import TESTING, TRAINING

    ours = TriplesFactory.from_path(folder / "train.txt", create_inverse_triples=True)
    inference = TriplesFactory.from_path(
        folder / "inference.txt", relation_to_id=ours.relation_to_id, create_inverse_triples=True
    )
    valid, test = (
        TriplesFactory.from_path(
            folder / f"{name}.txt",
            entity_to_id=inference.entity_to_id,
            relation_to_id=ours.relation_to_id,
            create_inverse_triples=False,
        )
        for name in ("inference_validation", "inference_test")
    )
    made = InductiveNodePieceGNN(
        triples_factory=ours,
        inference_factory=inference,
        num_tokens=5,
        embedding_dim=100,
        loss=NSSALoss(margin=15.0),
        random_seed=0,
    )
    loop = SLCWATrainingLoop(
        triples_factory=ours,
        model=made,
        mode=TRAINING,
        negative_sampler_kwargs={"num_negs_per_pos": 16},
        optimizer=torch.optim.Adam(made.parameters(), lr=1e-3),
    )
    begun, epochs = time.perf_counter(), 0
    while time.perf_counter() - begun < minutes * 60:
        epochs += 1
        loop.train(triples_factory=ours, num_epochs=epochs, batch_size=256, use_tqdm=False, only_size_probing=False)
        print(f"  PyKEEN: epoch {epochs} after {time.perf_counter() - begun:.0f} s", flush=True)
    evaluated = RankBasedEvaluator(mode=TESTING, filtered=True).evaluate(
        made,
        test.mapped_triples,
        additional_filter_triples=[inference.mapped_triples, valid.mapped_triples],
        batch_size=256,
        use_tqdm=False,
    )
    mrr, hits = (
        float(np.asarray(evaluated.get_metric(f"both.realistic.{name}")))
        for name in ("inverse_harmonic_mean_rank", "hits_at_10")
    )
    return mrr, hits
