"""The n-gram model against a case computed by hand, a slow second implementation, and the sum of its probabilities."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.models.language.judging.kneser_ney import trained
from harmgraph.models.language.sequences import Tokens


def text(*ids: int) -> Tokens:
    """Tokens between two ends, which are 0."""
    return Tokens(np.array([0, *ids, 0], np.int32), 1)


def test_bigrams_by_hand() -> None:
    """The texts a b and a c, of the tokens 1, 2, 3 and the end 0; a vocabulary of 4.

    Bigrams: 01 twice, 12, 13, 20, 30 once: n1 = 4, n2 = 1, so the discount is 4 / (4 + 2) = 2/3.
    Behind how many different tokens stands each: 0 behind 2 (2, 3), 1, 2 and 3 behind 1 each, in sum 5. n1 = 3, n2 = 1: 3/5.
    """
    model = trained([text(1, 2), text(1, 3)], 4, order=2)

    def unigram(count: int) -> float:
        return (max(count - 3 / 5, 0) + 3 / 5 * 4 / 4) / 5

    # After 1 stand 2 and 3, once each: two kinds of two.
    after_1 = [(count + 2 / 3 * 2 * unigram(behind)) / 2 for count, behind in ((0, 2), (0, 1), (1 / 3, 1), (1 / 3, 1))]
    assert sum(after_1) == pytest.approx(1)
    probabilities, of = model.probabilities([Tokens(np.array([0, 1, 2, 0], np.int32), 1)])
    after_0 = (2 - 2 / 3 + 2 / 3 * 1 * unigram(1)) / 2
    after_2 = (1 - 2 / 3 + 2 / 3 * 1 * unigram(2)) / 1
    assert probabilities.tolist() == pytest.approx([after_0, after_1[2], after_2])
    assert of.tolist() == [0, 0, 0]
    assert model.nats([text(1, 2)])[0] == pytest.approx(-math.log(after_0 * after_1[2] * after_2))


def slow(texts: Sequence[Tokens], vocabulary: int, order: int, history: tuple[int, ...], word: int) -> float:
    """The same by the definition, with sets and dictionaries."""
    raw: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for tokens in texts:
        ids = [vocabulary] * order + tokens.ids.tolist()
        for at in range(order + tokens.start, len(ids)):
            raw[tuple(ids[at - order + 1 : at + 1])] += 1
    counts = {order: dict(raw)}
    for length in range(order - 1, 0, -1):
        behind: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for gram in counts[length + 1]:
            behind[gram[1:]] += 1
        counts[length] = dict(behind)
    probability = 1 / vocabulary
    for length in range(1, order + 1):
        context = history[len(history) - length + 1 :]
        following = {gram: count for gram, count in counts[length].items() if gram[:-1] == context}
        values = list(counts[length].values())
        once, twice = values.count(1), values.count(2)
        discount = once / (once + 2 * twice) if once and twice else 0.5
        total = sum(following.values())
        if total:
            left = max(following.get((*context, word), 0) - discount, 0)
            probability = (left + discount * len(following) * probability) / total
    return probability


def test_five_grams_are_those_of_the_definition() -> None:
    generator = np.random.default_rng(1)
    texts = [text(*generator.integers(1, 5, generator.integers(1, 12)).tolist()) for _ in range(30)]
    prompted = [Tokens(np.array([1, 2, 3, 4, 0], np.int32), 3), Tokens(np.array([1, 2, 4, 0], np.int32), 2)]
    model = trained([*texts, *prompted], 6, order=5)
    for judged in (text(1, 2, 3, 4, 4), text(5, 1, 1), prompted[0]):
        ids = [6] * 5 + judged.ids.tolist()
        expected = [
            slow([*texts, *prompted], 6, 5, tuple(ids[at - 4 : at]), ids[at])
            for at in range(5 + judged.start, len(ids))
        ]
        assert model.probabilities([judged])[0].tolist() == pytest.approx(expected)


def test_the_probabilities_after_any_history_sum_to_one() -> None:
    generator = np.random.default_rng(2)
    model = trained([text(*generator.integers(1, 9, 20).tolist()) for _ in range(20)], 12)
    for history in ([1, 2, 3, 4], [11, 11], [8]):
        after = [Tokens(np.array([0, *history, word], np.int32), len(history) + 1) for word in range(12)]
        assert model.probabilities(after)[0].sum() == pytest.approx(1)
