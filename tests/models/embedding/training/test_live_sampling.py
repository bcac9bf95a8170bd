"""A training on the live graph, while that changes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import Busy
from harmgraph.graph.connection import Graph
from harmgraph.models.embedding.graph_model import new_weights
from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.embedding.training.live_sampling import LiveSampling
from harmgraph.models.subgraph.live_graph import LiveGraph
from tests.support.family import records
from tests.support.filling import import_triples


@pytest.fixture
def task(graph: Graph) -> LiveSampling:
    import_triples(graph, *records("a"))
    live = LiveGraph.of(graph, "kb")
    small = {"dim": 8, "layers": 2, "batch": 4, "negatives": 5, "fanout": "2,2", "subgraphs": "live"}
    training = with_defaults("distmult", {"encoder": "sage", **small})
    return LiveSampling(new_weights(training, len(live.relations), {}), live, training)


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
