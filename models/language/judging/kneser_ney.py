"""An n-gram model with interpolated Kneser-Ney smoothing, on the same tokens: what a language model must do better than.

Kneser and Ney 1995; interpolated, with one discount for each order, as in Chen and Goodman 1999, section 2.8 (equations 22 and
23) and n1 / (n1 + 2 n2) for the discount (equation 12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.sequences import Tokens

    Numbers = numpy.ndarray[Any, Any]

ORDER = 5


@dataclass(frozen=True, slots=True)
class _Order:
    """What is known of the n-grams of one length.

    Attributes:
        keys: [n-grams] sorted; the place of the n-gram without its first token, times the vocabulary and one, plus the first.
        counts: [n-grams] how often, or of lower orders behind how many different tokens.
        total, kinds: of each context the sum of the counts, and how many different tokens follow it.
        discount: taken from each count.
    """

    keys: Numbers
    counts: Numbers
    total: Numbers
    kinds: Numbers
    discount: float


@dataclass(frozen=True, slots=True)
class KneserNey:
    """A trained n-gram model; ``trained`` makes it."""

    vocabulary: int
    orders: tuple[_Order, ...]

    def nats(self, read: Sequence[Tokens]) -> Numbers:
        """The negative log-likelihood of each sequence, [sequences], in nats."""
        import numpy as np

        probabilities, of = self.probabilities(read)
        return np.bincount(of, weights=-np.log(probabilities), minlength=len(read))

    def probabilities(self, read: Sequence[Tokens]) -> tuple[Numbers, Numbers]:
        """The probability of each predicted token, [tokens], and the place of its sequence, [tokens]."""
        import numpy as np

        stream, predicted, of = _stream(read, len(self.orders), self.vocabulary)
        at = np.flatnonzero(predicted)
        probability = np.full(len(at), 1.0 / self.vocabulary)
        shorter = np.zeros(len(stream), np.int64)
        for length, order in enumerate(self.orders):
            grams = _places(order.keys, _keys(stream, shorter, length, self.vocabulary))
            # Of no token there is one context; else that of the token before, in the order below.
            context = shorter[at - 1] if length else np.zeros(len(at), np.int64)
            total = np.where(context >= 0, order.total[context], 0)
            known, gram = total > 0, grams[at]
            counts = np.where(gram >= 0, order.counts[gram], 0)
            mixed = np.maximum(counts - order.discount, 0) + order.discount * order.kinds[context] * probability
            probability = np.where(known, mixed / np.maximum(total, 1), probability)
            shorter = grams
        return probability, of[at]


def trained(read: Sequence[Tokens], vocabulary: int, order: int = ORDER) -> KneserNey:
    """The model of the tokens that are predicted in sequences; the others are contexts alone."""
    import numpy as np

    stream, predicted, _ = _stream(read, order, vocabulary)
    at = np.flatnonzero(predicted)
    keys, places = list[Any](), [np.zeros(len(stream), np.int64)]
    for length in range(order):
        made = _keys(stream, places[-1], length, vocabulary)
        keys.append(np.unique(made[made >= 0]))
        places.append(_places(keys[-1], made))
    orders: list[_Order] = []
    counts = np.bincount(places[order][at], minlength=len(keys[-1]))
    for length in reversed(range(order)):
        contexts = np.zeros(len(keys[length]), np.int64)
        if length:
            contexts[places[length + 1][at]] = places[length][at - 1]
        seen = counts > 0
        size = len(keys[length - 1]) if length else 1
        orders.append(
            _Order(
                keys[length],
                counts,
                np.bincount(contexts[seen], weights=counts[seen], minlength=size),
                np.bincount(contexts[seen], minlength=size),
                _discount(counts),
            )
        )
        if length:  # behind how many different tokens each shorter n-gram stands
            counts = np.bincount(keys[length][seen] // (vocabulary + 1), minlength=size)
    return KneserNey(vocabulary, tuple(reversed(orders)))


def _discount(counts: Numbers) -> float:
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return once / (once + 2 * twice) if once and twice else 0.5


def _stream(read: Sequence[Tokens], order: int, vocabulary: int) -> tuple[Numbers, Numbers, Numbers]:
    """The tokens of all sequences, which of them are predicted, and the place of the sequence of each.

    Before each sequence a token that is not of the vocabulary stands so often that every predicted token has a whole context.
    """
    import numpy as np

    tokens = [np.concatenate([np.full(order, vocabulary), each.ids]) for each in read]
    predicted = [np.arange(len(each.ids) + order) >= each.start + order for each in read]
    of = [np.full(len(each.ids) + order, place) for place, each in enumerate(read)]
    return np.concatenate(tokens).astype(np.int64), np.concatenate(predicted), np.concatenate(of)


def _keys(stream: Numbers, shorter: Numbers, length: int, vocabulary: int) -> Numbers:
    """The key of the n-gram that ends at each token, -1 where there is none.

    Args:
        shorter: place of the n-gram without its first token, -1 where it is unknown. length: tokens of that.
    """
    import numpy as np

    keys = np.full(len(stream), -1, np.int64)
    keys[length:] = shorter[length:] * (vocabulary + 1) + stream[: len(stream) - length]
    keys[shorter < 0] = -1
    return keys


def _places(keys: Numbers, wanted: Numbers) -> Numbers:
    """The place of each wanted key, -1 where it is unknown."""
    import numpy as np

    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)
