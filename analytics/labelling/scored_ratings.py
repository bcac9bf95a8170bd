"""A scorer's labels and values of the sentences that people labelled, masked like the statements in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.labelling.people_masks import Mask
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common.engines.local import Workers
from harmgraph.common.errors import InputError
from harmgraph.common.progress import notice, progress
from harmgraph.common.scorer import NotAsked, Score, Scorer


@dataclass(frozen=True, slots=True)
class ScoredSentences:
    """What a scorer says of people's sentences.

    Attributes:
        ratings: of the sentences that it came to. scores: of these; sentences for which it gives none are left out.
        not_asked: number of the other sentences, which a later run scores.
    """

    ratings: Ratings
    scores: Mapping[str, Score]
    not_asked: int


def scored_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    mask: Mask,
) -> dict[str, str]:
    """The scorer's label of each sentence; see ``scores_of_people``.

    Raises:
        InputError: there are sentences that it has not come to.
    """
    found = scores_of_people(ratings, scorer, options, mask)
    if found.not_asked:
        raise InputError(
            f"{scorer.name} was not asked about {found.not_asked:,} of {len(ratings.counts):,} sentences that people judged",
            remedy="run the same command again, or give a larger limit or max_tokens with --scorer-option",
        )
    return {text: score.label for text, score in found.scores.items()}


def scores_of_people(
    ratings: Ratings,
    scorer: Scorer,
    options: Mapping[str, Any],
    mask: Mask,
) -> ScoredSentences:
    """The scorer's label and value of each sentence.

    Args:
        mask: what makes the text that is scored of a sentence, unless the scorer looks sentences up as they stand.

    Raises:
        InputError: it came to no sentence.
    """
    texts = {text: mask(text) if scorer.masked else text for text in ratings.counts}
    distinct = list(dict.fromkeys(texts.values()))
    progress("scoring", 0, len(distinct))
    with Workers(scorer, options) as workers:
        scores = dict(zip(distinct, workers.scores(distinct), strict=True))
    for line in workers.said:
        notice(line)
    came = {text: scores[seen] for text, seen in texts.items() if not isinstance(scores[seen], NotAsked)}
    if ratings.counts and not came:
        raise InputError(
            f"{scorer.name} was asked about none of the sentences",
            remedy="give a larger limit or max_tokens with --scorer-option",
        )
    if len(came) < len(texts):
        left = f"{len(texts) - len(came):,} of people's {len(texts):,} sentences were not asked"
        notice(f"{left} and are left out: the numbers are of the others")
    rated = Ratings({text: ratings.counts[text] for text in came}, ratings.about)
    return ScoredSentences(rated, {text: score for text, score in came.items() if score}, len(texts) - len(came))
