"""Opinion words: which share of a text's opinion words is positive, p / (p + n)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.word_lists import WordList, balance, read_words
from harmgraph.common.errors import InputError
from harmgraph.common.options import Option
from harmgraph.common.scorer import Score, Scorer
from harmgraph.common.user_file import short_digest


class Opinion(Scorer):
    """Labels a text by whether it has more positive or negative opinion words; with none, or as many of both, it is neutral.

    The value is 2 p / (p + n) - 1. The words are from two lists of the user's, in the format of Hu and Liu 2004 (one on each
    line, ``;`` starts a comment), or from VADER's lexicon by their sign.
    """

    name = "opinion"
    measure = "opinion"
    language = "en"
    title = "share of positive words among opinion words"
    citation = "Hu and Liu 2004; without lists, Hutto and Gilbert 2014 (VADER)"
    options = (
        Option("positive", "", "file of positive words, one per line; VADER's by default", file=True),
        Option("negative", "", "file of negative words, one per line; VADER's by default", file=True),
    )

    @property
    def version(self) -> str:
        return version("vaderSentiment")

    def reads(self, options: Mapping[str, Any]) -> str:
        """Lists of the user's are of any language."""
        return "" if options["positive"] or options["negative"] else self.language

    def by(self, options: Mapping[str, Any]) -> str:
        """Contains the digests of the lists, because a file may change and keep its name."""
        chosen = self.chosen(options)
        lists = [chosen["positive"], chosen["negative"]]
        if not any(lists):
            return f"{self.name}@{self.version}"
        digests = [short_digest(Path(path)) for path in lists if path]
        return f"{self.name}({','.join(digests)})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            InputError: only one of the two lists is given.
            UnreadableFile: a list cannot be read or is empty.
        """
        positive, negative = _lexicon(options["positive"], options["negative"], self.by(options))
        return [balance(text, positive, negative) for text in texts]


@lru_cache(maxsize=4)
def _lexicon(positive: str, negative: str, _by: str) -> tuple[WordList, WordList]:
    if bool(positive) != bool(negative):
        raise InputError(
            "one list of opinion words without the other", remedy="give --positive and --negative together"
        )
    if positive:
        return read_words(Path(positive)), read_words(Path(negative))
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    valences: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    good = frozenset(word for word, valence in valences.items() if valence > 0)
    return WordList(good), WordList(frozenset(valences) - good)


SCORER = Opinion()
