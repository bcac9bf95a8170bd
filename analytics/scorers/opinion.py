"""Opinion words: how many of a text's opinion words are positive, p / (p + n)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analytics.scorer import NEGATIVE, NEUTRAL, POSITIVE, Option, Score, Scorer
from graph.errors import InputError, UnreadableFile

_WORD = re.compile(r"\w[\w'+*-]*")


class Opinion(Scorer):
    """More positive than negative opinion words is positive, fewer is negative; none, or as many, is neutral.

    The value is 2 p / (p + n) - 1. The words are those of two lists of the user's, in the format of Hu and Liu 2004 (one a
    line, ``;`` starts a comment), or of VADER's lexicon by their sign.
    """

    name = "opinion"
    measure = "opinion"
    citation = "Hu and Liu 2004; words of VADER's lexicon (Hutto and Gilbert 2014) where no lists are given"
    options = (
        Option("positive", "", "file of positive words, one a line; VADER's by default"),
        Option("negative", "", "file of negative words, one a line; VADER's by default"),
    )

    @property
    def version(self) -> str:
        return version("vaderSentiment")

    def by(self, options: Mapping[str, Any]) -> str:
        """The lists stand in it by their digest: a file may change under its name."""
        chosen = self.chosen(options)
        lists = [chosen["positive"], chosen["negative"]]
        if not any(lists):
            return f"{self.name}@{self.version}"
        digests = [hashlib.sha256(_bytes(Path(path))).hexdigest()[:12] for path in lists if path]
        return f"{self.name}({','.join(digests)})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            InputError: one list without the other.
            UnreadableFile: a list cannot be read, or is empty.
        """
        positive, negative = _lexicon(options["positive"], options["negative"])
        return [_score(_WORD.findall(text.lower()), positive, negative) for text in texts]


def _score(words: list[str], positive: frozenset[str], negative: frozenset[str]) -> Score:
    p, n = sum(word in positive for word in words), sum(word in negative for word in words)
    label = POSITIVE if p > n else NEGATIVE if n > p else NEUTRAL
    return Score(label, (p - n) / (p + n) if p + n else 0.0)


@lru_cache(maxsize=4)
def _lexicon(positive: str, negative: str) -> tuple[frozenset[str], frozenset[str]]:
    if bool(positive) != bool(negative):
        raise InputError(
            "one list of opinion words without the other", remedy="give --positive and --negative together"
        )
    if positive:
        return read_words(Path(positive)), read_words(Path(negative))
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    valences: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    good = frozenset(word for word, valence in valences.items() if valence > 0)
    return good, frozenset(valences) - good


def read_words(path: Path) -> frozenset[str]:
    """The words of a list, lower case; ``;`` and ``#`` start a comment.

    Raises:
        UnreadableFile: it cannot be read, or holds no word.
    """
    text = _bytes(path).decode(
        "utf-8", "replace"
    )  # the released lists are partly Latin-1; such a word never occurs then
    words = frozenset(line.strip().lower() for line in text.split("\n") if line.strip() and line[0] not in ";#")
    if not words:
        raise UnreadableFile(path, "holds no word", remedy="write one a line")
    return words


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(path, f"cannot be read ({error.strerror})", remedy="check the path") from error


SCORER = Opinion()
