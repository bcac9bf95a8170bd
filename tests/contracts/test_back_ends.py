"""Every back end of message passing gives the sums, and their gradients, that a loop over the edges gives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from torch import Tensor

from harmgraph.models.subgraph import summing
from harmgraph.models.subgraph.back_end import BackEnd, back_ends, chosen_back_end
from harmgraph.models.subgraph.message_graph import MessageGraph, message_graph
from harmgraph.models.subgraph.summing import summed, summed_products

torch.set_num_threads(1)
ENTITIES, RELATIONS, COLUMNS = 12, 3, 5


def graph(edges: int = 40) -> MessageGraph:
    rng = np.random.default_rng(1)
    ends = [rng.integers(most, size=edges) for most in (ENTITIES - 1, RELATIONS, ENTITIES - 1)]
    return message_graph(np.stack(ends, axis=1), ENTITIES, RELATIONS)


def by_hand(of: MessageGraph, messages: Tensor, kept: Tensor) -> Tensor:
    total = torch.zeros(of.entities, messages.shape[1], dtype=messages.dtype)
    for edge, (pair, target) in enumerate(zip(of.pair.tolist(), of.target.tolist(), strict=True)):
        total[target] = total[target] + kept[edge] * messages[pair]
    return total


@pytest.fixture(params=back_ends.names())
def back_end(request: pytest.FixtureRequest) -> BackEnd:
    member = back_ends.get(request.param)
    if not member.is_available("cpu"):
        pytest.skip(f"{member.name} is not installed")
    return member


@pytest.mark.parametrize("share", [1.0, 0.5, 0.0])
def test_sums_and_gradients(back_end: BackEnd, share: float) -> None:
    generator = torch.Generator().manual_seed(2)
    of = graph()
    kept = (torch.rand(len(of), generator=generator) < share).float()
    weights = torch.randn(ENTITIES, COLUMNS, generator=generator)
    found = []
    for sums in (partial(by_hand, of), partial(summed, back_end.sums(of, "cpu"))):
        messages = torch.randn(len(of.pair_entity), COLUMNS, generator=torch.Generator().manual_seed(3))
        messages.requires_grad_()
        total = sums(messages, kept)
        (total * weights).sum().backward()
        found.append((total.detach(), messages.grad))
    for expected, got in zip(*found, strict=True):
        torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("columns", [COLUMNS, summing.COLUMNS, 2 * summing.COLUMNS + 3])
def test_sums_of_products_and_gradients(back_end: BackEnd, columns: int) -> None:
    generator = torch.Generator().manual_seed(5)
    of = graph()
    kept = (torch.rand(len(of), generator=generator) < 0.7).float()
    weights = torch.randn(ENTITIES, columns, generator=generator)
    drawn = [torch.randn(rows, columns, generator=generator) for rows in (ENTITIES, 2 * RELATIONS)]
    places = torch.from_numpy(of.pair_entity), torch.from_numpy(of.pair_relation)

    def at_once(vectors: Tensor, kinds: Tensor) -> Tensor:
        return by_hand(of, vectors[places[0]] * kinds[places[1]], kept)

    def in_parts(vectors: Tensor, kinds: Tensor) -> Tensor:
        return summed_products(back_end.sums(of, "cpu"), *places, vectors, kinds, kept)

    found = []
    for total_of in (at_once, in_parts):
        vectors, kinds = (each.clone().requires_grad_() for each in drawn)
        total = total_of(vectors, kinds)
        (total * weights).sum().backward()
        found.append((total.detach(), vectors.grad, kinds.grad))
    for expected, got in zip(*found, strict=True):
        torch.testing.assert_close(got, expected)


def test_who_gets_no_message_has_zeros(back_end: BackEnd) -> None:
    of = graph()
    total = summed(back_end.sums(of, "cpu"), torch.ones(len(of.pair_entity), COLUMNS), torch.ones(len(of)))
    assert total.shape == (ENTITIES, COLUMNS)
    assert (total[ENTITIES - 1] == 0).all()
    assert total[:, 0].tolist() == np.bincount(of.target, minlength=ENTITIES).tolist()


def test_the_same_sums_are_the_same_bits(back_end: BackEnd) -> None:
    of = graph(400)
    messages = torch.randn(len(of.pair_entity), COLUMNS, generator=torch.Generator().manual_seed(4))
    one, two = (summed(back_end.sums(of, "cpu"), messages, torch.ones(len(of))) for _ in range(2))
    assert torch.equal(one, two)


def test_the_first_that_is_available_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = sorted(back_ends, key=lambda each: each.rank)
    assert [each.name for each in ranked] == ["torch", "dgl"]
    assert chosen_back_end("cpu").name == "torch"
    for each, there in zip(ranked, (False, True), strict=True):
        monkeypatch.setattr(type(each), "is_available", lambda self, device, there=there: there)
    assert chosen_back_end("cpu").name == "dgl"
