"""Passages of text as token ids, for encoders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harmgraph.common.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

SEPARATOR = "<sep>"
Ids = tuple[int, ...]
Passage = tuple[str, ...]
"""What an encoder reads at once: a text, or several with separators between them."""


class PassageReader:
    """Passages as token ids: ``[CLS] h [SEP] r [SEP] t [SEP]``, or with the other separators of ``PopulatorRecipe``.

    Args:
        longest: tokens of a passage; of a longer one the longest text is cut.

    Raises:
        InputError: the tokenizer has no token for the beginning or the end of a text.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, separators: str, longest: int) -> None:
        first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
        if not isinstance(first, int) or not isinstance(last, int):
            raise InputError(
                "the tokenizer has no [CLS] or no [SEP]", remedy="choose an encoder such as BERT, MiniLM or RoBERTa"
            )
        self._tokenizer = tokenizer
        self._first, self._last = first, last
        between = tokenizer.get_vocab().get(SEPARATOR, last) if separators == "added" else last
        self._between: Ids = () if separators == "none" else (between,)
        # Without a separator the texts are a sentence, in which some tokenizers mark the beginnings of words by their spaces.
        self._joint = " " if separators == "none" else ""
        self._longest = longest
        self._known: dict[str, Ids] = {}

    def ids(self, passages: Sequence[Passage]) -> list[Ids]:
        """Token ids of each passage."""
        spelled = [(passage[0], *(self._joint + text for text in passage[1:])) for passage in passages]
        new = sorted({text for passage in spelled for text in passage} - self._known.keys())
        if new:
            read = self._tokenizer(new, add_special_tokens=False)["input_ids"]
            self._known |= {text: tuple(ids) for text, ids in zip(new, read, strict=True)}
        return [self._joined([self._known[text] for text in passage]) for passage in spelled]

    def _joined(self, texts: list[Ids]) -> Ids:
        room = self._longest - 2 - len(self._between) * (len(texts) - 1)
        for _ in range(sum(map(len, texts)) - room):
            place = max(range(len(texts)), key=lambda place: len(texts[place]))
            texts[place] = texts[place][:-1]
        ids = [self._first, *texts[0]]
        for text in texts[1:]:
            ids += [*self._between, *text]
        return (*ids, self._last)


@dataclass(frozen=True, slots=True)
class Vectors:
    """What a frozen encoder made of passages.

    Attributes:
        places: rows of the table by passage.
    """

    places: Mapping[Passage, int]
    table: Tensor

    def of(self, passages: Iterable[Passage]) -> Tensor:
        """The vectors of passages, [passages, columns]."""
        return self.table[[self.places[passage] for passage in passages]]
