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
    from harmgraph.models.text.pretrained import no_numbers
    from harmgraph.models.text.text_vectors import read_once

    frozen, reader = FrozenEncoder.opened(encoder, tokens, device=device)
    ends = [example.head for example in examples], [example.tail for example in examples]
    vectors = read_once(frozen, reader, {(text,) for texts in ends for text in texts}, kept=True)
    heads, tails = (normalize(vectors.of((text,) for text in texts), dim=-1) for texts in ends)
    found = (heads * tails).sum(1).double().numpy()
    if not np.isfinite(found).all():
        raise no_numbers(encoder)
    return found
