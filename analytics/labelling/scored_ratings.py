"""A scorer's labels and values of the sentences that people labelled, masked like the statements in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harmgraph.analytics.labelling.people_masks import Mask
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common.engines.local import Workers
from harmgraph.common.progress import progress, say
from harmgraph.common.scorer import Score, Scorer


def scored_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    mask: Mask,
) -> dict[str, str]:
    """The scorer's label of each sentence; see ``scores_of_people``."""
    scores = scores_of_people(ratings, scorer, options, mask)
    return {text: score.label for text, score in scores.items()}


def scores_of_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    mask: Mask,
) -> dict[str, Score]:
    """The scorer's label and value of each sentence; sentences for which it gives none are left out.

    Args:
        mask: what makes the text that is scored of a sentence, unless the scorer looks sentences up as they stand.
    """
    texts = {text: mask(text) if scorer.masked else text for text in ratings.counts}
    distinct = list(dict.fromkeys(texts.values()))
    progress("scoring", 0, len(distinct))
    with Workers(scorer, options) as workers:
        scores = dict(zip(distinct, workers.scores(distinct), strict=True))
    for line in workers.said:
        say(line)
    return {text: score for text, seen in texts.items() if (score := scores[seen])}
