"""Every embedding model goes through the same cases, with every comparator that it is defined with."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from torch import Generator, Tensor

from harmgraph.common.errors import BadName, InputError
from harmgraph.models import checkpoint
from harmgraph.models.embedding.comparators import comparator
from harmgraph.models.embedding.options import EmbeddingOptions, with_defaults
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.embedding.training import trainer
from harmgraph.models.embedding.training.step import LOSS, Corruption, GradientStep
from harmgraph.models.processor import Trial
from tests.support.toy import toy

pytestmark = pytest.mark.long

torch.set_num_threads(1)  # tables this small: threads would only wait for each other

CASES = [(model.name, name) for model in score_functions for name in model.comparators]
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"reciprocal": True, "n3": 0.1},
    {"negatives": 0, "label_smoothing": 0.2},
    {"chunk": 3},
)
PREDICTING_RELATIONS: tuple[dict[str, object], ...] = (
    {"relation_weight": 0.3, "chunk": 4},
    {"relation_weight": 0.3, "reciprocal": True},
)
"""Of linear models alone."""
N, M, D = 11, 3, 8


def tables(model: str, name: str, *, reciprocal: bool = False, double: bool = True) -> Tables:
    generator = Generator().manual_seed(5)
    member = score_functions.get(model)
    kind = torch.float64 if double else torch.float32
    return Tables(
        model,
        name,
        member.first_entities(N, D, 1.0, generator).to(kind),
        member.first_relations(M * (2 if reciprocal else 1), D, 1.0, generator).to(kind),
        tuple(f"e{number}" for number in range(N)),
        tuple(f"R{number}" for number in range(M)),
        reciprocal,
    )


def definition(model: str, name: str, head: Tensor, relation: Tensor, tail: Tensor) -> Tensor:
    """The score of one triple, written out as the papers have it, with complex numbers where they have them."""
    half = D // 2
    h, t = torch.complex(head[:half], head[half:]), torch.complex(tail[:half], tail[half:])
    if model == "transe":
        moved = head + relation
        return {"dot": moved @ tail, "l2": -(moved - tail).norm(), "l1": -(moved - tail).abs().sum()}[name]
    if model == "rescal":
        return sum(
            (head[row] * relation[D * row + column] * tail[column] for row in range(D) for column in range(D)),
            tail[0] * 0,
        )
    if model == "distmult":
        return (head * relation * tail).sum()
    if model == "complex":
        return (h * torch.complex(relation[:half], relation[half:]) * t.conj()).sum().real
    turned = h * torch.exp(1j * relation)
    difference = (turned - t).abs()
    return {"dot": (turned * t.conj()).sum().real, "l2": -difference.norm(), "l1": -difference.sum()}[name]


@pytest.mark.parametrize("model", score_functions.names())
def test_metadata(model: str) -> None:
    member = score_functions.get(model)
    assert member.name == model
    assert member.citation
    assert member.__doc__
    with_defaults(model, {})
    with pytest.raises(BadName, match="does not work with"):
        member.checked(D, "cosine")
    if member.paired:
        with pytest.raises(BadName, match="is odd"):
            member.checked(7, member.comparators[0])


@pytest.mark.parametrize(("model", "name"), CASES)
class TestScores:
    def test_are_those_of_the_definition(self, model: str, name: str) -> None:
        found = tables(model, name)
        for head, relation, tail in ((0, 0, 1), (3, 2, 3), (10, 1, 4)):
            expected = definition(model, name, found.entities[head], found.relations[relation], found.entities[tail])
            ids = [torch.tensor([number]) for number in (head, relation, tail)]
            assert found.score(*ids).item() == pytest.approx(expected.item(), rel=1e-6)

    def test_of_candidates_are_those_of_the_triples(self, model: str, name: str) -> None:
        found = tables(model, name)
        head, relation = torch.tensor([0, 4, 10]), torch.tensor([2, 0, 1])
        every = torch.arange(N)
        tails = torch.stack([found.score(head, relation, every[k].expand(3)) for k in range(N)], dim=1)
        torch.testing.assert_close(found.score_tails(head, relation), tails)
        torch.testing.assert_close(found.score_tails(head, relation, every[3:5]), tails[:, 3:5])
        heads = torch.stack([found.score(every[k].expand(3), relation, head) for k in range(N)], dim=1)
        torch.testing.assert_close(found.score_heads(relation, head), heads)
        torch.testing.assert_close(found.score_heads(relation, head, every[:2]), heads[:, :2])

    def test_of_heads_by_reciprocal_relations(self, model: str, name: str) -> None:
        found = tables(model, name, reciprocal=True)
        tail, relation = torch.tensor([0, 4]), torch.tensor([2, 0])
        torch.testing.assert_close(found.score_heads(relation, tail), found.score_tails(tail, relation + M))

    def test_differentiate_with_respect_to_the_head(self, model: str, name: str) -> None:
        found = tables(model, name)
        relation, tail = torch.tensor([0, 1]), found.entities[[7, 8]]
        head = found.entities[[1, 2]].clone().requires_grad_()
        assert torch.autograd.gradcheck(lambda rows: found.score_rows(rows, relation, tail), head)

    def test_query_of_relations_gives_the_scores_of_all(self, model: str, name: str) -> None:
        member, found = score_functions.get(model), tables(model, name)
        if not member.linear:
            with pytest.raises(BadName, match="relation_weight"):
                EmbeddingOptions(model=model, dim=D, comparator=name, relation_weight=0.5)
            return
        heads, tails = torch.tensor([0, 4, 10]), torch.tensor([1, 3, 4])
        scores = member.relation_query(found.entities[heads], found.entities[tails]) @ found.relations.T
        expected = [found.score(heads, torch.full_like(heads, relation), tails) for relation in range(M)]
        torch.testing.assert_close(scores, torch.stack(expected, dim=1))

    def test_matrix_has_the_gradient_of_its_definition(self, model: str, name: str) -> None:
        compare = comparator(name, paired=score_functions.get(model).paired)
        generator = Generator().manual_seed(1)
        query = torch.randn(4, D, generator=generator, dtype=torch.float64, requires_grad=True)
        candidates = torch.randn(5, D, generator=generator, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(lambda one, two: compare.matrix(one, two, False), (query, candidates))


@pytest.mark.parametrize("name", ["dot", "l2", "l1", "paired l1"])
def test_scores_written_into_given_memory_are_those_of_the_matrix(name: str) -> None:
    compare = comparator(name.removeprefix("paired "), paired=name.startswith("paired"))
    generator = Generator().manual_seed(1)
    # More numbers than a tile has, so that there are several.
    query = torch.randn(6, 8, generator=generator, dtype=torch.float64)
    candidates = torch.randn(11_000, 8, generator=generator, dtype=torch.float64)
    memory = torch.full((8, 11_000), torch.nan, dtype=torch.float64)
    score = compare.against(candidates)
    for rows in (slice(0, 6), slice(1, 2)):
        out = memory[: len(query[rows])]
        assert score(query[rows], out) is out
        torch.testing.assert_close(out, compare.matrix(query[rows], candidates, False))
    assert memory[6:].isnan().all()


@pytest.mark.parametrize(
    ("model", "name", "options"),
    [
        (model, name, options)
        for model, name in CASES
        for options in (*OPTIONS, *(PREDICTING_RELATIONS if score_functions.get(model).linear else ()))
    ],
)
def test_a_step_has_the_gradients_of_the_loss_over_the_whole_tables(
    model: str, name: str, options: dict[str, object]
) -> None:
    """Against plain autograd over full tables, one triple and one candidate at a time."""
    training = EmbeddingOptions(model, D, **{"negatives": 4, "comparator": name, "batch": 6, **options})  # type: ignore[arg-type]
    found = tables(model, name, reciprocal=training.reciprocal)
    triples = torch.tensor([[0, 0, 1], [0, 1, 1], [2, 2, 2], [3, 0, 0], [10, 1, 3], [0, 0, 4]])
    step = GradientStep(training, found.entities, found.relations, Generator().manual_seed(3))
    drawn = step.draw(len(triples))
    loss, entities, relations = step.gradients(triples, drawn)
    full = replace(
        found, entities=found.entities.clone().requires_grad_(), relations=found.relations.clone().requires_grad_()
    )
    expected = full_loss(full, training, triples, drawn.corruptions)
    expected.backward()  # type: ignore[no-untyped-call]
    assert float(loss) == pytest.approx(expected.item())
    for gradient, table in ((entities, full.entities), (relations, full.relations)):
        whole = torch.zeros_like(table)
        if gradient.index is None:
            whole = gradient.rows
        else:
            assert len(set(gradient.index.tolist())) == len(gradient.index)
            whole[gradient.index] = gradient.rows
        torch.testing.assert_close(whole, table.grad)


def full_loss(
    found: Tables, training: EmbeddingOptions, triples: Tensor, drawn: list[tuple[Corruption, Corruption]]
) -> Tensor:
    total = torch.zeros((), dtype=torch.float64)
    member = found.score_function
    for number, (head, relation, tail) in enumerate(triples.tolist()):
        tails, heads = drawn[number // (training.chunk or len(triples))]
        for side, corruption, right in (("tail", tails, tail), ("head", heads, head)):
            every = range(N) if corruption.index is None else corruption.index.tolist()
            others = torch.tensor([entity for entity in every if entity != right])
            one, kind = torch.tensor([head if side == "tail" else tail]), torch.tensor([relation])
            scores = found.score_tails(one, kind) if side == "tail" else found.score_heads(kind, one)
            total = total + LOSS[training.loss](scores[:, right], scores[:, others], training) / 2
        if training.relation_weight:  # Chen et al. 2021, equation 3
            for one, two, back in ((head, tail, 0), (tail, head, M))[: 1 + training.reciprocal]:
                ends = torch.tensor([one]), torch.tensor([two])
                scores = torch.stack(
                    [found.score(ends[0], torch.tensor([kind + back]), ends[1])[0] for kind in range(M)]
                )
                lost = scores.logsumexp(0) - scores[relation]
                total = total + training.relation_weight * lost / 2
        if training.n3:
            for back in (0, M):  # two examples, the mean of both as everything else
                rows = [found.entities[[head]], found.entities[[tail]]]
                rows += [found.relations[[relation + back]]] if member.weighs else []
                total = total + training.n3 * torch.stack([member.moduli(row).pow(3).sum() for row in rows]).sum() / 2
    return total / len(triples)


@pytest.mark.parametrize(("reciprocal", "predictions"), [(False, 1), (True, 2)])
@pytest.mark.parametrize("weight", [0.5, 4.0])
def test_a_prediction_of_a_relation_weighs_as_in_the_paper(reciprocal: bool, predictions: int, weight: float) -> None:
    """Where all scores are 0, an entity is told with probability 1 / N and a relation with 1 / M.

    Chen et al. 2021, equation 3: log P(head) + log P(tail) + weight log P(relation). With reciprocal relations the sum runs over
    the inverse triples too, of which only the tail is predicted, and the relation.
    """
    training = EmbeddingOptions(
        "distmult", D, negatives=0, comparator="dot", batch=6, relation_weight=weight, reciprocal=reciprocal
    )
    entities, relations = torch.zeros(N, D), torch.zeros(M * (1 + reciprocal), D)
    triples = torch.tensor([[0, 0, 1], [2, 1, 3], [4, 2, 4]])
    step = GradientStep(training, entities, relations, Generator())
    loss, _, _ = step.gradients(triples, step.draw(len(triples)))
    assert 2 * loss.item() == pytest.approx(2 * math.log(N) + weight * predictions * math.log(M))


def options(model: str, name: str, **more: object) -> EmbeddingOptions:
    given = {"dim": 16, "negatives": 12, "batch": 16, "epochs": 40, "scale": 0.1, "comparator": name, "valid_every": 0}
    return with_defaults(model, given | more)


@pytest.mark.parametrize(("model", "name"), CASES)
@pytest.mark.parametrize("loss", list(LOSS))
def test_training_makes_true_triples_likelier_than_corrupted_ones(
    model: str, name: str, loss: str, tmp_path: Path
) -> None:
    subgraph = toy()
    trained = trainer.train(subgraph, options(model, name, loss=loss, margin=2.0, lr=0.1), tmp_path)
    losses = [row["loss"] for row in trained.history]
    assert losses[-1] < losses[0]
    triples = torch.from_numpy(subgraph.triples(0))
    true = trained.tables.score(*triples.unbind(1))
    rng = np.random.default_rng(1)
    known = {tuple(triple) for triple in subgraph.triples().tolist()}
    false = torch.from_numpy(rng.integers(len(subgraph.entities), size=(len(triples), 20)))
    better = [
        bool(true[at] > trained.tables.score(triples[at, :1], triples[at, 1:2], tail.reshape(1)))
        for at in range(len(triples))
        for tail in false[at]
        if (int(triples[at, 0]), int(triples[at, 1]), int(tail)) not in known
    ]
    assert np.mean(better) > 0.8


@pytest.mark.parametrize("model", score_functions.names())
@pytest.mark.parametrize("optimiser", ["adagrad", "adam"])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_the_same_seed_gives_the_same_tables_interrupted_or_not(
    model: str, optimiser: str, precision: str, tmp_path: Path
) -> None:
    subgraph = toy()
    training = options(
        model,
        "",
        optimiser=optimiser,
        precision=precision,
        epochs=6,
        dropout=0.1,
        reciprocal=True,
        valid_every=2,
        seed=3,
    )
    folders = [tmp_path / name for name in ("one", "two", "stopped", "other")]
    for folder in folders:
        folder.mkdir()
    one, two = (trainer.train(subgraph, training, folder).tables for folder in folders[:2])
    assert torch.equal(one.entities, two.entities)
    assert torch.equal(one.relations, two.relations)
    for _ in range(20):  # in the middle of epochs, and at their ends
        try:
            resumed = trainer.train(subgraph, training, folders[2], stop_after=2)
            break
        except KeyboardInterrupt:
            continue
    assert torch.equal(one.entities, resumed.tables.entities)
    assert torch.equal(one.relations, resumed.tables.relations)
    last = [checkpoint.load(folder / trainer.CHECKPOINT) for folder in (folders[0], folders[2])]
    assert last[0] is not None and last[1] is not None
    assert last[0].optimiser.keys() == last[1].optimiser.keys() != set()
    assert all(torch.equal(last[0].optimiser[name], last[1].optimiser[name]) for name in last[0].optimiser)
    assert torch.equal(last[0].generator, last[1].generator)
    other = trainer.train(subgraph, replace(training, seed=4), folders[3]).tables
    assert not torch.equal(one.entities, other.entities)


def test_steps_that_are_timed_count_once(tmp_path: Path) -> None:
    """Two threads may be chosen or one: the tables are those of a fixed number, dropout and all."""
    subgraph, told = toy(), []
    training = options("complex", "", epochs=3, dropout=0.1, valid_every=1)
    found = []
    torch.set_num_threads(2)
    try:
        for name, threads in (("timed", 0), ("one", 1), ("two", 2)):
            folder = tmp_path / name
            folder.mkdir()
            trained = trainer.train(subgraph, training, folder, threads=threads, tell=told.append)
            assert torch.get_num_threads() == 2, "the number is given back"
            state = checkpoint.load(folder / trainer.CHECKPOINT)
            assert state is not None and (threads == 0 or trained.threads == state.threads == threads)
            found.append((trained, state))
    finally:
        torch.set_num_threads(1)
    assert [line.split(":")[0] for line in told] == ["2 threads" if found[0][0].threads == 2 else "one thread"]
    for trained, state in found[1:]:
        assert torch.equal(trained.tables.entities, found[0][0].tables.entities)
        assert torch.equal(state.generator, found[0][1].generator)
        assert [row["loss"] for row in trained.history] == [row["loss"] for row in found[0][0].history]


def test_a_training_leaves_the_processor_as_it_was(tmp_path: Path) -> None:
    smallest = torch.tensor([1e-40])
    assert (smallest * 1.0).item() > 0
    trainer.train(toy(), options("transe", "l2", epochs=1), tmp_path)
    assert (smallest * 1.0).item() > 0


def test_a_number_of_threads_that_was_named_holds_when_the_training_goes_on(tmp_path: Path) -> None:
    subgraph, training = toy(), options("transe", "l2", epochs=3)
    with pytest.raises(KeyboardInterrupt):
        trainer.train(subgraph, training, tmp_path, threads=2, stop_after=2)
    assert trainer.train(subgraph, training, tmp_path).threads == 2
    assert trainer.train(subgraph, replace(training, epochs=4), tmp_path, threads=1).threads == 1
    assert trainer.train(subgraph, replace(training, epochs=5), tmp_path).threads == 1


def test_the_learning_rate_falls_on_a_plateau() -> None:
    training = options("distmult", "", valid_every=1, lr=0.8, plateau_factor=0.5, plateau_patience=2, patience=99)
    rates = []
    history: list[dict[str, float]] = []
    for mrr in (0.1, 0.2, 0.2, 0.1, 0.15, None, 0.3, 0.1, 0.1):
        rates.append(trainer.learning_rate(training, history))
        history.append({} if mrr is None else {"valid_mrr": mrr})
    assert rates == [0.8, 0.8, 0.8, 0.8, 0.4, 0.4, 0.4, 0.4, 0.4]
    assert trainer.learning_rate(training, history) == 0.2
    assert trainer.learning_rate(options("distmult", ""), history) == options("distmult", "").lr
    with pytest.raises(BadName, match="needs evaluations"):
        options("distmult", "", plateau_factor=0.5, valid_every=0)


def test_a_plateau_is_kept_over_an_interruption(tmp_path: Path) -> None:
    subgraph = toy()
    training = options("distmult", "", epochs=6, valid_every=1, plateau_factor=0.5, patience=99)
    folders = [tmp_path / name for name in ("one", "stopped")]
    for folder in folders:
        folder.mkdir()
    told: list[int] = []
    one = trainer.train(subgraph, training, folders[0], threads=1, each_epoch=lambda row: told.append(row["epoch"]))
    assert told == [1, 2, 3, 4, 5, 6]
    assert one.history[-1]["lr"] < training.lr, "the toy graph is learnt in fewer epochs"
    with pytest.raises(KeyboardInterrupt):
        trainer.train(subgraph, training, folders[1], threads=1, stop_after=9)
    two = trainer.train(subgraph, training, folders[1], threads=1)
    assert [row["lr"] for row in two.history] == [row["lr"] for row in one.history]
    assert torch.equal(one.tables.entities, two.tables.entities)


def test_a_trial_tells_whether_the_threads_change_the_last_bits() -> None:
    step = torch.tensor([1.0, 2.0])
    for results, alike in (
        ([[step], [step.clone()], [step + 1]], True),  # the first two are of one thread and of all
        ([[step], [step * (1 + 1e-7)], [step]], False),
        ([[step], [step, step], [step]], False),
    ):
        left = iter(results)
        trial = Trial(lambda left=left: next(left))  # type: ignore[misc]
        assert [trial() for _ in results] == [1.0] * len(results)
        assert trial.alike is alike


def test_several_processes_take_the_step_of_one(tmp_path: Path) -> None:
    """With every entity as a negative nothing is drawn, so two processes must come to what one comes to."""
    subgraph = toy()
    # A gentle rate: Adagrad's first step of a weight is the rate whatever its gradient, and so it enlarges rounding.
    training = options("complex", "", negatives=0, epochs=3, n3=0.01, valid_every=1, lr=0.003)
    folders = [tmp_path / name for name in ("one", "two", "stopped")]
    for folder in folders:
        folder.mkdir()
    one = trainer.train(subgraph, training, folders[0])
    two = trainer.train(subgraph, training, folders[1], processes=2)
    torch.testing.assert_close(one.tables.entities, two.tables.entities, rtol=1e-3, atol=1e-4)
    assert [row["loss"] for row in two.history] == pytest.approx([row["loss"] for row in one.history], rel=1e-4)
    with pytest.raises(InputError, match="continue with --processes 2, or start over with --again"):
        trainer.train(subgraph, replace(training, epochs=4), folders[1])


def test_several_processes_resume_to_the_same_tables(tmp_path: Path) -> None:
    subgraph = toy()
    training = options("transe", "l2", epochs=3, dropout=0.1)
    folders = [tmp_path / name for name in ("one", "stopped")]
    for folder in folders:
        folder.mkdir()
    one = trainer.train(subgraph, training, folders[0], processes=2).tables
    with pytest.raises(KeyboardInterrupt):
        trainer.train(subgraph, training, folders[1], processes=2, stop_after=5)
    two = trainer.train(subgraph, training, folders[1], processes=2).tables
    assert torch.equal(one.entities, two.entities)
