"""Vectors of words, for the word mover's distance: those that an encoder reads, or a file in the form of GloVe."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.user_file import read_lines
from harmgraph.models.options import ENCODER

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of some words.

    Attributes:
        name: which vectors they are; distances can be compared only between equal ones.
        vectors: by word in lower case, all of one length.
    """

    name: str
    vectors: Mapping[str, Numbers]


def of_encoder(words: Collection[str], encoder: str = ENCODER) -> WordVectors:
    """The vectors with which an encoder reads words: of one that it has in pieces, their mean.

    Raises:
        InputError: there is no such encoder.
        UnreadableFile: it needs its own code.
    """
    from harmgraph.models.text.pretrained import opened_encoder

    remedy = "give a package or folder with an encoder, or --vectors FILE"
    model, tokenizer = opened_encoder(encoder, remedy=remedy)
    embeddings: Any = model.get_input_embeddings()
    table = embeddings.weight.detach().numpy()
    some = sorted(words)
    ids = tokenizer(some, add_special_tokens=False)["input_ids"] if some else []
    vectors = {word: table[pieces].mean(axis=0) for word, pieces in zip(some, ids, strict=True) if pieces}
    return WordVectors(f"{encoder}, input embeddings", vectors)


def of_file(words: Collection[str], path: Path) -> WordVectors:
    """The vectors of words in a file: a line each, the word and its numbers, with spaces between.

    Raises:
        UnreadableFile: a line has other things.
        InputError: it has none of the words.
    """
    import numpy as np

    wanted, length = set(words), 0
    vectors: dict[str, Numbers] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, _, rest = line.partition(" ")
        if word not in wanted:
            continue
        try:
            vector = np.array([float(cell) for cell in rest.split()])
        except ValueError:
            vector = np.zeros(0)
        length = length or len(vector)
        if not len(vector) or len(vector) != length or not np.isfinite(vector).all():
            raise UnreadableFile(
                path, "is not a word with its numbers", line=number, remedy="give a file such as GloVe's"
            )
        vectors[word] = vector
    if not vectors:
        raise InputError("has none of the words", where=str(path), remedy="give a file such as GloVe's, in lower case")
    return WordVectors(path.name, vectors)
