"""Vectors of people that do not tell a sensitive relation: by an adversary, and by a projection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from torch import Tensor

from harmgraph.common.errors import BadName, InputError
from harmgraph.models.embedding.options import ADVERSARY, PROJECTION, EmbeddingOptions, with_defaults
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.embedding.training import trainer
from harmgraph.models.embedding.training.neutral import Adversary, Attribute, directions, projected
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled

torch.set_num_threads(1)
PEOPLE = 80
SEX, JOB, BORN = "SEX", "JOB", "BORN"


def world(*, turned: bool = False, sexes: int = 2) -> Subgraph:
    """People whose work goes nine times in ten with their sex, born anywhere."""
    generator = np.random.default_rng(4)
    triples = []
    for number in range(PEOPLE):
        name, sex = f"p{number:02d}", number % sexes
        triples.append((f"sex{sex}", SEX, name) if turned else (name, SEX, f"sex{sex}"))
        of = sex if generator.random() < 0.9 else (sex + 1) % sexes
        triples += [(name, JOB, f"job{of}{each}") for each in generator.permutation(4)[:3]]
        triples.append((name, BORN, f"town{generator.integers(5)}"))
    head, relation, tail = (list(column) for column in zip(*triples, strict=True))
    return assembled(Columns(head, relation, tail, ["train"] * len(head)))


def options(model: str = "distmult", **more: object) -> EmbeddingOptions:
    given = {"dim": 16, "negatives": 20, "batch": 64, "epochs": 60, "valid_every": 0, "scale": 0.1, "neutral": SEX}
    return EmbeddingOptions(model, **{**given, **more})  # type: ignore[arg-type]


def told(subgraph: Subgraph, training: EmbeddingOptions, folder: Path) -> float:
    """How often a linear classifier tells the sex from a vector, held out; .5 is chance."""
    tables = trainer.train(subgraph, training, folder, threads=1).tables
    assert tables is not None
    at = Attribute.of(subgraph, SEX)
    found = cross_val_predict(LogisticRegression(C=10.0), tables.entities[at.people].numpy(), at.place.numpy(), cv=5)
    return float((found == at.place.numpy()).mean())


@pytest.mark.parametrize("model", ["transe", "distmult", "complex", "rotate"])
@pytest.mark.parametrize("turned", [False, True])
def test_gradients_of_the_adversary(model: str, turned: bool) -> None:
    """Against autograd of the two losses over the scores of the tables."""
    subgraph = world(turned=turned, sexes=3)
    training = options(model, neutral=f"^{SEX}" if turned else SEX, neutral_weight=0.7)
    at = Attribute.of(subgraph, training.neutral)
    generator = torch.Generator().manual_seed(1)
    width = 8 if model == "rotate" else 16
    entities = torch.randn(len(subgraph.entities), 16, generator=generator)
    relations = torch.randn(len(subgraph.relations), width, generator=generator)
    adversary = Adversary(training, at)
    drawn = torch.tensor([3, 5, 8])
    found = adversary.gradients(entities, relations, drawn, weight=0.5)

    def scores(entities: Tensor, relations: Tensor) -> Tensor:
        tables = Tables(model, training.chosen_comparator, entities, relations)
        people, relation = at.people[drawn], torch.full((3,), at.relation)
        if turned:
            return tables.score_heads(relation, people, at.values)
        return tables.score_tails(people, relation, at.values)

    own, kinds = entities.clone().requires_grad_(), relations.clone().requires_grad_()
    likely = torch.softmax(scores(own, kinds), 1)[torch.arange(3), at.place[drawn]]
    (-0.5 * likely.log().mean()).backward()  # type: ignore[no-untyped-call]
    assert own.grad is not None
    torch.testing.assert_close(found.values, own.grad[at.values])
    if model == "transe" and turned:  # by a dot product the relation adds as much to each value
        assert not found.relation.any()
    else:
        assert kinds.grad is not None
        torch.testing.assert_close(found.relation, kinds.grad[at.relation : at.relation + 1])
    own = entities.clone().requires_grad_()
    said = torch.softmax(scores(own, relations), 1)
    apart = (at.shares * (at.shares / said).log()).sum(1).mean()
    (0.5 * 0.7 * apart).backward()  # type: ignore[no-untyped-call]
    assert own.grad is not None
    torch.testing.assert_close(found.people, own.grad[at.people[drawn]])


def test_who_has_which_value() -> None:
    at, turned = Attribute.of(world(), SEX), Attribute.of(world(turned=True), f"^{SEX}")
    names = world().entities
    assert [names[value] for value in at.values] == ["sex0", "sex1"]
    for each in (at, turned):
        assert at.counts.tolist() == [40, 40]
        assert [names[person] for person in each.people[each.place == 1]] == [
            f"p{odd:02d}" for odd in range(1, PEOPLE, 2)
        ]


@pytest.mark.parametrize("sexes", [2, 3])
def test_the_means_of_the_values_are_the_same_after_a_projection(sexes: int) -> None:
    subgraph = world(sexes=sexes)
    at = Attribute.of(subgraph, SEX)
    entities = torch.randn(len(subgraph.entities), 16, generator=torch.Generator().manual_seed(1))
    assert directions(entities, at).shape == (sexes - 1, 16)
    left = projected(entities, at)
    means = torch.stack([left[at.people[at.place == value]].mean(0) for value in range(sexes)])
    torch.testing.assert_close(means, means[:1].expand(sexes, -1), atol=1e-5, rtol=0)
    assert torch.equal(left[at.values], entities[at.values])
    others = torch.ones(len(entities), dtype=torch.bool)
    others[at.values] = False
    moved = (left - entities)[others]
    assert int(torch.linalg.matrix_rank(moved, atol=1e-4)) == sexes - 1, "nothing else is taken out"


def test_a_projection_leaves_rare_values_out(tmp_path: Path) -> None:
    """Five towns with some sixteen people each, of which some have fewer than ten."""
    tables = trainer.train(world(), options(neutral=BORN, neutral_by=PROJECTION, epochs=1), tmp_path).tables
    assert tables is not None
    at = Attribute.of(world(), BORN)
    assert at.common.tolist().count(False) == 1, at.counts
    means = torch.stack([tables.entities[at.people[at.place == value]].mean(0) for value in range(5)])
    common = means[at.common]
    torch.testing.assert_close(common, common[:1].expand(len(common), -1), atol=1e-5, rtol=0)
    assert (means[~at.common] - common[0]).abs().max() > 1e-3


@pytest.mark.parametrize("model", ["transe", "distmult"])
def test_both_ways_hide_what_a_plain_training_tells(model: str, tmp_path: Path) -> None:
    subgraph = world()
    shares = {}
    for name in ("", ADVERSARY, PROJECTION):
        (tmp_path / name).mkdir(exist_ok=True)
        training = options(model, neutral_by=name, neutral_weight=10.0) if name else options(model, neutral="")
        shares[name] = told(subgraph, training, tmp_path / name)
    assert shares[""] > 0.85
    assert shares[ADVERSARY] < shares[""] - 0.1
    assert shares[PROJECTION] < shares[""] - 0.1


@pytest.mark.parametrize("way", [ADVERSARY, PROJECTION])
def test_an_interrupted_training_ends_with_the_same_bits(way: str, tmp_path: Path) -> None:
    subgraph, training = world(), options(neutral_by=way, epochs=4)
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    one = trainer.train(subgraph, training, folders[0], threads=1).tables
    with pytest.raises(KeyboardInterrupt):
        trainer.train(subgraph, training, folders[1], threads=1, stop_after=7)
    two = trainer.train(subgraph, training, folders[1], threads=1).tables
    assert one is not None
    assert two is not None
    assert torch.equal(one.entities, two.entities)
    assert torch.equal(one.relations, two.relations)


def test_a_model_without_it_has_the_options_of_before() -> None:
    plain = EmbeddingOptions("distmult")
    assert not {name for name in plain.facts() if name.startswith("neutral")}
    assert options().facts()["neutral_weight"] == 1
    assert "neutral_weight" not in options(neutral_by=PROJECTION).facts()
    assert EmbeddingOptions.of(options().facts()) == replace(options(), comparator="dot")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"neutral_by": PROJECTION}, "neutral_by"),
        ({"neutral_weight": 2.0}, "neutral_weight"),
        ({"neutral": SEX, "encoder": "compgcn"}, "is not used by the encoder"),
        ({"neutral": SEX, "relation_weight": 1.0}, "does not work with neutral"),
        ({"neutral": SEX, "neutral_weight": 0.0}, "weight"),
        ({"neutral": SEX, "neutral_by": PROJECTION, "neutral_weight": 2.0}, "does not work with neutral_by projection"),
    ],
)
def test_options_that_do_not_go_together(more: dict[str, object], message: str) -> None:
    with pytest.raises(BadName, match=message):
        with_defaults("distmult", more)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"neutral": "AGE"}, "no value of AGE"),
        ({"neutral": SEX, "neutral_by": PROJECTION, "dim": 2}, "3 values may differ in all 2 directions"),
        ({"neutral": SEX, "neutral_by": ADVERSARY, "only": True}, "nothing is left to train"),
    ],
)
def test_a_relation_that_nothing_can_be_neutral_to(more: dict[str, object], message: str, tmp_path: Path) -> None:
    subgraph = world(sexes=3)
    if more.get("only"):
        triples = [(f"p{number}", SEX, f"sex{number % 2}") for number in range(20)]
        head, relation, tail = (list(column) for column in zip(*triples, strict=True))
        subgraph = assembled(Columns(head, relation, tail, ["train"] * len(head)))
    with pytest.raises(InputError, match=message):
        trainer.train(subgraph, options(**{name: value for name, value in more.items() if name != "only"}), tmp_path)
    assert not list(tmp_path.iterdir())
