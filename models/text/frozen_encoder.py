"""An encoder that is not trained, and what it makes of passages. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import Module

from harmgraph.models.text.inference import padded
from harmgraph.models.text.passages import Ids, PassageReader
from harmgraph.models.text.pretrained import most_tokens, opened_encoder

if TYPE_CHECKING:
    from transformers import PreTrainedModel

CHUNK = 64  # passages that the encoder reads at once, of similar length


def vectors_of(
    encoder: PreTrainedModel, ids: Sequence[Ids], *, precision: str = "fp32", by_mean: bool = False
) -> Tensor:
    """The vector of the first token of each passage, or their mean, [passages, columns], in 32 bits."""
    order = sorted(range(len(ids)), key=lambda place: (-len(ids[place]), place))
    fill, device = encoder.config.pad_token_id or 0, next(encoder.parameters()).device
    read: list[Tensor] = []
    for start in range(0, len(order), CHUNK):
        inputs = padded([ids[place] for place in order[start : start + CHUNK]], device, fill)
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16"):
            state = encoder(**inputs).last_hidden_state
        if by_mean:
            mask = inputs.get("attention_mask", torch.ones_like(inputs["input_ids"])).unsqueeze(2)
            read.append((state.float() * mask).sum(1) / mask.sum(1))
        else:
            read.append(state[:, 0].float())
    back = torch.empty(len(order), dtype=torch.long)
    back[order] = torch.arange(len(order))
    return torch.cat(read)[back.to(device)]


@dataclass(frozen=True)
class FrozenEncoder:
    """An encoder whose vector of a text is the mean over its tokens; see ``text_vectors.Reads``."""

    encoder: PreTrainedModel
    precision: str = "fp32"
    by_mean: bool = True

    def __post_init__(self) -> None:
        self.encoder.requires_grad_(False).eval()
        if self.device.type == "cpu":
            # For texts this short plain attention is faster than the fused kernels, which are made for long texts.
            self.encoder.set_attn_implementation("eager")

    @classmethod
    def opened(
        cls, name: str, tokens: int, *, device: str = "cpu", what: str = "encoder"
    ) -> tuple[FrozenEncoder, PassageReader]:
        """An encoder by its name, on a device, and what reads texts of at most so many tokens for it.

        Args:
            what: the encoder is for, as the error calls it.

        Raises:
            InputError, UnreadableFile: see ``opened_encoder``.
        """
        model, tokenizer = opened_encoder(name, what=what)
        reader = PassageReader(tokenizer, "sep", most_tokens(tokenizer, model, tokens))
        Module.to(model, device)
        return cls(model), reader

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.encoder.parameters()).device

    def read(self, ids: Sequence[Ids]) -> Tensor:
        """See ``vectors_of``."""
        return vectors_of(self.encoder, ids, precision=self.precision, by_mean=self.by_mean)
