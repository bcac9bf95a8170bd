"""A statistic of rates per target, estimated from people's sample and the scorer's labels together; see ``prediction_powered``.

The sample is that of ``harmgraph review``: it says which statement each judged sentence is, and with what probability it was
drawn. Other labels of people do not say that, and ``corrected`` estimates from these by the confusion matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.analytics.labelling.drawn_sample import Item, Sample
from harmgraph.analytics.labelling.ratings import Ratings, read_ratings
from harmgraph.analytics.labelling.standing_scorer import standing_labels
from harmgraph.analytics.statistics.corrected import (
    BEHIND,
    EVERY,
    check_sample,
    choice_of_sample,
    counts_to_correct,
    judged_items,
    percents,
    rates_of,
    sample_of,
    scored_of_sample,
    with_corrected_rates,
    with_pooled_rows,
)
from harmgraph.analytics.statistics.misclassification import place
from harmgraph.analytics.statistics.prediction_powered import JudgedSentences, PoweredShares, powered_shares
from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.common.errors import InputError
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    import pandas

    Array = np.ndarray[Any, Any]

ENOUGH = 30
"""Fewest judged sentences about a target, or a category, for an estimate of its own: with fewer, intervals may be too narrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Powered:
    """An estimated statistic and what it is based on.

    Attributes:
        frame: as in ``corrected.Corrected``, without an estimate where fewer than ``ENOUGH`` sentences were judged; ``judged``
            says how many were. ``constrained`` is always False.
        judged: the judged sentences with a label of the scorer.
        labels: how often people judged these.
        labels_digest: of all labels in people's file.
        without: judged sentences of the sample without a label of the scorer; they are left out.
        of_other_sources: those that no statement of the source says, likewise.
        not_of_it: labelled sentences that are not of the sample, likewise.
        overall: over all statements about targets of the source, each counted once, whichever rows are shown.
        graph_shares: shares of the scorer's labels in these statements, in the order of ``PEOPLE_LABELS``.
        strata: by what the sample was drawn.
    """

    frame: pandas.DataFrame
    by: str
    judged: JudgedSentences
    labels: int
    labels_digest: str
    without: int
    of_other_sources: int
    not_of_it: int
    overall: PoweredShares
    graph_shares: tuple[float, ...]
    strata: tuple[str, ...]

    def basis(self) -> dict[str, Any]:
        """What the estimates are based on, as plain values."""
        overall = self.overall
        ends = zip(overall.shares, overall.low, overall.high, strict=True)
        return {
            "method": "ppi",
            "scorer": self.by,
            "sentences": overall.judged,
            "labels": self.labels,
            "labels_digest": self.labels_digest,
            "sentences_without_score": self.without,
            "order": list(PEOPLE_NAMES),
            "overall_share_low_high": [[round(float(value), 6) for value in row] for row in ends],
            "lambda": overall.tuned.tolist(),
            "people_by_label_of_scorer": [
                [None if np.isnan(value) else round(float(value), 6) for value in row] for row in self.judged.by_label()
            ],
            "shares_of_scorer_in_graph": list(self.graph_shares),
            "sample_of_review": {
                "strata": list(self.strata),
                "not_of_it": self.not_of_it,
                "of_other_sources": self.of_other_sources,
            },
        }

    def remarks(self) -> Iterator[str]:
        """The same as lines for a reader."""
        yield (
            f"from {self.labels:,} judgements of {self.overall.judged:,} sentences and the labels of {self.by} together"
            + (f" ({self.without:,} judged sentences without a label left out)" if self.without else "")
        )
        if self.of_other_sources:
            yield f"{self.of_other_sources:,} judged sentences are of other sources alone and are left out"
        if self.not_of_it:
            yield f"{self.not_of_it:,} labelled sentences are not of the sample beside the file and are left out"
        said = "; ".join(
            f"{label} {percents(row)}"
            for label, row in zip(PEOPLE_LABELS, self.judged.by_label(), strict=True)
            if not np.isnan(row).any()
        )
        yield f"for each label of the scorer, people say {', '.join(PEOPLE_NAMES)}: {said}"
        low, high = 100 * self.overall.low, 100 * self.overall.high
        rates = "; ".join(
            f"{name} {100 * self.overall.shares[at]:.1f} % ({low[at]:.1f}–{high[at]:.1f})"
            for at, name in enumerate(PEOPLE_NAMES)
            if name != "neutral"
        )
        yield f"over all statements, each counted once: {rates}"
        rows = self.frame[self.frame["target"].notna()]
        few = int((rows["judged"] < ENOUGH).sum())
        if few:
            yield (
                f"{few:,} of {len(rows):,} targets have fewer than {ENOUGH} judged sentences and no estimate: judge more, or "
                "--corrected-by confusion, which takes the scorer to err alike about all targets"
            )


def powered(
    statistic: Statistic,
    graph: Graph,
    labels: tuple[Path, ...],
    *,
    weigh: tuple[str, ...] = (),
    scorer_options: Mapping[str, str] | None = None,
    resamples: int = 2_000,
    seed: int = 0,
    **parameters: Any,
) -> Powered:
    """Computes a statistic together with estimates of its rates if people had labelled the statements.

    A pooled row adds up the rows of its targets: a statement about two targets counts twice, as in disparity. So does a sentence.

    Args:
        labels: the file of a review, which has its sample beside it.
        weigh: refused: the sample says how its sentences were chosen.
        scorer_options, parameters: as in ``corrected``.

    Raises:
        InputError: as ``corrected``; or the labels have no sample beside them, or one about other target lists.
        NotFound, BadName: as ``Statistic``.
    """
    names = rates_of(statistic)
    sample = sample_of(labels)
    if sample is None:
        raise InputError(
            "people's labels do not say which statements of the graph they are of",
            where=str(labels[0]),
            remedy="judge a sample with 'harmgraph review', or take --corrected-by confusion",
        )
    arguments = statistic.statement.arguments(parameters)
    source, measure = arguments.get("source"), arguments["measure"]
    check_sample(sample, weigh, source, arguments.get("target"))
    if set(sample.wish.lists) != set(graph.asked_lists):
        raise InputError(
            f"people's labels are of a sample about the targets of {', '.join(sample.wish.lists) or 'every list'}",
            remedy=" ".join(f"--targets {name}" for name in sample.wish.lists) or "leave --targets out",
        )
    frame = statistic(graph, resamples=resamples, seed=seed, **parameters)
    ratings = read_ratings(labels)
    standing = standing_labels(graph, measure, source=source)
    items = judged_items(sample, ratings)
    scored = scored_of_sample(graph, sample, ratings, items, standing, measure, source, scorer_options or {})
    weights = _weights(sample, items, scored)
    of_source = {text: item for text, item in items.items() if not source or source in item.said_by}
    kept = {text: item for text, item in of_source.items() if text in scored}
    judged = _judged(ratings, kept, scored, weights)
    if not len(judged.said):
        raise InputError(f"{standing.by} has no opinion of any of people's sentences")
    counts = counts_to_correct(frame, standing, sample)
    rows = with_pooled_rows(frame, names)
    return Powered(
        frame=_with_estimates(rows, names, list(kept.values()), judged),
        by=standing.by,
        judged=judged,
        labels=sum(sum(ratings.counts[text]) for text in kept),
        labels_digest=ratings.digest(),
        without=len(of_source) - len(kept),
        of_other_sources=len(items) - len(of_source),
        not_of_it=len(ratings.counts) - len(items),
        overall=powered_shares(judged, counts),
        graph_shares=tuple(count / sum(counts) for count in counts),
        strata=sample.wish.strata,
    )


def _weights(sample: Sample, items: Mapping[str, Item], scored: Mapping[str, str]) -> dict[str, float]:
    """For how much of the statements each judged sentence stands: the share of its stratum, over those judged in it."""
    if not sample.wish.strata:
        return dict.fromkeys(items, 1.0)
    choice = choice_of_sample(sample, items, scored)
    judged = np.bincount(choice.of, minlength=len(choice.names))
    return {text: float(choice.shares[of] / judged[of]) for text, of in zip(items, choice.of, strict=True)}


def _judged(
    ratings: Ratings, items: Mapping[str, Item], scored: Mapping[str, str], weights: Mapping[str, float]
) -> JudgedSentences:
    given = np.array([ratings.counts[text] for text in items], dtype=float).reshape(-1, len(PEOPLE_LABELS))
    return JudgedSentences(
        given / given.sum(axis=1, keepdims=True),
        np.array([place(scored[text]) for text in items], dtype=np.int64),
        np.array([weights[text] for text in items]),
    )


def _with_estimates(
    frame: pandas.DataFrame, names: tuple[str, ...], items: Sequence[Item], judged: JudgedSentences
) -> pandas.DataFrame:
    """The frame with the estimate of each row, and how many sentences it is from."""
    groups = frame[frame["target"].notna()].groupby("category")["target"].agg(set).to_dict()
    groups[EVERY] = set().union(*groups.values())
    estimates: list[PoweredShares | None] = []
    numbers: list[int] = []
    for row in frame.to_dict("records"):
        about = groups[row["category"]] if row["target"] is None else {row["target"]}
        times = np.array([len(about.intersection(item.targets)) for item in items], dtype=np.int64)
        positive, negative = int(row["positive"]), int(row["negative"])
        labelled = int(row["n"]) - int(row["unlabelled"])
        numbers.append(int((times > 0).sum()))
        enough = labelled > 0 and numbers[-1] >= ENOUGH
        counts = (positive, labelled - positive - negative, negative)
        estimates.append(powered_shares(judged.of(times), counts) if enough else None)
    result = with_corrected_rates(frame, names, estimates)
    behind = len(result.columns) - len(BEHIND)
    result.insert(behind, "constrained", False)
    result.insert(behind, "judged", numbers)
    return result
