"""Where a sentence ends."""

from __future__ import annotations

import pytest

from harmgraph.models.language.counterfactual.sentences import first_sentence, sentences


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (" are kind. They left.", "are kind."),
        (" met Dr. Who and J. Smith . They left", "met Dr. Who and J. Smith ."),
        ('said "no!" Then', 'said "no!"'),
        (" paid 3.5 dollars\nand left.", "paid 3.5 dollars"),
        ("\n\n are kind", "are kind"),
        (" ... and so on . x", "..."),
        ("no end", "no end"),
        (" \n ", ""),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, first: str) -> None:
    assert first_sentence(text) == first


def test_all_sentences_are_all_of_the_text() -> None:
    text = "One is here. Two is! Mr. Three asks why? And four"
    assert list(sentences(text)) == ["One is here.", "Two is!", "Mr. Three asks why?", "And four"]
