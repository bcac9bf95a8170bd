"""PyKEEN with the same model, loss, optimiser and negatives as harmgraph: what training and quality are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from pykeen.models import ERModel
    from pykeen.training import TrainingLoop
    from pykeen.triples import CoreTriplesFactory

SAME = {"reciprocal": False, "n3": 0.0}
"""Options of harmgraph's training as PyKEEN has it: a relation has one vector, and norms have no weight."""


def contestants(dim: int) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """By harmgraph's name of the model: comparator, PyKEEN's name and its options."""
    return {
        "complex": ("dot", "ComplEx", {"embedding_dim": dim // 2}),
        "transe": ("l2", "TransE", {"embedding_dim": dim, "scoring_fct_norm": 2}),
    }


def prepared(
    model: str, options: dict[str, Any], factory: CoreTriplesFactory, *, rate: float, negatives: int
) -> tuple[ERModel, TrainingLoop]:
    """The model and a loop that trains it: InfoNCE, Adagrad."""
    from pykeen.models import model_resolver
    from pykeen.training import SLCWATrainingLoop

    made = model_resolver.make(model, options, triples_factory=factory, loss="infonce", random_seed=0)
    loop = SLCWATrainingLoop(
        model=made,
        triples_factory=factory,
        optimizer=torch.optim.Adagrad(made.parameters(), lr=rate),
        negative_sampler_kwargs={"num_negs_per_pos": negatives},
    )
    return made, loop
