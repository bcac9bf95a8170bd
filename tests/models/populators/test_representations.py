"""Each representation beside a plain loop over triples and neighbours, one passage at a time (Fang et al. 2021, 6.1 and C.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from torch import Tensor
from transformers import AutoModel, AutoTokenizer

from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.neighbours import NOBODY, Around
from harmgraph.models.population.network import Network, batch_of
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.population.training import ends
from harmgraph.models.text.passages import PassageReader
from harmgraph.models.text.pretrained import opened_encoder
from harmgraph.models.text.text_vectors import read_once
from tests.support.population import neighbourhood

EXAMPLES = (
    TripleExample("this person is a teacher", "good", "a person is good", 1),
    TripleExample("a thief is at home", "bad", "not in the graph", 0),
    TripleExample("a person is good", "good", "a person is good", 1),
)
COLUMNS = 32
Read = Callable[..., Tensor]


def plain(encoder: Path) -> Read:
    """Reads a passage, written out by hand, alone: without padding, batches or sharing."""
    tokenizer, model = AutoTokenizer.from_pretrained(encoder), AutoModel.from_pretrained(encoder).eval()

    def read(*texts: str) -> Tensor:
        words = ["[CLS]"]
        for text in texts:
            words += [*tokenizer.tokenize(text), "[SEP]"]
        ids = torch.tensor([tokenizer.convert_tokens_to_ids(words)])
        with torch.no_grad():
            vector: Tensor = model(input_ids=ids).last_hidden_state[0, 0]
        return vector

    return read


def mean(vectors: Sequence[Tensor]) -> Tensor:
    total = torch.zeros(COLUMNS)
    for vector in vectors:
        total = total + vector
    return total / len(vectors) if vectors else total


def expected(name: str, read: Read, example: TripleExample, around: Around, released: bool) -> Tensor:
    h, r, t = example.head, example.relation, example.tail
    heads, tails = ([(each.relation, each.text) for each in around.near.get(text, NOBODY).drawn] for text in (h, t))
    if name == "bert":
        vectors = [read(h), read(r), read(t)]
    elif name == "bertsage":
        vectors = [read(h), mean([read(v) for _, v in heads]), read(r), read(t), mean([read(v) for _, v in tails])]
    elif name == "kgbert":
        vectors = [read(h, r, t)]
    elif released:
        vectors = [read(h, r, t), mean([read(t, k, v) for k, v in heads]), mean([read(h, k, v) for k, v in tails])]
    else:
        vectors = [read(h, r, t), mean([read(h, k, v) for k, v in heads]), mean([read(v, k, t) for k, v in tails])]
    return torch.cat(vectors)


def built(name: str, encoder: Path, recipe: PopulatorRecipe) -> tuple[Network, PassageReader]:
    model, tokenizer = opened_encoder(str(encoder))
    network = populators.get(name).build(model, tokenizer, ("xWant", "Result"), recipe)
    return network.eval(), PassageReader(tokenizer, recipe.separators, recipe.tokens)


@pytest.mark.parametrize(
    ("name", "released"),
    [("bert", False), ("bertsage", False), ("kgbert", False), ("kgbertsage", False), ("kgbertsage", True)],
)
def test_a_representation_is_that_of_the_paper(encoder: Path, name: str, released: bool) -> None:
    recipe = replace(PopulatorRecipe(), as_released=released)
    member = populators.get(name)
    network, reader = built(name, encoder, recipe)
    around = neighbourhood().around(ends(EXAMPLES), 0, (0,))
    assert len(around.near) == 3 and all(near.drawn for near in around.near.values()), (
        "the tail of the second triple is not in the graph"
    )
    batch = batch_of([member.parts_of(each, around, recipe) for each in EXAMPLES], reader)
    assert len(set(batch.ids)) == len(batch.ids), "every passage is read once"
    read = plain(encoder)
    with torch.no_grad():
        represented = network.represent(batch)
        assert network(batch).shape == (3,)
    assert represented.shape == (3, member.width * COLUMNS)
    wanted = torch.stack([expected(name, read, each, around, released) for each in EXAMPLES])
    torch.testing.assert_close(represented, wanted, rtol=1e-4, atol=1e-5)
    if member.has_neighbours:
        assert not represented[1, -COLUMNS:].any(), "zeros where there is no neighbour"


@pytest.mark.parametrize("name", ["bertsage", "kgbertsage"])
def test_a_second_hop_is_the_mean_of_the_means(encoder: Path, name: str) -> None:
    """After the parts of one hop, which are the same; a neighbour without neighbours counts as zeros."""
    edges = [
        ("a", "Result", "b"),
        ("a", "Reason", "c"),
        ("b", "Result", "d"),
        ("b", "Reason", "e"),
        ("f", "Reason", "b"),
    ]
    example = TripleExample("a", "xWant", "f", 1)
    one, two = PopulatorRecipe(neighbours="out"), PopulatorRecipe(neighbours="out", hops=2)
    member = populators.get(name)
    network, reader = built(name, encoder, two)
    around = neighbourhood(edges, "out").around(ends([example]), 0, (0,), hops=2)
    read = plain(encoder)
    passages: dict[str, tuple[list[tuple[str, ...]], ...]] = {
        "bertsage": ([("d",), ("e",)], [("d",), ("e",)]),
        "kgbertsage": ([("b", "Result", "d"), ("b", "Reason", "e")], [("d", "Result", "b"), ("e", "Reason", "b")]),
    }
    far = [mean([read(*passage) for passage in side]) for side in passages[name]]
    with torch.no_grad():
        represented = network.represent(batch_of([member.parts_of(example, around, two)], reader))[0]
        near = network.represent(batch_of([member.parts_of(example, around, one)], reader))[0]
        assert network(batch_of([member.parts_of(example, around, two)], reader)).shape == (1,)
    assert represented.shape == (member.width_of(two) * COLUMNS,) == ((member.width + 2) * COLUMNS,)
    # Of the two neighbours of the head one has neighbours; the tail has one neighbour.
    wanted = torch.cat([near, far[0] / 2, far[1]])
    torch.testing.assert_close(represented, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["bertsage", "kgbertsage"])
@pytest.mark.parametrize("beside", [[], [("a", "Reason", "f")], [("a", "Reason", "a")]])
def test_the_triple_itself_is_heard_over_no_hop(encoder: Path, name: str, beside: list[tuple[str, str, str]]) -> None:
    """Nor where its ends are neighbours by another relation, or an end is its own neighbour."""
    edges = [("a", "Result", "b"), ("b", "Result", "f"), ("f", "Result", "c"), *beside]
    example, recipe, member = TripleExample("a", "Result", "f", 1), PopulatorRecipe(hops=2), populators.get(name)
    network, reader = built(name, encoder, recipe)
    with torch.no_grad():
        without, with_it = (
            network.represent(
                batch_of(
                    [member.parts_of(example, neighbourhood(some).around(ends([example]), 0, (0,), hops=2), recipe)],
                    reader,
                )
            )
            for some in (edges, [*edges, ("a", "Result", "f")])
        )
    torch.testing.assert_close(without, with_it, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "bertsage"])
def test_vectors_read_once_are_those_read_in_the_step(encoder: Path, name: str) -> None:
    recipe = PopulatorRecipe(frozen=True)
    member = populators.get(name)
    network, reader = built(name, encoder, recipe)
    assert not any(value.requires_grad for value in network.encoder.parameters())
    assert not network.train().encoder.training, "no dropout in a frozen encoder"
    around = neighbourhood().around(ends(EXAMPLES), 0, (0,))
    parts = [member.parts_of(each, around, recipe) for each in EXAMPLES]
    passages = {passage for triple in parts for part in triple for passage in part}
    vectors = read_once(network, reader, passages)
    assert len(vectors.table) == len(passages)
    with torch.no_grad():
        in_step, before = (network.represent(batch_of(parts, reader, known)) for known in (None, vectors))
    torch.testing.assert_close(in_step, before, rtol=1e-4, atol=1e-5)


def test_a_triple_is_no_edge_of_its_ends(encoder: Path) -> None:
    example = TripleExample("a", "Result", "b", 1)
    edges = [("a", "Result", "b"), ("a", "Reason", "b"), ("b", "Result", "c")]
    around = neighbourhood(edges).around(ends([example]), 0, (0,))
    _, heads, _, _, tails = populators.get("bertsage").parts_of(example, around, PopulatorRecipe())
    assert heads == (("b",),), "by Reason alone"
    assert set(tails) == {("a",), ("c",)}


def test_separators(encoder: Path) -> None:
    passage = ("a person", "xWant", "good")
    tokens = {}
    for separators in ("sep", "none", "added"):
        model, tokenizer = opened_encoder(str(encoder))
        size = len(tokenizer)
        network = populators.get("kgbert").build(
            model, tokenizer, ("xWant", "Result"), PopulatorRecipe(separators=separators)
        )
        (ids,) = PassageReader(tokenizer, separators, 64).ids([passage])
        tokens[separators] = tokenizer.convert_ids_to_tokens(list(ids))
        assert len(tokenizer) == size + (3 if separators == "added" else 0)
        assert network.encoder.get_input_embeddings().weight.shape[0] == len(tokenizer)
    assert tokens == {
        "sep": ["[CLS]", "a", "person", "[SEP]", "[UNK]", "[SEP]", "good", "[SEP]"],
        "none": ["[CLS]", "a", "person", "[UNK]", "good", "[SEP]"],
        "added": ["[CLS]", "a", "person", "<sep>", "xWant", "<sep>", "good", "[SEP]"],
    }


def test_of_a_long_passage_the_longest_text_is_cut(encoder: Path) -> None:
    _, tokenizer = opened_encoder(str(encoder))
    (ids,) = PassageReader(tokenizer, "sep", 12).ids([("a " * 30, "good", "this person is kind")])
    assert tokenizer.convert_ids_to_tokens(list(ids)) == [
        *("[CLS]", "a", "a", "a", "[SEP]", "good", "[SEP]", "this", "person", "is", "kind", "[SEP]")
    ]
    assert len(ids) == 12
