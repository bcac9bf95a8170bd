"""New models: GPT-2's architecture with random weights in several sizes, and byte-level BPE tokenizers made of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harmgraph.common.errors import UnknownMember

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

END = "<|endoftext|>"
"""Ends each text, and stands before its first word."""


@dataclass(frozen=True, slots=True)
class Size:
    """A size of a new model.

    Attributes:
        dimension: of the hidden states. vocabulary: tokens of its tokenizer.
    """

    dimension: int
    layers: int
    heads: int
    vocabulary: int


SIZES: Mapping[str, Size] = {
    "tiny": Size(32, 2, 2, 512),
    "mini": Size(128, 4, 4, 4_000),
    "small": Size(320, 6, 5, 8_000),
    "gpt": Size(768, 12, 12, 40_000),
}
"""About 0.05, 1.3, 10 and 117 million parameters; ``gpt`` has the size of the GPT that COMeT goes on from."""


def size_of(name: str) -> Size:
    """A size by its name.

    Raises:
        UnknownMember: there is no such size.
    """
    if name not in SIZES:
        raise UnknownMember("size", name, SIZES)
    return SIZES[name]


def new_tokenizer(texts: Iterable[str], vocabulary: int) -> PreTrainedTokenizerBase:
    """A byte-level BPE tokenizer, made of texts: every text can be written with it, and read back."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token=END, eos_token=END, pad_token=END)


def new_model(size: Size, vocabulary: int, context: int) -> PreTrainedModel:
    """A model with random weights, drawn with torch's seed."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=vocabulary,
            n_embd=size.dimension,
            n_layer=size.layers,
            n_head=size.heads,
            n_positions=context,
            bos_token_id=0,
            eos_token_id=0,
        )
    )
