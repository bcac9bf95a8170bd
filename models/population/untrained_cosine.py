"""How near head and tail of a triple are by an encoder that nobody trained on triples: what a populator must be better than."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.population.examples import TripleExample

    Numbers = numpy.ndarray[Any, Any]


def cosines(encoder: str, examples: Sequence[TripleExample], tokens: int, *, device: str = "cpu") -> Numbers:
    """The cosine of the vectors of each triple's head and tail, [triples]. A vector is the mean over the tokens of a text.

    The relation is not read. A model that is not better has learnt no more than which texts are alike.

    Args:
        encoder: a folder, a hub id or a package, as it was before any training here.
        tokens: that are read of a text.

    Raises:
        InputError: there is no such encoder, or it returns no numbers.
        UnreadableFile: it needs its own code.
    """
    import numpy as np
    from torch.nn.functional import normalize

    from harmgraph.models.text.frozen_encoder import FrozenEncoder
    from harmgraph.models.text.passages import PassageReader
    from harmgraph.models.text.pretrained import most_tokens, no_numbers, opened_encoder
    from harmgraph.models.text.text_vectors import read_once

    model, tokenizer = opened_encoder(encoder)
    reader = PassageReader(tokenizer, "none", most_tokens(tokenizer, model, tokens))
    texts = {(text,) for example in examples for text in (example.head, example.tail)}
    vectors = read_once(FrozenEncoder.on(device, model), reader, texts, kept=True)
    table = normalize(vectors.table, dim=-1)
    heads = table[[vectors.places[(example.head,)] for example in examples]]
    tails = table[[vectors.places[(example.tail,)] for example in examples]]
    found = (heads * tails).sum(1).double().numpy()
    if not np.isfinite(found).all():
        raise no_numbers(encoder)
    return found
