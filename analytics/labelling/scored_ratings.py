"""A scorer's labels and values of the sentences that people labelled, masked like the statements in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harmgraph.analytics.labelling.masking import mask_sentence
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.engines.local import Workers
from harmgraph.graph.scorer import Score, Scorer


def scored_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    names: Iterable[str],
    *,
    progress: Progress = silent,
) -> dict[str, str]:
    """The scorer's label of each sentence; see ``scores_of_people``."""
    scores = scores_of_people(ratings, scorer, options, names, progress=progress)
    return {text: score.label for text, score in scores.items()}


def scores_of_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    names: Iterable[str],
    *,
    progress: Progress = silent,
) -> dict[str, Score]:
    """The scorer's label and value of each sentence; sentences for which it gives none are left out.

    Args:
        names: names of targets; every occurrence in a sentence is masked. Empty to mask nothing.
    """
    masked = tuple(names)
    texts = {text: mask_sentence(text, masked) if masked else text for text in ratings.counts}
    distinct = list(dict.fromkeys(texts.values()))
    progress("scoring", 0, len(distinct))
    with Workers(scorer, options) as workers:
        scores = dict(zip(distinct, workers.scores(distinct), strict=True))
    return {text: score for text, seen in texts.items() if (score := scores[seen])}
