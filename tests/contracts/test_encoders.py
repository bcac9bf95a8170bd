"""Every encoder goes through the same cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from torch import Tensor
from torch.nn import ModuleDict

from harmgraph.common.errors import BadName, InputError
from harmgraph.models import checkpoint, store
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import Encoder, VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import GraphModel, bound_to, new_weights
from harmgraph.models.embedding.options import EmbeddingOptions, with_defaults
from harmgraph.models.embedding.ranking import Known, summary
from harmgraph.models.embedding.training import graph_trainer
from harmgraph.models.embedding.training.graph_task import AskedTriples, GraphTask
from harmgraph.models.subgraph.back_end import back_ends
from harmgraph.models.subgraph.split import TEST, TRAIN
from harmgraph.models.subgraph.subgraph import Subgraph
from tests.support.family import family

torch.set_num_threads(1)
RELATIONS, COLUMNS, LAYERS = 3, 6, 2
TRIPLES = np.array([[0, 0, 1], [1, 1, 2], [2, 0, 3], [0, 2, 3], [4, 1, 5]])
ENTITIES = 7
ASKED, OF = torch.tensor([0, 2, 4]), torch.tensor([0, 4, 1])


@pytest.fixture(params=encoders.names())
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return encoders.get(request.param)


def options(encoder: Encoder, **more: Any) -> EmbeddingOptions:
    small = {"dim": 16, "layers": 3, "batch": 4, "epochs": 12, "epoch_triples": 0, "lr": 0.01, "patience": 12}
    return with_defaults("distmult", {"encoder": encoder.name, **small, **more})


def little(encoder: Encoder) -> EmbeddingOptions:
    return options(encoder, dim=COLUMNS, layers=LAYERS)


def weights(encoder: Encoder) -> ModuleDict:
    torch.manual_seed(1)
    return encoder.weights(2 * RELATIONS, little(encoder))


def bound(triples: Any = TRIPLES) -> BoundGraph:
    return bound_to(triples, ENTITIES, RELATIONS, "cpu")


def test_it_scores_every_entity(encoder: Encoder) -> None:
    scores = encoder.scores(weights(encoder), little(encoder), bound(), ASKED, OF)
    assert scores.shape == (len(ASKED), ENTITIES)
    assert torch.isfinite(scores).all()


def test_the_numbers_of_entities_do_not_matter(encoder: Encoder) -> None:
    """There is no table: other ids of the same entities have the same scores."""
    other = torch.tensor([3, 0, 6, 2, 5, 1, 4])
    moved = TRIPLES.copy()
    moved[:, [0, 2]] = other.numpy()[TRIPLES[:, [0, 2]]]
    made = weights(encoder)
    scores = encoder.scores(made, little(encoder), bound(), ASKED, OF)
    again = encoder.scores(made, little(encoder), bound(moved), other[ASKED], OF)
    torch.testing.assert_close(again[:, other], scores)


def test_an_edge_that_carries_nothing_is_as_one_that_is_not_there(encoder: Encoder) -> None:
    made, whole = weights(encoder), bound()
    kept = whole.kept.clone()
    kept[torch.from_numpy(whole.graph.edges_of(TRIPLES[:2]))] = 0
    without = encoder.scores(made, little(encoder), replace(whole, kept=kept), ASKED, OF)
    torch.testing.assert_close(without, encoder.scores(made, little(encoder), bound(TRIPLES[2:]), ASKED, OF))
    assert not torch.allclose(without, encoder.scores(made, little(encoder), whole, ASKED, OF))


def test_every_back_end_gives_the_same_scores_and_gradients(encoder: Encoder) -> None:
    found: list[list[Tensor]] = []
    for back_end in back_ends:
        if back_end.is_available("cpu"):
            made, of = weights(encoder), bound()
            scores = encoder.scores(made, little(encoder), replace(of, sums=back_end.sums(of.graph, "cpu")), ASKED, OF)
            scores.square().sum().backward()
            found.append([scores.detach(), *(value.grad for value in made.parameters() if value.grad is not None)])
    if len(found) < 2:
        pytest.skip("only one back end is installed")
    assert len(found[0]) > 3
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_the_answers_of_a_step_carry_no_messages(encoder: Encoder) -> None:
    """Else each answer would be one step away."""
    lonely = family("a")
    lonely = replace(lonely, split=np.full(len(lonely), TRAIN, np.int8))
    task = GraphTask(new_weights(options(encoder), 2), lonely, options(encoder))
    seen: list[set[int]] = []
    piece = lonely.triples()[:3]

    def scores(
        made: ModuleDict, training: EmbeddingOptions, of: BoundGraph, entities: Tensor, relations: Tensor
    ) -> Tensor:
        seen.append(set(torch.nonzero(of.kept == 0).flatten().tolist()))
        assert seen[-1] == set(of.graph.edges_of(piece).tolist())
        return torch.zeros(len(entities), of.graph.entities)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(encoder), "scores", lambda self, *given: scores(*given))
        task.loss(AskedTriples(piece[:2], piece))
    assert [len(edges) for edges in seen] == [6], "three triples in both directions"


def test_a_step_in_parts_has_the_same_gradients(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    lonely = family("a")
    found = []
    for most in (0, 1):  # all questions at once, and each triple for itself
        monkeypatch.setattr(type(encoder), "questions_at_once", lambda self, training, graph, most=most: most)
        task = GraphTask(new_weights(options(encoder), 2), lonely, options(encoder, batch=5))
        step = next(iter(task.steps(0)))
        assert len(step.pieces) == (5 if most else 1)
        for piece in step.pieces:
            task.loss(piece).backward()
        found.append([each.grad for each in task.model.parameters() if each.grad is not None])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def mrr(encoder: Encoder, folder: Path, training: EmbeddingOptions, on: Subgraph) -> float:
    made = new_weights(training, 2)
    checkpoint.load_weights(made, checkpoint.read_tensors(folder / store.WEIGHTS)[0])
    model = GraphModel(training, made, ("GRANDPARENT", "PARENT"), on)
    return float(summary(model.ranks(on.triples(TEST), Known(on.triples(), 2)))["mrr"])


def untaught(encoder: Encoder, folder: Path, training: EmbeddingOptions) -> float:
    (folder / "untaught").mkdir()
    first = checkpoint.distinct_weights(new_weights(training, 2))
    checkpoint.write_tensors(folder / "untaught" / store.WEIGHTS, first)
    return mrr(encoder, folder / "untaught", training, family("b"))


@pytest.mark.parametrize("seed", [0, 1])
def test_what_it_learns_holds_for_people_whom_it_never_saw(encoder: Encoder, tmp_path: Path, seed: int) -> None:
    """Paths tell each grandparent. Vectors tell only what people have in common, such as how many are above them."""
    training = options(encoder, seed=seed)
    trained = graph_trainer.train(family("a"), training, tmp_path)
    losses = [row["loss"] for row in trained.history]
    assert losses[-1] < losses[0] * (0.5 if not isinstance(encoder, VectorEncoder) else 0.9)
    reached, before = mrr(encoder, tmp_path, training, family("b")), untaught(encoder, tmp_path, training)
    if isinstance(encoder, VectorEncoder):
        assert reached > 1.5 * before
    else:
        assert min(trained.best_mrr, reached) > 0.7
        assert before < 0.5


def test_the_same_seed_gives_the_same_bits_also_where_it_went_on(encoder: Encoder, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two", "later", "other")]
    for folder in folders:
        folder.mkdir()
    graph_trainer.train(family("a"), options(encoder, epochs=3), folders[0])
    graph_trainer.train(family("a"), options(encoder, epochs=3), folders[1])
    for epochs in (1, 3):
        graph_trainer.train(family("a"), options(encoder, epochs=epochs), folders[2])
    graph_trainer.train(family("a"), options(encoder, epochs=3, seed=5), folders[3])
    one, two, later, other = (checkpoint.read_tensors(folder / store.WEIGHTS)[0] for folder in folders)
    for name, value in one.items():
        assert torch.equal(value, two[name])
        assert torch.equal(value, later[name])
    assert not all(torch.equal(value, other[name]) for name, value in one.items())


@pytest.mark.parametrize("composition", ["sub", "corr"])
def test_other_compositions_and_dropout_learn_too(tmp_path: Path, composition: str) -> None:
    training = options(encoders.get("compgcn"), composition=composition, dropout=0.1, dim=15)
    trained = graph_trainer.train(family("a"), training, tmp_path)
    assert trained.history[-1]["loss"] < 0.9 * trained.history[0]["loss"]


def test_two_threads_give_the_same_bits_each_time(encoder: Encoder) -> None:
    """Sums of gradients in no fixed order show with two threads and many numbers alone."""
    rng = np.random.default_rng(3)
    triples = np.stack([rng.integers(most, size=20_000) for most in (400, RELATIONS, 400)], axis=1)
    large, made = bound_to(triples, 400, RELATIONS, "cpu"), weights(encoder)
    asked = torch.arange(8)
    torch.set_num_threads(2)
    try:
        found = []
        for _ in range(3):
            made.zero_grad()
            encoder.scores(made, little(encoder), large, asked, asked % OF.max()).square().sum().backward()
            found.append([value.grad.clone() for value in made.parameters() if value.grad is not None])
    finally:
        torch.set_num_threads(1)
    for again in found[1:]:
        assert all(torch.equal(one, other) for one, other in zip(found[0], again, strict=True))


def test_each_epoch_is_told(encoder: Encoder, tmp_path: Path) -> None:
    told: list[Any] = []
    trained = graph_trainer.train(family("a"), options(encoder, epochs=2), tmp_path, each_epoch=told.append)
    assert told == list(trained.history)
    assert [row["epoch"] for row in told] == [1, 2]


def test_the_learning_rate_falls_on_a_plateau(encoder: Encoder, tmp_path: Path) -> None:
    """With a factor of nearly nothing the model stays as it is from there on, also where the training was continued."""
    graph, seldom = family("a"), {"plateau_factor": 1e-9, "lr": 0.03, "epochs": 16, "patience": 16}
    found = [row["valid_mrr"] for row in graph_trainer.train(graph, options(encoder, **seldom), tmp_path).history]
    plateau = next(at for at in range(1, len(found)) if found[at] <= max(found[:at]))
    assert len(set(found[plateau:])) == 1 < len(found) - plateau
    assert len(set(found[: plateau + 1])) > 1
    went_on = tmp_path / "other"
    for epochs in (plateau + 2, 16):
        trained = graph_trainer.train(graph, options(encoder, **{**seldom, "epochs": epochs}), went_on)
    assert [row["valid_mrr"] for row in trained.history] == found


def test_without_valid_triples_no_plateau_is_seen(encoder: Encoder, tmp_path: Path) -> None:
    graph = family("a")
    alone = replace(graph, split=np.zeros_like(graph.split))
    with pytest.raises(InputError, match="no plateau is ever seen"):
        graph_trainer.train(alone, options(encoder, plateau_factor=0.5), tmp_path)
    trained = graph_trainer.train(alone, options(encoder, plateau_factor=0.5, epochs=1), tmp_path, chosen_on=graph)
    assert "valid_mrr" in trained.history[0]


def test_without_valid_triples_the_last_epoch_is_kept(encoder: Encoder, tmp_path: Path) -> None:
    graph = family("a")
    graph = replace(graph, split=np.full(len(graph), TRAIN, np.int8))
    trained = graph_trainer.train(graph, options(encoder, epochs=4, patience=1), tmp_path)
    assert (trained.epochs, trained.best_epoch, trained.stopped) == (4, 0, "epochs")


def test_an_epoch_may_be_a_part_drawn_at_random(encoder: Encoder) -> None:
    training = options(encoder, epoch_triples=8)
    task = GraphTask(new_weights(training, 2), family("a"), training)
    assert task.begin(0, "fp32") == 2
    first, again, second = (
        np.concatenate([piece.triples for step in task.steps(number) for piece in step.pieces]) for number in (0, 0, 1)
    )
    assert len(first) == 8
    assert (first == again).all()
    assert (first != second).any()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"negatives": 5}, "'negatives' is not used by the encoder"),
        ({"precision": "bf16"}, "does not work with the encoder"),
        ({"layers": 0}, "give 1 or more"),
        ({"epochs": 0}, "leave nothing to train"),
    ],
)
def test_options_that_do_not_fit(encoder: Encoder, given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadName, match=why):
        with_defaults("transe", {"encoder": encoder.name, **given})


def test_options_of_encoders_need_one() -> None:
    with pytest.raises(BadName, match="'layers' works only with an encoder"):
        with_defaults("transe", {"layers": 2})


def test_a_graph_of_relations_that_it_does_not_know(encoder: Encoder) -> None:
    with pytest.raises(InputError, match="no training edge of a relation that the model knows"):
        GraphModel(little(encoder), weights(encoder), ("IS_A", "PART_OF", "USED_FOR"), family("a"))
