"""The quick way of the VADER scorer gives VADER's own scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from harmgraph.analytics.scorers.vader import compound
from harmgraph.common.engines.local import Workers
from harmgraph.common.scorer import Score, scorers

ANALYZER = SentimentIntensityAnalyzer()
WORDS = st.sampled_from(
    [
        "good",
        "bad",
        "NOT",
        "never",
        "very",
        "kind",
        "of",
        "no",
        "great!",
        "(awful)",
        "don't",
        ":)",
        ":-(",
        "the",
        "shit",
        "bomb",
        "yeah",
        "right",
        "a",
        "dog",
        "LOL",
        "but",
        "least",
        "uber",
        "💔",
        "é",
        "!!!",
        "??",
        "'",
        "so",
        "hate.",
        "¯",
    ]
)


@settings(max_examples=500)
@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_equals_vader(text: str) -> None:
    assert compound(text) == ANALYZER.polarity_scores(text)["compound"]


def test_equals_vader_on_real_sentences(data: Path) -> None:
    lines = (data / "genericskb" / "genericskb_targets.tsv").read_text(encoding="utf-8").split("\n")[:4000]
    sentences = [line.partition("\t")[2] for line in lines]
    sentences += (data / "comet" / "comet_generations.txt").read_text(encoding="utf-8").split("\n")[:4000]
    assert [compound(text) for text in sentences] == [ANALYZER.polarity_scores(text)["compound"] for text in sentences]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("this person is kind", "positive"),
        ("this person is dishonest", "negative"),
        ("this person is a judge", "neutral"),
        ("", "neutral"),
    ],
)
def test_labels(text: str, label: str) -> None:
    scorer = scorers.get("vader")
    assert scorer.scores([text], scorer.chosen({}))[0].label == label


def test_thresholds_are_inclusive_and_part_of_the_scorer() -> None:
    scorer = scorers.get("vader")
    value = compound("this person is kind")
    exactly = scorer.scores(["this person is kind"], scorer.chosen({"positive": value}))
    above = scorer.scores(["this person is kind"], scorer.chosen({"positive": value + 1e-9}))
    assert (exactly[0].label, above[0].label) == ("positive", "neutral")
    assert scorer.by({}) == "vader@3.3.2"
    assert scorer.by({"positive": 0.1}) == "vader@3.3.2(positive=0.1)"


def test_workers_keep_the_order() -> None:
    scorer = scorers.get("vader")
    texts = [f"this person is {word} {number}" for number in range(1500) for word in ("kind", "awful", "here")]
    with Workers(scorer, scorer.chosen({}), 2) as workers:
        found = workers.scores(texts)
    assert found == scorer.scores(texts, scorer.chosen({}))
    assert isinstance(found[0], Score)
