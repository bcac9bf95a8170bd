"""A training on the live graph, while that changes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import Busy
from harmgraph.graph.connection import Graph
from harmgraph.models.embedding.graph_model import new_weights
from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.embedding.training import live_sampling
from harmgraph.models.embedding.training.graph_task import GraphTask
from harmgraph.models.embedding.training.live_sampling import LiveSampling
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.split import VALID
from tests.support.family import records
from tests.support.filling import import_triples


@pytest.fixture
def task(graph: Graph) -> LiveSampling:
    import_triples(graph, *records("a"))
    live = LiveGraph.of(graph, "kb")
    small = {"dim": 8, "layers": 2, "batch": 4, "negatives": 5, "fanout": "2,2", "subgraphs": "live"}
    training = with_defaults("distmult", {"encoder": "sage", **small})
    return LiveSampling(new_weights(training, len(live.relations), {}), live, training)


def test_an_epoch_is_judged_as_one_in_memory(task: LiveSampling) -> None:
    """By all edges and among all entities, whatever the fan-out of the training."""
    whole = with_defaults("distmult", {"encoder": "sage", "dim": 8, "layers": 2, "batch": 4})
    subgraph = read_subgraph(task.graph.graph, "kb")
    assert (subgraph.split == VALID).sum() > 1
    in_memory = GraphTask(task.model, subgraph, whole).judge()
    assert task.judge().more.keys() == in_memory.more.keys()
    # Relatives have equal surroundings, so the last bits may order them.
    assert task.judge().measure == pytest.approx(in_memory.measure, rel=0.05)


def test_an_epoch_on_a_large_graph_is_judged_among_drawn_entities(
    task: LiveSampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    among_all = task.judge()
    monkeypatch.setattr(live_sampling, "FEW", task.graph.place["train"] - 1)
    monkeypatch.setattr(live_sampling, "CANDIDATES", 3)
    drawn = task.judge()
    assert among_all.more == {"valid_mrr": among_all.measure}
    assert drawn.more == {"valid_mrr_among_3": drawn.measure}
    assert drawn.measure > among_all.measure


def test_an_import_during_an_epoch_is_noticed(task: LiveSampling) -> None:
    steps = task.steps(0)
    assert task.loss(next(steps).pieces[0]) > 0
    assert 0 < task.judge().measure <= 1
    import_triples(task.graph.graph, *records("a")[:-2])
    assert task.loss(next(steps).pieces[0]) > 0, "draws alone do not show it"
    with pytest.raises(Busy, match="the graph changed while it was read"):
        task.judge()


def test_an_entity_that_is_removed_after_it_was_drawn_is_noticed(
    task: LiveSampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveGraph, "entities", lambda *_: ["wikidata/gone"])
    with pytest.raises(Busy, match="the graph changed while it was read"):
        task.loss(next(task.steps(0)).pieces[0])
