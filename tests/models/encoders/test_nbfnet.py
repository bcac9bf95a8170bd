"""The first layers of nbfnet are computed from where messages have arrived alone; that changes no score and no gradient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from torch import Tensor

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.graph_model import bound_to, new_weights
from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.encoders import nbfnet

ENTITIES, RELATIONS, HUB = 200, 5, 0
ALWAYS, NEVER = 0, 10**9


@pytest.fixture
def bound() -> BoundGraph:
    """A sparse graph with a hub and entities without edges, some of whose edges carry nothing and some two messages."""
    rng = np.random.default_rng(3)
    triples = np.stack([rng.integers(180, size=300), rng.integers(RELATIONS, size=300), rng.integers(180, size=300)], 1)
    triples[:60, 2] = HUB
    made = bound_to(triples, ENTITIES, RELATIONS, "cpu")
    kept = torch.from_numpy(rng.choice([0.0, 1.0, 1.0, 2.0], size=len(made.graph)))
    return replace(made, kept=kept)


def asked_of(bound: BoundGraph, layers: int) -> tuple[Tensor, list[Tensor]]:
    training = with_defaults("distmult", {"encoder": "nbfnet", "dim": 8, "layers": layers, "seed": 4})
    weights = new_weights(training, RELATIONS).double()
    entities, relations = torch.tensor([HUB, 7, 7, 199, 20]), torch.tensor([1, 0, 6, 2, 9])
    scores = nbfnet.ENCODER.scores(weights, training, bound, entities, relations)
    (scores * torch.arange(scores.numel()).view_as(scores).double().sin()).sum().backward()
    return scores.detach(), [each.grad for each in weights.parameters() if each.grad is not None]


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_scores_and_gradients_are_those_of_all_edges(
    bound: BoundGraph, layers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nbfnet, "FEW", NEVER)
    scores, gradients = asked_of(bound, layers)
    monkeypatch.setattr(nbfnet, "FEW", ALWAYS)
    fewer, of_fewer = asked_of(bound, layers)
    torch.testing.assert_close(fewer, scores, rtol=1e-10, atol=1e-12)
    assert len(gradients) == len(of_fewer) > layers
    for one, other in zip(gradients, of_fewer, strict=True):
        torch.testing.assert_close(other, one, rtol=1e-9, atol=1e-10)


def test_where_messages_arrive_nearly_everywhere_all_edges_are_used(bound: BoundGraph) -> None:
    state, vectors = torch.zeros(ENTITIES, 1, 4).double(), torch.zeros(2 * RELATIONS, 1, 4).double()
    assert nbfnet._Reached(torch.arange(ENTITIES)).sums(bound, state, vectors) is None
    assert nbfnet._Reached(torch.tensor([7])).sums(bound, state, vectors) is not None


def test_edges_that_leave_some_entities(bound: BoundGraph) -> None:
    graph = bound.graph
    wanted = np.array([20, 199, HUB, 20])
    edges, places = graph.edges_from(wanted)
    source = graph.pair_entity[graph.pair]
    assert [sorted(edges[places == place].tolist()) for place in range(4)] == [
        np.flatnonzero(source == entity).tolist() for entity in wanted
    ]
    assert len(edges[places == 1]) == 0 < len(edges[places == 2])
