"""The cross-entropy of predicted tokens is that of the whole model, whatever it makes of its head's logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from transformers import (
    CohereConfig,
    CohereForCausalLM,
    Gemma2Config,
    Gemma2ForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
)

from harmgraph.models.language.cross_entropies import cross_entropies
from harmgraph.models.language.sequences import IGNORED

if TYPE_CHECKING:
    from transformers import PreTrainedModel

VOCABULARY = 50
SMALL = {
    "vocab_size": VOCABULARY,
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}


def models() -> list[PreTrainedModel]:
    torch.manual_seed(0)
    return [
        GPT2LMHeadModel(GPT2Config(vocab_size=VOCABULARY, n_embd=16, n_layer=2, n_head=2, n_positions=32)),
        LlamaForCausalLM(LlamaConfig(**SMALL)),
        CohereForCausalLM(CohereConfig(**SMALL, logit_scale=3.0)),
        Gemma2ForCausalLM(Gemma2Config(**SMALL, head_dim=8, final_logit_softcapping=0.1)),
    ]


def batch() -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.randint(1, VOCABULARY, (3, 7), generator=torch.Generator().manual_seed(1))
    labels = ids.roll(-1, 1)
    labels[0, :4] = labels[1, 5:] = labels[2, ::2] = IGNORED
    return ids, labels


@pytest.mark.parametrize("model", models(), ids=lambda model: model.config.model_type)
@pytest.mark.parametrize("headless", [False, True])
def test_only_the_states_of_predicted_tokens_reach_the_head(
    model: PreTrainedModel, headless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.eval()
    model.zero_grad()
    ids, labels = batch()
    whole = torch.nn.functional.cross_entropy(
        model(input_ids=ids).logits.transpose(1, 2), labels, reduction="none", ignore_index=IGNORED
    )
    whole.sum().backward()
    wanted = [None if value.grad is None else value.grad.clone() for value in model.parameters()]
    model.zero_grad()
    if headless:  # a model that does not name its head
        monkeypatch.setattr(model, "get_output_embeddings", lambda: None)
    each, outputs = cross_entropies(model, ids, labels, output_hidden_states=True)
    each.sum().backward()
    torch.testing.assert_close(each, whole[labels != IGNORED])
    for value, gradient in zip(model.parameters(), wanted, strict=True):
        torch.testing.assert_close(value.grad, gradient)
    assert outputs.hidden_states[-1].shape[:2] == ids.shape
    assert outputs.logits.shape[:2] == (ids.shape if headless else (1, int((labels != IGNORED).sum())))
    assert model(input_ids=ids).logits.shape == (*ids.shape, VOCABULARY)  # as it was
