"""What the words and numbers of labels stand for, by whose they are."""

from __future__ import annotations

import pytest

from harmgraph.common.label_words import classifier_label, people_label


@pytest.mark.parametrize(
    ("word", "people", "classifier"),
    [
        ("1", "positive", "positive"),
        ("2", "neutral", "other"),
        ("3", "negative", None),
        ("0", None, "neutral"),
        ("-1", None, "negative"),
        ("+1", None, "positive"),
        (" Favoritism", "positive", "positive"),
        ("favouritism", "positive", "positive"),
        ("PREJUDICE", "negative", "negative"),
        ("neutral", "neutral", "neutral"),
        ("neg", None, "negative"),
        ("other", None, "other"),
        ("", None, None),
    ],
)
def test_whose_word_it_is(word: str, people: str | None, classifier: str | None) -> None:
    assert (people_label(word), classifier_label(word)) == (people, classifier)
