"""Which pseudo-labels are kept: those that lower the loss on the valid triples, and those that hold under dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.progress import progress

if TYPE_CHECKING:
    from harmgraph.models.population.examples import TripleExample
    from harmgraph.models.population.network import Network
    from harmgraph.models.text.passages import PassageReader

    Numbers = np.ndarray[Any, Any]

DAMPING = 0.01
"""Added to the Hessian's diagonal; the value of the released code."""
MOST = 32_000
"""Training triples that the Hessian is taken of, drawn with the seed; the number of the released code."""
AT_ONCE = 4_096  # triples whose vectors are in memory


def influences(
    network: Network,
    reader: PassageReader,
    candidates: Sequence[TripleExample],
    train: Sequence[TripleExample],
    valid: Sequence[TripleExample],
    *,
    seed: int = 0,
) -> Numbers:
    """How the mean loss on the valid triples changes per weight given to each candidate with its label, [candidates].

    Below 0, a step on the candidate lowers the loss. Koh and Liang 2017, equation (2), for the weights of the output layer, where
    the Hessian of the cross-entropy is exact: -g' H^-1 (p - y) x, with g the mean gradient on the valid triples and H the mean
    of p (1 - p) x x' over training triples, plus ``DAMPING``. The paper takes all weights and approximates H^-1.

    Args:
        network: with one linear output layer and one passage for a triple, as KG-BERT.
    """
    columns = int(network.encoder.config.hidden_size) + 1
    drawn = np.sort(np.random.default_rng([seed, 2022]).permutation(len(train))[:MOST])
    hessian = DAMPING * np.eye(columns)
    for x, p, _ in _vectors(network, reader, [train[place] for place in drawn.tolist()], "influence: training"):
        hessian += (x * (p * (1 - p))[:, None]).T @ x / len(drawn)
    gradient = np.zeros(columns)
    for x, p, y in _vectors(network, reader, valid, "influence: valid"):
        gradient += (p - y) @ x / len(valid)
    direction = np.linalg.solve(hessian, gradient)
    parts = [-(p - y) * (x @ direction) for x, p, y in _vectors(network, reader, candidates, "influence: candidates")]
    return np.concatenate(parts) if parts else np.empty(0)


def agreeing(
    network: Network,
    reader: PassageReader,
    candidates: Sequence[TripleExample],
    *,
    passes: int,
    seed: int = 0,
) -> Numbers:
    """Whether each candidate is on the side of its label in all of some passes with dropout, [candidates] of bool."""
    import torch

    agree = np.ones(len(candidates), bool)
    torch.manual_seed(seed * 1_000 + 2022)
    network.encoder.train()
    try:
        for number in range(passes):
            for start in range(0, len(candidates), AT_ONCE):
                progress(f"dropout {number + 1} of {passes}", start, len(candidates))
                some = candidates[start : start + AT_ONCE]
                with torch.no_grad():
                    logits = network.output(network.read(reader.ids([_passage(each) for each in some]))).squeeze(1)
                labels = np.array([each.label == 1 for each in some])
                agree[start : start + AT_ONCE] &= (logits > 0).cpu().numpy() == labels
    finally:
        network.eval()
    return agree


def _passage(example: TripleExample) -> tuple[str, str, str]:
    return (example.head, example.relation, example.tail)


def _vectors(network: Network, reader: PassageReader, examples: Sequence[TripleExample], stage: str) -> Any:
    """Of some triples at a time: vectors with a 1 at the end, probabilities, and labels, in 64 bits."""
    import torch

    network.eval()
    for start in range(0, len(examples), AT_ONCE):
        progress(stage, start, len(examples))
        some = examples[start : start + AT_ONCE]
        vectors = network.encode(reader.ids([_passage(each) for each in some]))
        with torch.no_grad():
            logits = network.output(vectors.to(network.device)).squeeze(1).double().cpu().numpy()
        x = np.hstack([vectors.double().numpy(), np.ones((len(some), 1))])
        yield x, 1 / (1 + np.exp(-logits)), np.array([float(each.label or 0) for each in some])
