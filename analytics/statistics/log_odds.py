"""How much commoner a word is in one text than in another: log odds ratios with an informative Dirichlet prior.

After Monroe, Colaresi and Quinn 2008, "Fightin' Words: Lexical Feature Selection and Evaluation for Identifying the Content of
Political Conflict", Political Analysis 16(4), equations 15 to 22. ``cypher/statistics/words`` holds the same formula for one
target; the report asks for the counts of several at once, and computes it here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

SIDES = {"negative": "positive", "positive": "negative"}


def z_score(count: int, other_count: int, size: int, other_size: int, *, share: float, prior: float) -> float:
    """The z score of a word: its log odds in the one text less those in the other, in standard deviations.

    The prior says of both texts that the word has its ``share`` of them, as if ``prior`` words had been read before. So
    a word that neither text holds often has a score near 0, and where the texts change places the score changes its sign.

    Args:
        count: occurrences of the word in the one text (y_w of i in the paper).
        other_count: in the other (y_w of j).
        size: words of the one text (n of i), at least ``count``.
        other_size: of the other (n of j).
        share: of the word among the words of the background, above 0 and at most 1; the prior of the word is ``share * prior``
            (alpha_w).
        prior: weight of the prior, in words (alpha_0), above 0.

    Returns:
        Above 0 where the word is commoner in the one text; 0 where there is no other word at all.
    """
    if share >= 1:
        return 0.0
    alpha = share * prior
    odds = (count + alpha) / (size + prior - count - alpha)
    other_odds = (other_count + alpha) / (other_size + prior - other_count - alpha)
    variance = 1 / (count + alpha) + 1 / (other_count + alpha)
    return (math.log(odds) - math.log(other_odds)) / math.sqrt(variance)


def marking(rows: Sequence[Mapping[str, Any]], everywhere: Mapping[str, int], limit: int) -> list[dict[str, Any]]:
    """The words that mark each side of a target, as ``cypher/statistics/words`` gives them.

    The background is what is said of all targets; the prior weighs as many words as both sides hold.

    Args:
        rows: ``target``, ``label`` (negative or positive), ``word`` and ``n`` of one target.
        everywhere: statements about any target that hold a word, of every word.
        limit: words of each side at the most.

    Returns:
        The rows with ``z``, ``other_n`` and ``all_n``, the highest z of each side first; none with a z below 0.
    """
    counts = {label: Counter({row["word"]: row["n"] for row in rows if row["label"] == label}) for label in SIDES}
    sizes = {label: counts[label].total() for label in SIDES}
    background = sum(everywhere.values())
    marked = []
    for row in rows:
        label, word = row["label"], row["word"]
        other = SIDES[label]
        z = z_score(
            row["n"],
            counts[other][word],
            sizes[label],
            sizes[other],
            share=everywhere[word] / background,
            prior=sum(sizes.values()),
        )
        if z >= 0:
            marked.append({**row, "z": z, "other_n": counts[other][word], "all_n": everywhere[word]})
    marked.sort(key=lambda row: (row["label"], -row["z"], -row["n"], row["word"]))
    return [row for label in SIDES for row in [entry for entry in marked if entry["label"] == label][:limit]]
