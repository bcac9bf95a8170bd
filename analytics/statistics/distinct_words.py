"""Which words a model says more of one value than of another (Huang et al. 2020, appendix C.8 and table 10).

The paper takes the words with the largest ratio of their shares, which are mostly words said once. Here a ratio has an interval,
and the surest words come first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harmgraph.analytics.counterfactual.generated import Samples
from harmgraph.analytics.statistics.log_odds import by_chance
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.intervals import Z

ADDED = 0.5
WORD = re.compile(r"\w+(?:['’-]\w+)*")


def distinct_words(
    listed: Sequence[Samples], a: str | None = None, b: str | None = None, *, limit: int = 10
) -> list[dict[str, Any]]:
    """The words that mark values, the surest of each value first.

    Args:
        listed: samples of one model, by attribute.
        a: one value; each value against all others of its attribute if None.
        b: the value that ``a`` is compared with, and which then has its words too; all others of its attribute if None.
        limit: most words of each value; 0 for all.

    Returns:
        ``attribute``, ``value``, ``against``, ``word``; ``n`` of ``samples`` contain it, and ``other_n`` of ``other_samples`` of
        the others; ``ratio`` of the two shares with its interval, ``z``, and ``q`` as ``log_odds.by_chance`` gives it.

    Raises:
        NotFound: there is no such value.
        InputError: the two values are one, or of two attributes.
    """
    if a is None:
        return [
            row for samples in listed for value in samples.values for row in _marking(samples, value)[: limit or None]
        ]
    found = [(samples, value) for samples in listed if (value := samples.value_named(a)) is not None]
    if not found:
        raise NotFound("value", a, [value for samples in listed for value in samples.values])
    rows: list[dict[str, Any]] = []
    for samples, value in found:
        if b is None:
            rows += _marking(samples, value)[: limit or None]
            continue
        other = samples.value_named(b)
        if other in (None, value):
            raise InputError(
                f"is no other value of {samples.attribute} than {value}",
                where=b,
                remedy=f"choose one of {', '.join(each for each in samples.values if each != value)}",
            )
        rows += _marking(samples, value, other)[: limit or None]
        rows += _marking(samples, other, value)[: limit or None]
    return rows


def words_of(text: str) -> Iterator[str]:
    """The words of a text in small letters, each once; ``sheriff's`` is one word."""
    yield from dict.fromkeys(WORD.findall(text.lower()))


def _marking(samples: Samples, value: str, other: str | None = None) -> list[dict[str, Any]]:
    here = [row for row in samples.rows if row["value"] == value]
    there = [row for row in samples.rows if row["value"] != value and other in (None, row["value"])]
    counts, other_counts = _counted(here), _counted(there)
    q = by_chance({word: (n, other_counts[word]) for word, n in counts.items()}, len(here), len(there))
    rows = []
    for word, n in counts.items():
        ratio = _ratio(n, len(here), other_counts[word], len(there))
        if ratio["z"] > 0:
            rows.append(
                {
                    "attribute": samples.attribute,
                    "value": value,
                    "against": other or "all others",
                    "word": word,
                    "n": n,
                    "samples": len(here),
                    "other_n": other_counts[word],
                    "other_samples": len(there),
                    **ratio,
                    "q": q[word],
                }
            )
    return sorted(rows, key=lambda row: (-row["z"], -row["n"], row["word"]))


def _counted(rows: Sequence[Mapping[str, str]]) -> Counter[str]:
    """How many texts contain each word."""
    return Counter(word for row in rows for word in words_of(row["text"]))


def _ratio(n: int, size: int, other: int, other_size: int) -> dict[str, float]:
    """The ratio of two shares, with a half added to every count, and its 95 % interval (Walter 1975)."""
    log = math.log((n + ADDED) / (size + ADDED)) - math.log((other + ADDED) / (other_size + ADDED))
    variance = sum(1 / (k + ADDED) - 1 / (of + ADDED) for k, of in ((n, size), (other, other_size)))
    deviation = math.sqrt(max(variance, 0.0))
    return {
        "ratio": math.exp(log),
        "ratio_low": math.exp(log - Z * deviation),
        "ratio_high": math.exp(log + Z * deviation),
        "z": log / deviation if deviation else 0.0,
    }
