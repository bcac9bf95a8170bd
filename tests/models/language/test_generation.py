"""Generation: batches, beams and draws give what one prompt at a time gives."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import BadName, InputError
from harmgraph.models.language.decoding import Continuation, Decoding
from harmgraph.models.language.fresh import Size, new_model
from harmgraph.models.language.generation import BLOCK, drawn_tokens, generated

if TYPE_CHECKING:
    from transformers import PreTrainedModel

END = 0
PROMPTS = [[5, 3], [7], [5, 3], [1, 2, 3, 4], [9, 9], [7], [11, 4, 2], [3]]


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    """Large random weights, so that the probabilities differ clearly."""
    torch.manual_seed(0)
    made = new_model(Size(16, 2, 2, 12), 12, 16)
    with torch.no_grad():
        for weight in made.parameters():
            if weight.ndim == 2:
                weight.mul_(12)
    return made.eval()


def one_at_a_time(model: PreTrainedModel, decoding: Decoding) -> list[list[Continuation]]:
    return [generated(model, [prompt], decoding, END)[0] for prompt in PROMPTS]


def same(left: list[list[Continuation]], right: list[list[Continuation]]) -> None:
    assert [[each.ids for each in few] for few in left] == [[each.ids for each in few] for few in right]
    assert [[each.ended for each in few] for few in left] == [[each.ended for each in few] for few in right]
    for few, others in zip(left, right, strict=True):
        assert [each.log_probability for each in few] == pytest.approx(
            [each.log_probability for each in others], rel=1e-4
        )


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("rows", [4, 512])
def test_a_batch_gives_what_one_prompt_at_a_time_gives(model: PreTrainedModel, beams: int, rows: int) -> None:
    decoding = Decoding(beams=beams, length=8)
    said = generated(model, PROMPTS, decoding, END, rows=rows)
    same(said, one_at_a_time(model, decoding))
    assert said[0] == said[2]
    assert {len(few) for few in said} == {beams}
    for few in said:
        assert [each.log_probability for each in few] == sorted((each.log_probability for each in few), reverse=True)
        assert len({(each.ids, each.ended) for each in few}) == beams


def test_greedy_is_that_of_transformers(model: PreTrainedModel) -> None:
    for prompt, (said,) in zip(PROMPTS, generated(model, PROMPTS, Decoding(length=8), END), strict=True):
        ids = model.generate(
            torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            max_new_tokens=8,
            do_sample=False,
            eos_token_id=END,
            pad_token_id=END,
        )[0, len(prompt) :].tolist()
        assert ids == [*said.ids, *([END] if said.ended else [])]


def log_probability(model: PreTrainedModel, prompt: list[int], ids: tuple[int, ...]) -> float:
    with torch.no_grad():
        logs = torch.log_softmax(model(torch.tensor([[*prompt, *ids]])).logits[0].float(), dim=-1)
    return float(sum(logs[len(prompt) + at - 1, token] for at, token in enumerate(ids)))


def test_enough_beams_find_the_best_of_all_continuations(model: PreTrainedModel) -> None:
    """All continuations of two tokens, and all that end before."""
    (said,) = generated(model, [[5, 3]], Decoding(beams=12, length=2), END)
    every = [(first, second) for first, second in product(range(1, 12), range(12))]
    probable = {ids: log_probability(model, [5, 3], ids) for ids in [(END,), *every]}
    best = sorted(probable, key=lambda ids: -probable[ids])[:12]
    assert [(*each.ids, END) if each.ended else each.ids for each in said] == best
    assert [each.log_probability for each in said] == pytest.approx([probable[ids] for ids in best], rel=1e-4)


@pytest.mark.parametrize("decoding", [Decoding(beams=3, length=4, least=2), Decoding(samples=20, length=4, least=2)])
def test_no_continuation_ends_before_the_least(model: PreTrainedModel, decoding: Decoding) -> None:
    said = generated(model, PROMPTS, decoding, END)
    assert {len(each.ids) >= 2 for few in said for each in few} == {True}
    free = generated(model, PROMPTS, replace(decoding, least=0), END)
    assert min(len(each.ids) for few in free for each in few) < 2


@pytest.mark.parametrize("top_k", [0, 3])
def test_draws_do_not_depend_on_the_batch(model: PreTrainedModel, top_k: int) -> None:
    decoding = Decoding(samples=3, temperature=1.5, top_k=top_k, length=6, seed=4)
    distinct = [[5, 3], [7], [1, 2, 3, 4], [9, 9]]
    said = generated(model, distinct, decoding, END, rows=5)
    same(said, [generated(model, [prompt], decoding, END)[0] for prompt in distinct])
    for prompt, few in zip(distinct, said, strict=True):
        for each in few:
            ids = (*each.ids, END) if each.ended else each.ids
            assert each.log_probability == pytest.approx(log_probability(model, prompt, ids), rel=1e-4)
    other = generated(model, distinct, Decoding(samples=3, temperature=1.5, top_k=top_k, length=6, seed=5), END)
    assert [each.ids for few in other for each in few] != [each.ids for few in said for each in few]


def test_a_prompt_that_stands_twice_is_read_once_and_gets_other_samples(model: PreTrainedModel) -> None:
    decoding = Decoding(samples=4, temperature=2.0, length=5)
    first, second = generated(model, [[5, 3], [5, 3]], decoding, END)
    (whole,) = generated(model, [[5, 3]], Decoding(samples=8, temperature=2.0, length=5), END)
    same([[*first, *second]], [whole])
    assert [each.ids for each in first] != [each.ids for each in second]


def test_prompts_of_one_place_are_drawn_with_the_same_numbers(model: PreTrainedModel) -> None:
    """A model that cannot tell two prompts apart says the same of both; without places it does not."""
    deaf = copy.deepcopy(model)
    with torch.no_grad():
        deaf.get_input_embeddings().weight[3] = deaf.get_input_embeddings().weight[7]
        deaf.get_output_embeddings().weight[3] = deaf.get_output_embeddings().weight[7]
    decoding = Decoding(samples=6, temperature=2.0, length=5, seed=3)
    prompts = [[5, 3], [5, 7], [5, 7], [9, 3]]
    places = ["here", "here", "here", "there"]
    said = generated(deaf, prompts, decoding, END, places=places)
    same([said[0], said[0]], [said[1], said[2]])
    apart = generated(deaf, prompts[:3], decoding, END)
    assert [each.ids for each in apart[0]] != [each.ids for each in apart[1]]
    elsewhere = generated(deaf, prompts[:1], decoding, END, places=["there"])
    assert [each.ids for each in elsewhere[0]] != [each.ids for each in said[0]]
    same(said, generated(deaf, prompts, decoding, END, places=places, rows=5))
    same(said[3:], generated(deaf, prompts[3:], decoding, END, places=places[3:]))
    hearing = generated(model, prompts[:2], decoding, END, places=places[:2])
    assert [each.ids for each in hearing[0]] != [each.ids for each in hearing[1]]


def test_kept_batches_are_not_drawn_again(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept:
        def __init__(self, batches: list[Sequence[Continuation]]) -> None:
            self.batches = batches

        def read(self, batch: int) -> list[Continuation] | None:
            return list(self.batches[batch]) if batch < len(self.batches) else None

        def add(self, batch: int, said: Sequence[Continuation]) -> None:
            assert batch == len(self.batches)
            self.batches.append(said)

    decoding = Decoding(samples=3, temperature=1.5, length=5)
    every = Kept([])
    said = generated(model, PROMPTS, decoding, END, rows=4, kept=every)
    assert len(every.batches) > 3
    some = Kept(every.batches[:2])
    read: list[int] = []
    forward = model.forward

    def noted(**given: Any) -> Any:
        read.append(1)
        return forward(**given)

    monkeypatch.setattr(model, "forward", noted)
    assert generated(model, PROMPTS, decoding, END, rows=4, kept=some) == said
    assert 0 < len(read) <= decoding.length * (len(every.batches) - 2)
    assert some.batches == every.batches


def test_equal_prompts_are_read_once(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    forward = model.forward

    def noted(*arguments: Any, **options: Any) -> Any:
        rows.append(len(options["input_ids"]))
        return forward(*arguments, **options)

    monkeypatch.setattr(model, "forward", noted)
    generated(model, [[5, 3]] * 50, Decoding(length=3), END)
    assert rows == [1, 1, 1][: len(rows)]
    rows.clear()
    generated(model, [[5, 3]] * 50, Decoding(samples=2, length=3), END)
    assert rows[0] == 1


def test_draws_have_the_probabilities_of_the_model(model: PreTrainedModel) -> None:
    (said,) = generated(model, [[5, 3]], Decoding(samples=4_000, length=1), END)
    for token in range(12):
        share = sum((each.ids or (END,)) == (token,) for each in said) / 4_000
        expected = float(torch.tensor(log_probability(model, [5, 3], (token,))).exp())
        assert share == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("vocabulary", [12, BLOCK, 5 * BLOCK, 5 * BLOCK + 3])
@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, 0), (0.2, 0), (1.5, 300)])
def test_a_token_is_where_the_cumulated_probabilities_pass_the_number(
    vocabulary: int, temperature: float, top_k: int
) -> None:
    generator = torch.Generator().manual_seed(vocabulary)
    logs = torch.log_softmax(4 * torch.randn(500, vocabulary, generator=generator), -1)
    logs[:, [0, -1]] = -torch.inf
    numbers = torch.rand(500, generator=generator, dtype=torch.double)
    numbers[:2] = torch.tensor([0, 1 - 2**-53])
    given = drawn_tokens(logs, numbers, temperature, top_k)
    best, order = logs.topk(top_k) if 0 < top_k < vocabulary else (logs, torch.arange(vocabulary).expand(logs.shape))
    cumulated = torch.softmax(best.double() / temperature, -1).cumsum(-1)
    place = (order == given[:, None]).double().argmax(-1)[:, None]
    after = cumulated.gather(1, place)[:, 0]
    before = torch.where(place > 0, cumulated.gather(1, (place - 1).clamp(min=0)), 0)[:, 0]
    assert torch.isfinite(logs.gather(1, given[:, None])).all()
    assert (before - 1e-6 <= numbers).all()
    assert (numbers <= after + 1e-6).all()


def test_errors_are_a_line_each(model: PreTrainedModel) -> None:
    for prompts, length, said in (
        ([[]], 2, "a prompt is empty"),
        ([[1] * 10], 8, "a prompt of 10 tokens and 8 more are over the 16 tokens of the model"),
    ):
        with pytest.raises(InputError, match=said):
            generated(model, prompts, Decoding(length=length), END)
    assert generated(model, [[1] * 10], Decoding(length=7), END)
    with pytest.raises(InputError, match="without beams"):
        Decoding(samples=2, beams=2)
    for wrong in ({"temperature": 0.0}, {"beams": 0}, {"top_k": -1}, {"length": 0}):
        with pytest.raises(BadName):
            Decoding(**wrong)  # type: ignore[arg-type]
