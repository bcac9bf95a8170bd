"""Texts as token ids: whole ones to judge, and windows of one length to train on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from harmgraph.common.errors import InputError

if TYPE_CHECKING:
    import numpy
    from torch import Tensor
    from torch import device as Device  # noqa: N812
    from transformers import PreTrainedTokenizerBase

    from harmgraph.models.language.corpus import Text

    Numbers = numpy.ndarray[Any, Any]

FILE = "corpus.safetensors"
IGNORED = -100
"""The label of a token that is only read."""
AT_ONCE = 1_000  # texts that the tokenizer reads together


class Labelled(Protocol):
    """Tokens of which some are predicted, whichever these are."""

    @property
    def ids(self) -> Numbers:
        """[tokens] 32-bit integers."""

    @property
    def labels(self) -> Numbers:
        """[tokens - 1]: the token after each token, and ``IGNORED`` where that is only read."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of which those at the end are predicted.

    Attributes:
        ids: [tokens] 32-bit integers.
        start: the first token that is predicted; those before it are only read.
        words: how many words the predicted tokens are, between spaces, and the end of the text as another.
    """

    ids: Numbers
    start: int
    words: int = 0

    @property
    def predicted(self) -> int:
        """How many tokens are predicted."""
        return len(self.ids) - self.start

    @property
    def labels(self) -> Numbers:
        """See ``Labelled``."""
        labels = self.ids[1:].copy()
        labels[: self.start - 1] = IGNORED
        return labels


def end_of(tokenizer: PreTrainedTokenizerBase) -> int:
    """The id of the token that ends a text."""
    end = tokenizer.eos_token_id
    assert isinstance(end, int), "a tokenizer without an end gets one when it is loaded"
    return end


def sequences(tokenizer: PreTrainedTokenizerBase, texts: Iterable[Text]) -> list[Tokens]:
    """The tokens of texts. A text stands between two ends, and a tail behind its prompt and before an end."""
    import numpy as np

    end, given, made = end_of(tokenizer), list(texts), list[Tokens]()
    for first in range(0, len(given), AT_ONCE):
        few = given[first : first + AT_ONCE]
        tails = _ids(tokenizer, [f" {text.text}" if text.prompt else text.text for text in few])
        prompts = (
            _ids(tokenizer, [text.prompt for text in few]) if any(text.prompt for text in few) else [[]] * len(few)
        )
        for text, prompt, tail in zip(few, prompts, tails, strict=True):
            before = prompt or [end]
            made.append(Tokens(np.array([*before, *tail, end], np.int32), len(before), len(text.text.split()) + 1))
    return made


def prompt_ids(tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str]) -> list[list[int]]:
    """The token ids of prompts, as a tail or a text follows them."""
    return _ids(tokenizer, prompts)


def _ids(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> list[list[int]]:
    # Without its warning that a text is longer than the model's context: it is cut into windows afterwards.
    ids: list[list[int]] = tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
    return ids


def windows(read: Sequence[Tokens], context: int) -> list[Tokens]:
    """Texts one after the other, cut into windows in which at most ``context`` tokens are predicted, each token in one."""
    import numpy as np

    stream = np.concatenate([read[0].ids[:1], *(sequence.ids[1:] for sequence in read)])
    return [Tokens(stream[first : first + context + 1], 1) for first in range(0, len(stream) - 1, context)]


def fitting(read: Sequence[Tokens], context: int) -> list[Tokens]:
    """The sequences whose tokens a model can see at once; triples are not cut."""
    return [sequence for sequence in read if len(sequence.ids) <= context + 1]


def keep(path: Path, **parts: Sequence[Tokens]) -> None:
    """Writes sequences by part."""
    import numpy as np
    import torch

    from harmgraph.models.checkpoint import write_tensors

    tensors: dict[str, Tensor] = {}
    for name, part in parts.items():
        tensors[f"{name}.ids"] = torch.from_numpy(np.concatenate([sequence.ids for sequence in part]))
        rows = [(len(sequence.ids), sequence.start, sequence.words) for sequence in part]
        tensors[f"{name}.rows"] = torch.tensor(rows, dtype=torch.int32)
    write_tensors(path, tensors)


def kept(path: Path, name: str) -> list[Tokens]:
    """The sequences of a part.

    Raises:
        UnreadableFile: the file is missing or damaged.
    """
    from harmgraph.models.checkpoint import read_tensors

    tensors, _ = read_tensors(path, f"{name}.ids", f"{name}.rows")
    ids, rows = tensors[f"{name}.ids"].numpy(), tensors[f"{name}.rows"].tolist()
    ends = accumulate((length for length, _, _ in rows), initial=0)
    return [
        Tokens(ids[first:last], start, words)
        for (first, last), (_, start, words) in zip(pairwise(ends), rows, strict=True)
    ]


def check_any(read: Sequence[Tokens], where: str, context: int) -> None:
    """Checks that something is left to learn or to judge.

    Raises:
        InputError: there is nothing.
    """
    if not any(sequence.predicted for sequence in read):
        raise InputError(
            f"has nothing that fits into {context:,} tokens", where=where, remedy="choose a larger --context"
        )


def batch_of(piece: Sequence[Labelled], device: Device | str) -> tuple[Tensor, Tensor]:
    """Token ids and labels, both of shape [sequences, tokens]; the label of a token is the token after it.

    Rows are filled up at their ends, which a causal model does not see from before.
    """
    import numpy as np
    import torch

    longest = max(len(tokens.ids) for tokens in piece) - 1
    ids = np.zeros((len(piece), longest), np.int64)
    labels = np.full((len(piece), longest), IGNORED, np.int64)
    for row, tokens in enumerate(piece):
        ids[row, : len(tokens.ids) - 1] = tokens.ids[:-1]
        labels[row, : len(tokens.ids) - 1] = tokens.labels
    return torch.from_numpy(ids).to(device), torch.from_numpy(labels).to(device)
