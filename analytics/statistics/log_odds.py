"""How much commoner a word is in one text than in another: log odds ratios with an informative Dirichlet prior.

From Monroe, Colaresi and Quinn 2008, "Fightin' Words: Lexical Feature Selection and Evaluation for Identifying the Content of
Political Conflict", Political Analysis 16(4), equations 15 to 22. ``cypher/statistics/words`` has the same formula for one
target; the report reads the counts of several targets at once and computes it here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

SIDES = {"negative": "positive", "positive": "negative"}


def z_score(count: int, other_count: int, size: int, other_size: int, *, share: float, prior: float) -> float:
    """The z score of a word: its log odds in a text minus those in the other text, in standard deviations.

    The prior assumes the same ``share`` of the word in both texts, as if ``prior`` words had been read before. So a word that
    is rare in both texts has a score near 0, and exchanging the texts changes the sign of the score.

    Args:
        count: occurrences of the word in the text (y_w of i in the paper).
        other_count: occurrences in the other text (y_w of j).
        size: words of the text (n of i), at least ``count``.
        other_size: words of the other text (n of j).
        share: share of the word in the words of the background, above 0 and at most 1; the prior of the word is
            ``share * prior`` (alpha_w).
        prior: weight of the prior, in words (alpha_0), above 0.

    Returns:
        The z score, above 0 if the word is commoner in the text than in the other; 0 if there are no other words at all.
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

    The background is all statements about targets; the weight of the prior is the number of words of both sides.

    Args:
        rows: ``target``, ``label`` (negative or positive), ``word`` and ``n`` of one target.
        everywhere: for every word, how many statements about any target contain it.
        limit: most words of each side.

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
