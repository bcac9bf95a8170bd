"""Every populator goes through the same cases: its metadata, its representation, its training, its folder."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import InputError
from harmgraph.models.population.examples import TripleExample, read_folder
from harmgraph.models.population.neighbours import Around, Near, Neighbour
from harmgraph.models.population.network import Network
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import SPECIAL, PopulatorRecipe
from harmgraph.models.population.training import PopulatorTask, judge
from harmgraph.models.text.finetuning import WEIGHTS, Training
from harmgraph.models.text.passages import PassageReader
from harmgraph.models.text.pretrained import opened_encoder
from tests.support import tiny_model
from tests.support.population import LEARNS, RECIPE, neighbourhood, write_folder

MEMBERS = populators.names()
TRIPLE = TripleExample("this person is a teacher", "xWant", "good", 1)
NEAR = (Neighbour("Result", "a thief is bad"), Neighbour("Reason", "this is kind"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False)


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder with the gentle weights from which every seed learns."""
    return tiny_model.save(tmp_path_factory.mktemp("learner"), classifier=False, spread=tiny_model.LEARNS)


def built(member: str, encoder: Path, recipe: PopulatorRecipe) -> tuple[Network, PassageReader]:
    torch.manual_seed(0)
    model, tokenizer = opened_encoder(str(encoder))
    network = populators.get(member).build(model, tokenizer, ("xWant", "Result", "Reason"), recipe)
    return network, PassageReader(tokenizer, recipe.separators, recipe.tokens)


@pytest.mark.parametrize("member", MEMBERS)
def test_metadata(member: str) -> None:
    populator = populators.get(member)
    assert populator.name == member
    assert all((populator.title, populator.citation, populator.__doc__))
    assert populator.width > 0
    assert set(populator.options) <= set(SPECIAL) <= {field.name for field in fields(PopulatorRecipe)}
    populator.check(PopulatorRecipe())
    others = {"neighbours": "out", "drawn": 2, "judged": 0, "separators": "none", "as_released": True, "teacher": "a"}
    others |= {"candidates": "b", "plausible_above": 0.8, "implausible_below": 0.2, "filters": "none"}
    others |= {"passes": 2, "pseudo_epochs": 2, "hops": 2, "subgraphs": "live"}
    assert set(others) == set(SPECIAL)
    for name, value in others.items():
        recipe = replace(PopulatorRecipe(), **{name: value})  # type: ignore[arg-type]
        if name in populator.options:
            populator.check(recipe)
        else:
            with pytest.raises(InputError, match=f"the model {member} has no option --{name.replace('_', '-')}"):
                populator.check(recipe)


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("near", [(), NEAR])
def test_a_triple_has_as_many_parts_with_neighbours_as_without(
    member: str, near: tuple[Neighbour, ...], encoder: Path
) -> None:
    populator, recipe = populators.get(member), PopulatorRecipe()
    parts = populator.parts(TRIPLE, near, near, recipe)
    assert len(parts) == populator.width
    assert all(text for part in parts for passage in part for text in passage)
    assert populator.has_neighbours == (parts != populator.parts(TRIPLE, NEAR[:1], (), recipe))
    network, reader = built(member, encoder, recipe)
    around = Around({TRIPLE.head: Near(near), TRIPLE.tail: Near(near)})
    assert populator.logits(network.eval(), reader, [TRIPLE], around, recipe, None).shape == (1,)


@pytest.mark.parametrize("member", MEMBERS)
def test_a_score_does_not_depend_on_the_other_triples_of_the_batch(member: str, encoder: Path) -> None:
    populator = populators.get(member)
    network, reader = built(member, encoder, RECIPE)
    examples = [TRIPLE, TripleExample("a thief", "xWant", "bad and awful and bad", 0), TRIPLE]
    around = Around({text: Near(NEAR) for example in examples for text in (example.head, example.tail)})
    together = judge(populator, network, reader, examples, around, RECIPE)
    alone = [judge(populator, network, reader, [example], around, RECIPE)[0] for example in examples]
    torch.testing.assert_close(torch.tensor(together), torch.tensor(alone, dtype=torch.float64), rtol=1e-4, atol=1e-5)
    assert together[0] == pytest.approx(together[2], rel=1e-5, abs=1e-7)  # the precision of 32 bits
    assert together[0] != pytest.approx(together[1], rel=1e-3)


@pytest.mark.parametrize("member", ["kgbert", "pseudoreasoner"])
def test_batches_of_single_passages_have_no_padding_that_they_need_not(
    member: str, encoder: Path, tmp_path: Path
) -> None:
    """Of all batches together, the lengths are sorted; a few batches have two lengths at their border."""
    populator = populators.get(member)
    network, reader = built(member, encoder, RECIPE)
    data = read_folder(write_folder(tmp_path / "data"))
    task = PopulatorTask(populator, network, reader, data, None, RECIPE)
    ranges = []
    for step in task.steps(0):
        ids = reader.ids([(each.head, each.relation, each.tail) for piece in step.pieces for each in piece[0]])
        ranges.append((min(map(len, ids)), max(map(len, ids))))
    ranges.sort()
    assert all(one[1] <= next_[0] for one, next_ in pairwise(ranges))


@pytest.mark.parametrize("member", MEMBERS)
def test_every_weight_of_the_output_and_the_encoder_is_trained(member: str, encoder: Path) -> None:
    populator = populators.get(member)
    network, reader = built(member, encoder, RECIPE)
    network.train()
    around = Around({TRIPLE.head: Near(NEAR), TRIPLE.tail: Near(NEAR)})
    populator.logits(network, reader, [TRIPLE], around, RECIPE, None).sum().backward()
    still = [name for name, value in network.named_parameters() if value.grad is None and "pooler" not in name]
    assert [name for name in still if not (populator.frozen and name.startswith("encoder."))] == []


@pytest.mark.parametrize("member", MEMBERS)
def test_a_training_in_bf16_learns(member: str, learner: Path, tmp_path: Path) -> None:
    """Slower than 32 bits where the processor lacks it, and the same otherwise."""
    populator = populators.get(member)
    network, reader = built(member, learner, RECIPE)
    data = read_folder(write_folder(tmp_path / "data"))
    near = neighbourhood() if populator.has_neighbours else None
    task = PopulatorTask(populator, network, reader, data, near, LEARNS)
    work = Training(
        task=task,
        folder=tmp_path,
        identity="identity",
        most=LEARNS.epochs,
        patience=LEARNS.patience,
        seed=LEARNS.seed,
        precision="bf16",
    )
    work.run()
    assert work.best.measure > 0.9
    assert work.epochs[-1].loss < work.epochs[0].loss
    assert (tmp_path / WEIGHTS).is_file()
