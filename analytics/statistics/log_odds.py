"""How much commoner a word is in one text than in another: log odds ratios with an informative Dirichlet prior.

From Monroe, Colaresi and Quinn 2008, equations 15 to 22 ("Fightin' Words: Lexical Feature Selection and Evaluation for
Identifying the Content of Political Conflict", Political Analysis 16(4)). ``cypher/statistics/words`` has the same formula for
one target; the report reads the counts of several targets at once and computes it here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.analytics.statistics.chance import corrected_for_number, fisher, is_beyond

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


def by_chance(counts: Mapping[str, tuple[int, int]], positive: int, negative: int) -> dict[str, float | None]:
    """How likely chance alone deals each word so between the positive and the negative statements of a target.

    If words and labels had nothing to do with each other, each set of statements would be as likely to be the positive ones:
    Fisher's exact test, see ``chance``. The p are corrected for the number of words (Benjamini and Hochberg 1995). Words so rare
    that no deal would reach ``BEYOND`` are not tested and do not count: which they are, the labels do not decide.

    Args:
        counts: how many positive and how many negative statements hold a word, at least one together.
        positive, negative: how many statements there are of each.

    Returns:
        The corrected p of each word, None of one that is too rare to tell.
    """
    import numpy as np

    if not counts:
        return {}
    here, there = np.array(list(counts.values())).T
    q = corrected_for_number(*fisher(here, positive, there, negative))
    return {word: None if np.isnan(value) else value for word, value in zip(counts, q.tolist(), strict=True)}


def marking(
    rows: Sequence[Mapping[str, Any]],
    everywhere: Mapping[str, int],
    limit: int,
    statements: Mapping[str, int],
) -> list[dict[str, Any]]:
    """The words that mark each side of a target, as ``cypher/statistics/words`` gives them.

    The background is all statements about targets; the weight of the prior is the number of words of both sides.

    Args:
        rows: ``target``, ``label`` (negative or positive), ``word`` and ``n`` of one target.
        everywhere: for every word, how many statements about any target contain it.
        limit: most words of each side.
        statements: how many statements of the target each side has, by label.

    Returns:
        The rows with ``z``, ``other_n``, ``q`` (see ``by_chance``), ``all_n``, and of the target ``beyond`` and ``words``: how
        many words are beyond chance, of how many. Of each side those beyond chance come first, then the highest z; none has a
        z below 0.
    """
    counts = {label: Counter({row["word"]: row["n"] for row in rows if row["label"] == label}) for label in SIDES}
    sizes = {label: counts[label].total() for label in SIDES}
    background = sum(everywhere.values())
    held = {
        word: (counts["positive"][word], counts["negative"][word])
        for word in dict.fromkeys(row["word"] for row in rows)
    }
    q = by_chance(held, statements["positive"], statements["negative"])
    beyond = sum(map(is_beyond, q.values()))
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
            found = {"z": z, "other_n": counts[other][word], "q": q[word], "all_n": everywhere[word]}
            marked.append({**row, **found, "beyond": beyond, "words": len(q)})
    marked.sort(key=lambda row: (row["label"], not is_beyond(row["q"]), -row["z"], -row["n"], row["word"]))
    return [row for label in SIDES for row in [entry for entry in marked if entry["label"] == label][:limit]]
