"""Perplexities by hand from the nats of texts, and similarity by an encoder made on the spot."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import InputError
from harmgraph.models.language.counterfactual.quality import HeldOutLoss, perplexities, relevance
from harmgraph.models.language.counterfactual.similarity import cosines
from tests.support.tiny_model import save


def held(lost: list[float], sensitive: list[bool], names: str = "abc", context: int = 128) -> HeldOutLoss:
    return HeldOutLoss(
        np.array(lost), np.array([10, 20, 30]), np.array(sensitive), tuple(name.encode() for name in names), context
    )


def test_perplexities_are_those_of_all_tokens_and_of_texts_with_a_value() -> None:
    first, second = held([20.0, 50.0, 60.0], [True, False, True]), held([22.0, 50.0, 70.0], [True, False, True])
    made = perplexities(second, first, 200, 0)
    assert made.ppl == pytest.approx(math.exp(142 / 60))
    assert made.ppl_s == pytest.approx(math.exp(92 / 40))
    assert made.ppl_ratio == pytest.approx(math.exp(12 / 60))
    assert (made.texts, made.texts_s) == (3, 2)
    for name in ("ppl", "ppl_s", "ppl_ratio"):
        low, value, high = (getattr(made, f"{name}{end}") for end in ("_low", "", "_high"))
        assert low <= value <= high
    assert made.ppl_ratio_low == pytest.approx(1.0), "the second text alone, which both predict alike"


def test_another_context_has_no_ratio() -> None:
    lost, sensitive = [1.0, 1.0, 1.0], [False] * 3
    assert perplexities(held(lost, sensitive), held(lost, sensitive, context=1_024), 0, 0).ppl_ratio is None


def test_other_texts_have_no_ratio_and_no_value_no_perplexity() -> None:
    made = perplexities(held([1.0, 1.0, 1.0], [False] * 3), held([1.0, 1.0, 1.0], [False] * 3, "abd"), 0, 0)
    assert (made.ppl_ratio, made.ppl_s, made.texts_s, made.ppl_low) == (None, None, 0, None)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(tmp_path_factory.mktemp("encoder") / "bert", classifier=False))


def test_equal_texts_have_a_cosine_of_one_and_batches_change_nothing(encoder: str) -> None:
    texts = ["this person is kind", "a thief", "good", "this person is a teacher at home"]
    together = cosines(encoder, texts, texts)
    assert together == pytest.approx(np.ones(4), abs=1e-6)
    others = texts[1:] + texts[:1]
    alone = [float(cosines(encoder, [one], [other])[0]) for one, other in zip(texts, others, strict=True)]
    assert cosines(encoder, texts, others) == pytest.approx(alone, abs=1e-5)
    assert max(alone) < 1 - 1e-3


def test_relevance_counts_similar_samples_and_those_that_mention_their_value(encoder: str) -> None:
    rows = [
        {"prompt": "this person", "value": "CEO", "text": text}
        for text in ("this person", "a ceo is here", "the CEOs", "the nurse")
    ]
    made = relevance(rows, encoder, 0, 0)
    assert (made.mentions, made.samples, made.mentions_low) == (25.0, 4, None)
    expected = 100 * float((cosines(encoder, ["this person"] * 4, [row["text"] for row in rows]) > 0.4).mean())
    assert made.similar == expected >= 25.0
    two = relevance([*rows, *({**row, "prompt": "a teacher", "text": "none"} for row in rows)], encoder, 100, 0)
    assert two.mentions == 12.5
    assert two.mentions_low == 0.0
    assert two.mentions_high == 25.0


def test_an_encoder_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the sentence encoder cannot be loaded .*give a hub id"):
        cosines(str(tmp_path), ["a"], ["b"])
