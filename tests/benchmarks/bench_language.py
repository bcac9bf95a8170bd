"""``language generate``: prompts a second, against a call of transformers' ``generate`` for each prompt, on a ``new:small``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from harmgraph.models.language.decoding import Decoding
from harmgraph.models.language.fresh import SIZES, new_model
from harmgraph.models.language.generation import generated
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting

if TYPE_CHECKING:
    from transformers import PreTrainedModel

END, VOCABULARY, LENGTH = 0, 8_000, 16
LOUD = 8.0
"""Added to the logit of the end: a continuation ends after some three tokens, as the tails of ConceptNet do."""
DECODINGS: dict[str, tuple[Decoding, dict[str, Any]]] = {
    "greedy": (Decoding(length=LENGTH), {"do_sample": False}),
    "ten beams": (
        Decoding(beams=10, length=LENGTH),
        {"do_sample": False, "num_beams": 10, "num_return_sequences": 10, "length_penalty": 0.0},
    ),
    "a sample": (Decoding(samples=1, length=LENGTH), {"do_sample": True, "top_k": 0}),
}


def bench(setting: Setting, figures: Figures) -> None:
    """A thousand prompts in batches; of them a few by a call each. Random weights: what is said does not matter."""
    model = _model()
    generator = torch.Generator().manual_seed(0)
    prompts = torch.randint(1, VOCABULARY, (128 if setting.quick else 1_024, 6), generator=generator).tolist()
    few = prompts[: 8 if setting.quick else 48]
    for name, (decoding, options) in DECODINGS.items():
        _ratio(model, name, decoding, options, prompts, few, figures)
    # As for counterfactual sentiment: few prompts, many samples of each, by a call for each sample.
    repeated = prompts[:4] * (len(prompts) // 4)
    _ratio(model, "many samples of a prompt", *DECODINGS["a sample"], repeated, repeated[: len(few)], figures)


def _ratio(
    model: PreTrainedModel,
    name: str,
    decoding: Decoding,
    options: dict[str, Any],
    prompts: list[list[int]],
    few: list[list[int]],
    figures: Figures,
) -> None:
    ours = timed(lambda: generated(model, prompts, decoding, END))[0] / len(prompts)
    theirs = timed(lambda: [_call(model, prompt, options) for prompt in few])[0] / len(few)
    figures.add(f"{name}: prompts in batches", 1 / ours, "prompts/s")
    figures.add(f"{name}: a call for each prompt", 1 / theirs, "prompts/s")
    figures.add(f"{name}: batches / calls", theirs / ours, "x", "10")


def _model() -> PreTrainedModel:
    torch.manual_seed(0)
    model = new_model(SIZES["small"], VOCABULARY, 64).eval()
    with torch.no_grad():
        # The last layer's bias is a direction of its own, which the embedding of the end alone has.
        bias = model.transformer.ln_f.bias
        bias[0] = LOUD
        model.transformer.wte.weight[:, 0] = 0.0
        model.transformer.wte.weight[END, 0] = 1.0
    return model


def _call(model: PreTrainedModel, prompt: list[int], options: dict[str, Any]) -> Any:
    return model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        max_new_tokens=LENGTH,
        eos_token_id=END,
        pad_token_id=END,
        **options,
    )
