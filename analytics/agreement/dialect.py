"""How often posts are in a dialect, by a list of words, and how often they are called offensive (Sap et al. 2020, section 3.3).

The paper uses the lexical detector of Blodgett et al. 2016. Its list is not shipped: a user gives one. What a list of words finds
is how a post is written, and never who wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harmgraph.analytics.agreement.frames import read_answers
from harmgraph.analytics.agreement.nominal import FEWEST
from harmgraph.common import resampling
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.frames import VARIABLES, binary
from harmgraph.common.intervals import percentiles, wilson
from harmgraph.common.user_file import tab_rows

DIALECT, OTHER, UNKNOWN = "in the dialect", "not in it", "no known word"
LEAST = 0.5
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class DialectShares:
    """The dialects of the posts of a file of frames.

    Attributes:
        rows: for each of ``DIALECT``, ``OTHER``, ``UNKNOWN``: ``posts``, ``percent`` of all posts with its 95 % interval (Wilson
            1927), and ``offensive_percent``, the share of the answers that call them offensive (yes or maybe) with a 95 %
            percentile bootstrap interval over posts, None for few; ``answers`` counts these answers.
        less: offensive percent of the dialect less that of the other posts with its interval; None where one has no answer.
        words: how many the list has.
    """

    rows: tuple[dict[str, Any], ...]
    less: tuple[float, float | None, float | None] | None
    words: int


def read_lexicon(path: Path) -> dict[str, float]:
    """Words with the probability that a word of the dialect is meant, ``word<TAB>probability``, in lower case.

    Raises:
        UnreadableFile: it cannot be read, a line is another, a word stands twice, or there is none.
    """
    words: dict[str, float] = {}
    for row in tab_rows(path):
        try:
            word, number = row.cells[0].strip().lower(), float(row.cells[1]) if len(row.cells) == 2 else -1.0
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1 or not word:
            raise UnreadableFile(
                path,
                "is not a word, a tab and a probability from 0 to 1",
                line=row.line,
                remedy="write word<TAB>probability, one a line, without a header",
            )
        if word in words:
            raise UnreadableFile(path, f"the word {word!r} is there twice", line=row.line)
        words[word] = number
    if not words:
        raise UnreadableFile(path, "holds no word", remedy="write word<TAB>probability, one a line")
    return words


def dialect_of(post: str, lexicon: Mapping[str, float], least: float = LEAST) -> str:
    """``DIALECT`` if the mean probability of the words that the list knows is at least ``least``; or ``OTHER``, ``UNKNOWN``."""
    found = [lexicon[word] for word in _WORD.findall(post.lower().replace("’", "'")) if word in lexicon]
    if not found:
        return UNKNOWN
    return DIALECT if sum(found) / len(found) >= least else OTHER


def dialect_shares(
    path: Path, lexicon: Mapping[str, float], *, least: float = LEAST, resamples: int = 1_000, seed: int = 0
) -> DialectShares:
    """Counts dialects in a file with a row for each annotation.

    Raises:
        UnreadableFile: as ``frames.read_answers``.
    """
    answers = read_answers(path)
    counts = answers.counts[VARIABLES[0].name]
    given = counts.sum(axis=1)
    yes = counts[:, [bool(binary(choice)) for choice in VARIABLES[0].choices]].sum(axis=1)
    kinds = np.array([dialect_of(post, lexicon, least) for post in answers.texts])
    rows: list[dict[str, Any]] = []
    shares: dict[str, tuple[float, Any]] = {}
    for number, kind in enumerate((DIALECT, OTHER, UNKNOWN)):
        posts = int((kinds == kind).sum())
        inside = np.flatnonzero((kinds == kind) & (given > 0))
        low, high = wilson(posts, len(kinds))
        row: dict[str, Any] = {
            "posts_are": kind,
            "posts": posts,
            "percent": 100 * posts / len(kinds),
            "percent_low": 100 * low,
            "percent_high": 100 * high,
            **dict.fromkeys(("offensive_percent", "offensive_percent_low", "offensive_percent_high")),
            "answers": int(given[inside].sum()),
        }
        if len(inside):
            row["offensive_percent"] = 100 * float(yes[inside].sum() / given[inside].sum())
            draws = resamples if len(inside) >= FEWEST else 0
            blocks = list(resampling.ratios(yes[inside], given[inside], draws, seed + number))
            shares[kind] = row["offensive_percent"], 100 * np.concatenate(blocks) if blocks else None
            ends = resampling.strict_interval(blocks, draws) or (None, None)
            for name, end in zip(("low", "high"), ends, strict=True):
                row[f"offensive_percent_{name}"] = None if end is None else 100 * end
        rows.append(row)
    return DialectShares(tuple(rows), _less(shares), len(lexicon))


def _less(shares: Mapping[str, tuple[float, Any]]) -> tuple[float, float | None, float | None] | None:
    if DIALECT not in shares or OTHER not in shares:
        return None
    (one, drawn), (other, others) = shares[DIALECT], shares[OTHER]
    if drawn is None or others is None:
        return one - other, None, None
    low, high = percentiles(drawn - others)
    return one - other, low, high
