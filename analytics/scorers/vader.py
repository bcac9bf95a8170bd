"""Sentiment by VADER (Hutto and Gilbert 2014), with the thresholds of Mehrabi et al. 2021, appendix D."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from harmgraph.common.options import Option
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, Score, Scorer


class Vader(Scorer):
    """Compound score >= 0.05 is positive, <= -0.05 negative, anything between neutral."""

    name = "vader"
    measure = "sentiment"
    language = "en"
    title = "by the words of VADER's lexicon"
    citation = "Hutto and Gilbert 2014; thresholds: Mehrabi et al. 2021, app. D"
    options = (
        Option("positive", 0.05, "lowest compound score of a positive text"),
        Option("negative", -0.05, "highest compound score of a negative text"),
    )

    @property
    def version(self) -> str:
        return version("vaderSentiment")

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        positive, negative = options["positive"], options["negative"]
        scores = []
        for text in texts:
            value = compound(text)
            label = POSITIVE if value >= positive else NEGATIVE if value <= negative else NEUTRAL
            scores.append(Score(label, value))
        return scores


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def compound(text: str) -> float:
    """VADER's compound score of a text, -1 to 1.

    VADER's score is a sum over the words of its lexicon, so a text without any of them, as are most texts of knowledge bases,
    scores 0 and needs no analysis. A text with a character outside ASCII may contain an emoji and is always analysed.
    """
    analyzer = _analyzer()
    if text.isascii() and not _has_lexicon_word(text, analyzer.lexicon):
        return 0.0
    value: float = analyzer.polarity_scores(text)["compound"]
    return value


def _has_lexicon_word(text: str, lexicon: Mapping[str, float]) -> bool:
    """Whether a word of the text is in the lexicon, split as VADER does, with or without its punctuation."""
    return any(word in lexicon or word.strip(string.punctuation) in lexicon for word in text.lower().split())


SCORER = Vader()
