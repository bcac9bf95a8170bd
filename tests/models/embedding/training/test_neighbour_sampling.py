"""Encoders trained on drawn neighbourhoods."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import numpy as np
import torch

from harmgraph.common.errors import BadName
from harmgraph.models import checkpoint, store
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import GraphModel, new_weights
from harmgraph.models.embedding.options import EmbeddingOptions, with_defaults
from harmgraph.models.embedding.ranking import Known, summary
from harmgraph.models.embedding.training import graph_trainer
from harmgraph.models.embedding.training.graph_task import AskedTriples
from harmgraph.models.embedding.training.neighbour_sampling import NeighbourSampling
from harmgraph.models.subgraph.split import TEST
from tests.support.family import family

torch.set_num_threads(1)
RELATIONS = ("GRANDPARENT", "PARENT")
EVERYBODY = "99,99,99"


@pytest.fixture(params=[each.name for each in encoders if isinstance(each, VectorEncoder)])
def encoder(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def options(encoder: str, **more: Any) -> EmbeddingOptions:
    small = {"dim": 16, "layers": 3, "batch": 4, "epochs": 12, "lr": 0.01, "patience": 12, "negatives": 20}
    return with_defaults("distmult", {"encoder": encoder, "fanout": "4,4,4", **small, **more})


def test_where_all_are_drawn_the_vectors_are_those_of_the_whole_graph(encoder: str) -> None:
    drawn = options(encoder, fanout=EVERYBODY)
    made = new_weights(drawn, len(RELATIONS))
    one = GraphModel(drawn, made, RELATIONS, family("b")).tables()
    other = GraphModel(replace(drawn, fanout=""), made, RELATIONS, family("b")).tables()
    torch.testing.assert_close(one.entities, other.entities)
    torch.testing.assert_close(one.relations, other.relations)


def test_a_graph_of_drawn_neighbourhoods_is_small(encoder: str) -> None:
    model = GraphModel(options(encoder), new_weights(options(encoder), 2), RELATIONS, family("a"))
    bound = model.drawn([model.subgraph.entities[5]], [1])
    assert bound.degrees.max() <= 4
    assert bound.degrees[-1] == 0
    again, other = (model.drawn([model.subgraph.entities[5]], [number]) for number in (1, 2))
    assert torch.equal(again.pair_entity, model.drawn([model.subgraph.entities[5]], [1]).pair_entity)
    assert len(other.graph) <= 4 + 4 * 4 + 4 * 4 * 4 + 4 * 4 * 4 * 4


def test_the_answers_of_a_step_carry_no_messages(encoder: str) -> None:
    task = NeighbourSampling(
        new_weights(options(encoder, fanout=EVERYBODY), 2), family("a"), options(encoder, fanout=EVERYBODY)
    )
    piece = task._triples[:3]
    seen: list[float] = []

    def vectors(self: VectorEncoder, made: Any, training: Any, bound: BoundGraph) -> tuple[Any, Any]:
        seen.append(float((bound.kept == 0).sum()))
        return torch.ones(bound.graph.entities, 16), torch.ones(4, 16)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(VectorEncoder, "vectors", vectors)
        task.loss(AskedTriples(piece, piece))
    assert seen == [6.0], "three triples in both directions"


def test_negatives_and_neighbours_are_drawn_apart(encoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = NeighbourSampling(new_weights(options(encoder), 2), family("a"), options(encoder))
    begun: list[tuple[int, ...]] = []
    real = np.random.default_rng

    def noted(seed: Any) -> np.random.Generator:
        begun.append(tuple(np.random.SeedSequence(seed).generate_state(4).tolist()))
        return real(seed)

    monkeypatch.setattr(np.random, "default_rng", noted)
    task.loss(AskedTriples(task._triples[:3], task._triples[:3]))
    assert len(begun) == 2
    assert len(set(begun)) == 2


def test_what_it_learns_holds_for_people_whom_it_never_saw(encoder: str, tmp_path: Path) -> None:
    training = options(encoder, fanout="6,6,6", epochs=20, patience=20)
    trained = graph_trainer.train(family("a"), training, tmp_path)
    losses = [row["loss"] for row in trained.history]
    assert losses[-1] < 0.9 * losses[0]
    found = []
    for place in (tmp_path, None):
        made = new_weights(training, 2)
        if place:
            checkpoint.load_weights(made, checkpoint.read_tensors(place / store.WEIGHTS)[0])
        model = GraphModel(training, made, RELATIONS, family("b"))
        found.append(float(summary(model.ranks(family("b").triples(TEST), Known(family("b").triples(), 2)))["mrr"]))
    assert found[0] > 1.5 * found[1]


def test_the_same_seed_gives_the_same_bits_also_where_it_went_on(encoder: str, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "later", "other")]
    for folder, epochs, seed in zip([*folders[:2], *folders[1:]], (3, 1, 3, 3), (0, 0, 0, 5), strict=True):
        folder.mkdir(exist_ok=True)
        graph_trainer.train(family("a"), options(encoder, epochs=epochs, seed=seed), folder)
    one, later, other = (checkpoint.read_tensors(folder / store.WEIGHTS)[0] for folder in folders)
    assert all(torch.equal(value, later[name]) for name, value in one.items())
    assert not all(torch.equal(value, other[name]) for name, value in one.items())


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"fanout": "10,10"}, "'10,10' has 2 numbers for 3 layers"),
        ({"fanout": "10,x,10"}, "give a number from 1 for each layer"),
        ({"fanout": "10,0,10"}, "give a number from 1 for each layer"),
        ({"fanout": "4,4,4", "negatives": 0}, "do not work with fanout"),
        ({"negatives": 5}, "'negatives' is not used by the encoder"),
        ({"encoder": "nbfnet", "fanout": "4,4,4"}, "'fanout' is not used by the encoder nbfnet"),
        ({"encoder": "", "fanout": "4,4,4"}, "works only with an encoder"),
    ],
)
def test_options_that_do_not_fit(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadName, match=why):
        with_defaults("distmult", {"encoder": "sage", **({} if given.get("encoder") == "" else {"layers": 3}), **given})


def test_without_a_fanout_a_record_is_as_before() -> None:
    assert not {"fanout", "negatives"} & set(with_defaults("distmult", {"encoder": "sage"}).facts())
    assert {"fanout", "negatives"} <= set(options("sage").facts())
    assert "fanout" not in with_defaults("distmult", {}).facts()
