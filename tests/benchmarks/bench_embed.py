"""Training triples a second, beside PyKEEN with the same model, dimension, negatives and batch (the extra ``bench``)."""

from __future__ import annotations

import importlib.util
import time
from typing import Any

import numpy as np
import torch
from torch import Generator

from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.training.optimisers import OPTIMISER
from harmgraph.models.embedding.training.step import GradientStep
from tests.benchmarks.figures import Figures
from tests.benchmarks.pykeen_training import SAME, contestants, prepared
from tests.benchmarks.setting import Setting

ENTITIES, RELATIONS = 14_541, 237  # of FB15k-237
DIM, NEGATIVES, BATCH = 200, 1_000, 256


def bench(setting: Setting, figures: Figures) -> None:
    """Some steps of each on random triples of the size of FB15k-237; softmax, Adagrad, fp32."""
    torch.set_flush_denormal(True)
    steps = 4 if setting.quick else 12
    rng = np.random.default_rng(0)
    columns = [rng.integers(size, size=BATCH * steps) for size in (ENTITIES, RELATIONS, ENTITIES)]
    triples = torch.from_numpy(np.stack(columns, axis=1))
    for model, (comparator, theirs, options) in contestants(DIM).items():
        own = _own(model, comparator, triples)
        figures.add(f"{model}, {NEGATIVES} negatives each side, batch {BATCH}", own, "triples/s")
        figures.add(f"{model}, batch 1000", _own(model, comparator, triples.repeat(4, 1), batch=1000), "triples/s")
        narrow = _own(model, comparator, triples.repeat(4, 1), batch=1000, precision="bf16")
        figures.add(f"{model}, batch 1000, bf16", narrow, "triples/s")
        if importlib.util.find_spec("pykeen"):
            other = _pykeen(theirs, options, triples)
            figures.add(f"{model}, PyKEEN, {NEGATIVES} negatives in all, batch {BATCH}", other, "triples/s")
            figures.add(f"{model}, harmgraph / PyKEEN, same batch", own / other, "x", "5")


def _own(model: str, comparator: str, triples: torch.Tensor, **options: Any) -> float:
    given = (
        {"dim": DIM, "negatives": NEGATIVES, "batch": BATCH, "comparator": comparator, "precision": "fp32"}
        | SAME
        | options
    )
    training = with_defaults(model, given)
    generator = Generator().manual_seed(0)
    family = score_functions.get(model)
    entities = family.first_entities(ENTITIES, DIM, 0.1, generator)
    relations = family.first_relations(RELATIONS, DIM, 0.1, generator)
    optimisers = [OPTIMISER["adagrad"](table, 0.1) for table in (entities, relations)]
    step = GradientStep(training, entities, relations, generator)
    done, seconds = 0, 0.0
    for number, batch in enumerate(triples.split(training.batch)):
        started = time.perf_counter()
        _, *gradients = step.gradients(batch, step.draw(len(batch)))
        for optimiser, gradient in zip(optimisers, gradients, strict=True):
            optimiser.update(gradient.index, gradient.rows)
        if number:  # the first one is not counted
            done, seconds = done + len(batch), seconds + time.perf_counter() - started
    return done / seconds


def _pykeen(model: str, options: dict[str, Any], triples: torch.Tensor) -> float:
    from pykeen.triples import CoreTriplesFactory

    factory = CoreTriplesFactory(triples, num_entities=ENTITIES, num_relations=RELATIONS)
    _, loop = prepared(model, options, factory, rate=0.1, negatives=NEGATIVES)
    given = {"triples_factory": factory, "batch_size": BATCH, "use_tqdm": False}
    loop.train(num_epochs=1, **given)
    started = time.perf_counter()
    loop.train(num_epochs=2, continue_training=True, **given)
    return len(triples) / (time.perf_counter() - started)
