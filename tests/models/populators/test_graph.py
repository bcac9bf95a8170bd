"""The populator ``graph``: what is judged carries no message, whatever the hops; what texts are is kept on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.home import home
from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.graph_network import GraphJudge, graph_batch
from harmgraph.models.population.network import Network
from harmgraph.models.population.populator import populators
from harmgraph.models.population.training import ends
from harmgraph.models.text import text_vectors
from harmgraph.models.text.passages import PassageReader
from harmgraph.models.text.pretrained import opened_encoder
from harmgraph.models.text.text_vectors import read_once
from tests.support import tiny_model
from tests.support.population import neighbourhood

JUDGED = TripleExample("a thief", "Result", "a person is good", 1)
EDGES = [
    ("a thief", "Reason", "a person is bad"),
    ("a person is bad", "Result", "a person is good"),
    ("a person is good", "Result", "this person is a teacher"),
]
ITSELF = [("a thief", "Result", "a person is good")]
BESIDE = [("a thief", "Reason", "a person is good")]
ITS_OWN = [("a thief", "Reason", "a thief")]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False)


def built(encoder: Path, hops: int) -> tuple[Network, PassageReader]:
    model, tokenizer = opened_encoder(str(encoder))
    torch.manual_seed(0)
    recipe = populators.get("graph").recipe(hops=hops)
    network = populators.get("graph").build(model, tokenizer, ("Result", "Reason"), recipe)
    return network, PassageReader(tokenizer, recipe.separators, recipe.tokens)


def logit(encoder: Path, hops: int, edges: list[tuple[str, str, str]], example: TripleExample = JUDGED) -> float:
    network, reader = built(encoder, hops)
    member = populators.get("graph")
    recipe = member.recipe(hops=hops)
    around = neighbourhood(edges).around(ends([example]), 0, (0,), hops=hops)
    with torch.no_grad():
        return float(member.logits(network.eval(), reader, [example], around, recipe, None)[0])


@pytest.mark.parametrize("hops", [1, 2])
@pytest.mark.parametrize("others", [EDGES, EDGES + BESIDE, EDGES + ITS_OWN])
def test_the_triple_itself_carries_no_message(encoder: Path, hops: int, others: list[tuple[str, str, str]]) -> None:
    assert logit(encoder, hops, others + ITSELF) == pytest.approx(logit(encoder, hops, others), rel=1e-5)


def test_what_is_far_away_is_heard_by_enough_hops(encoder: Path) -> None:
    far = [*EDGES, ("this person is a teacher", "Reason", "bad")]
    assert logit(encoder, 0, EDGES) == logit(encoder, 0, [])
    assert logit(encoder, 1, far) == pytest.approx(logit(encoder, 1, EDGES), rel=1e-5)
    assert logit(encoder, 2, far) != pytest.approx(logit(encoder, 2, EDGES), rel=1e-5)


def test_the_direction_of_an_edge_counts(encoder: Path) -> None:
    turned = [(tail, relation, head) for head, relation, tail in EDGES]
    assert logit(encoder, 1, turned) != pytest.approx(logit(encoder, 1, EDGES), rel=1e-5)


@pytest.mark.parametrize("hops", [1, 2])
def test_the_last_layer_leaves_out_only_what_nobody_looks_at(encoder: Path, hops: int) -> None:
    """The logits are those of layers that compute every node."""
    network, reader = built(encoder, hops)
    member = populators.get("graph")
    recipe = member.recipe(hops=hops)
    examples = [JUDGED, TripleExample("a person is bad", "Reason", "this person is a teacher", 0)]
    around = neighbourhood([*EDGES, *BESIDE]).around(ends(examples), 0, (0,), hops=hops)
    vectors = read_once(network, reader, member.passages(examples, around, recipe))
    batch = graph_batch(examples, around, vectors, {"Result": 1, "Reason": 2}, hops)
    layers = network.eval().output
    assert isinstance(layers, GraphJudge)
    with torch.no_grad():
        state = layers.begin(batch.texts)[batch.text]  # mean 0 and deviation 1, as nothing was trained
        for kinds, own, arrived, norm in zip(layers.kinds, layers.own, layers.arrived, layers.norms, strict=True):
            means = torch.zeros_like(state)
            for node in range(len(state)):
                if (of := batch.target == node).any():
                    means[node] = (state[batch.source[of]] * kinds(batch.kind[of])).mean(0)
            state = norm(state + torch.relu(own(state) + arrived(means)))
        head, tail = state[[0, 2]], state[[1, 3]]
        known = torch.cat([head, tail, head * tail, (head - tail).abs(), layers.relation(batch.relation)], 1)
        torch.testing.assert_close(layers(batch), layers.score(known).squeeze(1), rtol=1e-5, atol=1e-6)


def test_texts_are_read_once_and_kept(encoder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))  # no other test's texts
    monkeypatch.setattr(text_vectors, "LEAST", 2)
    network, reader = built(encoder, 1)
    passages = [("a thief",), ("a person is good",), ("bad",)]
    first = read_once(network, reader, passages, kept=True)
    with monkeypatch.context() as patch:
        patch.setattr(Network, "read", None)
        again = read_once(network, reader, passages, kept=True)
    assert again.places == first.places
    assert torch.equal(again.table, first.table)
    (kept,) = (home() / "cache" / "texts").glob("*.safetensors")
    kept.write_bytes(b"damaged")
    assert torch.equal(read_once(network, reader, passages, kept=True).table, first.table)
    with torch.no_grad():
        next(network.encoder.parameters()).add_(1)
    assert not torch.equal(read_once(network, reader, passages, kept=True).table, first.table), "another encoder"
