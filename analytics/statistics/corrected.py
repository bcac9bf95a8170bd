"""A statistic of rates per target, corrected for its scorer's confusion; see ``misclassification``.

A statement of ``cypher/statistics`` allows this with the header line ``// corrects: o_plus o_minus``, which names its rates of
positive and of negative statements, in percent; see ``Statistic.corrects``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.analytics.labelling.ratings import Ratings, read_ratings
from harmgraph.analytics.labelling.scored_ratings import scored_people
from harmgraph.analytics.labelling.standing_scorer import StandingScorer, standing_scorer
from harmgraph.analytics.statistics.misclassification import (
    Choice,
    Estimate,
    Matrix,
    RatedSentences,
    estimate,
    matrix,
    place,
    rated_sentences,
)
from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.graph.common.errors import InputError
from harmgraph.graph.common.intervals import wilson
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.label_words import PEOPLE_LABELS, PEOPLE_NAMES

if TYPE_CHECKING:
    import pandas

EVERY = "all"
LIKELY = 0.5
NO_OPINION = "without a label"
ENDS = ("", "_low", "_high")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected statistic and what it is based on.

    Attributes:
        frame: the statistic's rows, after rows of pooled targets (``target`` is None, ``category`` is ``all`` or a category).
            For each rate there is ``<rate>_corrected`` with ``_low`` and ``_high``; ``constrained`` says whether the inverse
            gave shares outside 0 and 100 %. These are None if no statement of a row is labelled.
        without: number of people's sentences for which the scorer gave no label; they are left out.
        overall: shares over all statements about targets of the source, each counted once, whichever rows are shown.
        graph_shares: shares of the scorer's labels in these statements, in the order of ``PEOPLE_LABELS``.
        weighed: measures by whose labels people's sentences were weighted to match the graph's statements.
    """

    frame: pandas.DataFrame
    by: str
    rated: RatedSentences
    without: int
    matrix: Matrix
    overall: Estimate
    graph_shares: tuple[float, ...]
    weighed: tuple[str, ...]

    def basis(self) -> dict[str, Any]:
        """What the correction is based on, as plain values."""
        return {
            "scorer": self.by,
            "sentences": self.rated.n_sentences,
            "labels": self.rated.n_ratings,
            "sentences_without_score": self.without,
            "order": list(PEOPLE_NAMES),
            "matrix_people_by_scorer": [[round(float(value), 6) for value in row] for row in self.matrix.values],
            "condition": self.matrix.condition,
            "shares_of_scorer_in_sentences": [float(value) for value in self.rated.shares()],
            "shares_of_scorer_in_graph": list(self.graph_shares),
            "weighed": list(self.weighed),
        }

    def remarks(self) -> Iterator[str]:
        """The same as lines for a reader, with warnings."""
        yield (
            f"corrected for {self.by} by {self.rated.n_ratings:,} labels of {self.rated.n_sentences:,} sentences"
            + (f" ({self.without:,} without a score left out)" if self.without else "")
            + (f", weighted to the graph's shares of {' and '.join(self.weighed)}" if self.weighed else "")
        )
        rows = "; ".join(f"{name} {_percents(row)}" for name, row in zip(PEOPLE_NAMES, self.matrix.values, strict=True))
        yield (
            f"for each label by people, the scorer says {', '.join(PEOPLE_LABELS)}: {rows} "
            f"(condition number {self.matrix.condition:.1f})"
        )
        yield (
            f"the scorer's own labels ({', '.join(PEOPLE_LABELS)}): {_percents(self.rated.shares())} of people's sentences, "
            f"{_percents(self.graph_shares)} of the graph's statements"
        )
        rows_constrained = int((self.frame["constrained"] == True).sum())  # noqa: E712 - None is no row
        if rows_constrained:
            yield (
                f"in {rows_constrained:,} of {len(self.frame):,} rows the inverse gives shares outside 0 to 100 %: "
                "the nearest ones are shown (column constrained)"
            )
        if self.overall.constrained and self.overall.outside > LIKELY:
            plus, _, minus = 100 * self.overall.solved
            yield (
                f"beware: over all statements the inverse gives {plus:.1f} % favouritism and {minus:.1f} % prejudice, and "
                f"{100 * self.overall.outside:.0f} % of the resamples give impossible shares: the scorer's errors in the graph "
                "differ from those in these sentences"
            )
            if not self.weighed:
                yield "if the sentences were chosen by labels of a measure, --weigh MEASURE undoes that"


def _percents(shares: Any) -> str:
    return "/".join(f"{100 * share:.1f}" for share in shares) + " %"


def corrected(
    statistic: Statistic,
    graph: Graph,
    labels: tuple[Path, ...],
    *,
    weigh: tuple[str, ...] = (),
    scorer_options: Mapping[str, str] | None = None,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress = silent,
    **parameters: Any,
) -> Corrected:
    """Computes a statistic together with estimates of its rates if people had labelled the statements.

    The scorer is the one that gave the measure's labels in the graph. It scores people's sentences with the names of the
    graph's targets masked. A pooled row adds up the rows of its targets: a statement about two targets counts twice, as in
    disparity.

    Args:
        labels: files with people's labels, as ``labelling.ratings.rating_files`` returns them.
        weigh: measures by whose labels people's sentences were chosen; they are weighted to the graph's shares of these labels.
        scorer_options: options that the labels in the graph do not name, as text.
        parameters: parameters of the statistic.

    Raises:
        InputError: the statistic has no rates to correct; the scorer is not known or cannot be called again; or people's labels
            are too few.
        NotFound, BadName: as ``Statistic``.
    """
    names = statistic.corrects
    if not names:
        raise InputError(f"the statistic {statistic.name} has no rates to correct")
    arguments = statistic.statement.arguments(parameters)
    frame = statistic(graph, resamples=resamples, seed=seed, **parameters)
    ratings = read_ratings(labels)
    source, options = arguments.get("source"), scorer_options or {}
    standing = standing_scorer(graph, arguments["measure"], source=source, options=options)
    scored = _scored(graph, ratings, standing, progress)
    known = Ratings({text: counts for text, counts in ratings.counts.items() if text in scored})
    rated = rated_sentences(known, scored)
    if not rated.n_sentences:
        raise InputError(f"{standing.by} has no opinion of any of people's sentences")
    counts = _counts(standing)
    shares = tuple(count / sum(counts) for count in counts)
    chosen = _choice(graph, known, weigh, source, options, progress) if weigh else None
    progress("correcting", 0)
    confusion = matrix(rated, chosen=chosen, resamples=resamples, seed=seed)
    overall = estimate(confusion, counts, seed=seed)
    corrected_frame = _with_columns(_with_pooled(frame, names), names, confusion, seed)
    without = len(ratings.counts) - rated.n_sentences
    return Corrected(corrected_frame, standing.by, rated, without, confusion, overall, shares, weigh)


def _choice(
    graph: Graph,
    ratings: Ratings,
    measures: tuple[str, ...],
    source: str | None,
    options: Mapping[str, str],
    progress: Progress,
) -> Choice:
    """The strata by the labels of all the measures, in the graph and in people's sentences."""
    scored = []
    for measure in measures:
        standing = standing_scorer(graph, measure, source=source, options=options, strict=False)
        scored.append(_scored(graph, ratings, standing, progress))
    rows = graph.rows(
        "label/labelled_by", source=source, measures=list(measures), by=[f"{measure}_by" for measure in measures]
    )
    graph_counts: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        labelled = [label for label in row["labels"] if label is not None]
        if len(labelled) == len(measures):
            graph_counts[_stratum(labelled)] += row["statements"]
    of = [_stratum([labels.get(text, NO_OPINION) for labels in scored]) for text in ratings.counts]
    names = sorted({*graph_counts, *of})
    total = sum(graph_counts.values())
    return Choice(
        tuple(_named(measures, name) for name in names),
        np.array([names.index(stratum) for stratum in of]),
        np.array([graph_counts[name] / total for name in names]),
    )


def _stratum(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label if label == NO_OPINION else PEOPLE_LABELS[place(label)] for label in labels)


def _named(measures: Sequence[str], labels: Sequence[str]) -> str:
    return " and ".join(f"{label} by {measure}" for measure, label in zip(measures, labels, strict=True))


def _scored(graph: Graph, ratings: Ratings, standing: StandingScorer, progress: Progress) -> dict[str, str]:
    masked = _masked(graph) if standing.scorer.masked else ()
    return scored_people(ratings, standing.scorer, standing.options, masked, progress=progress)


def _masked(graph: Graph) -> list[str]:
    rows = graph.rows("explore/targets", limit=1_000_000)
    return [name for row in rows for name in (row["target"], *row["aliases"])]


def _counts(standing: StandingScorer) -> list[int]:
    counts = [0] * len(PEOPLE_LABELS)
    for label, count in standing.labels.items():
        counts[place(label)] += count
    return counts


def _with_pooled(frame: pandas.DataFrame, names: tuple[str, ...]) -> pandas.DataFrame:
    """The frame with rows for all targets and for each category of more than one target in front."""
    import pandas

    groups = [(EVERY, frame)] if frame["category"].nunique() > 1 else []
    groups += [(str(category), of) for category, of in frame.groupby("category") if len(of) > 1]
    if not groups:
        return frame
    pooled = pandas.DataFrame([_pooled(category, of, names) for category, of in groups], dtype=object)
    return pandas.concat(
        [pooled.reindex(columns=frame.columns).astype(object), frame.astype(object)], ignore_index=True
    )


def _pooled(category: str, frame: pandas.DataFrame, names: tuple[str, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {"target": None, "category": category}
    row |= {name: int(frame[name].sum()) for name in ("n", "positive", "negative", "unlabelled")}
    for name, count in zip(names, (row["positive"], row["negative"]), strict=True):
        row[name] = 100 * count / row["n"]
        for end, bound in zip(ENDS[1:], wilson(count, row["n"]), strict=True):
            if f"{name}{end}" in frame:
                row[f"{name}{end}"] = 100 * bound
    return row


def _with_columns(frame: pandas.DataFrame, names: tuple[str, ...], confusion: Matrix, seed: int) -> pandas.DataFrame:
    """Adds each corrected rate next to its rate, and moves the counts to the end, so that a narrow table shows the rates."""
    estimates = [_of_row(row, confusion, seed) for row in frame.to_dict("records")]
    result = frame.copy()
    for name, at in zip(names, (PEOPLE_LABELS.index("positive"), PEOPLE_LABELS.index("negative")), strict=True):
        for step, end in enumerate(ENDS):
            values = [
                None
                if row_estimate is None
                else 100 * float((row_estimate.shares, row_estimate.low, row_estimate.high)[step][at])
                for row_estimate in estimates
            ]
            after = max(number for number, column in enumerate(result.columns) if column.startswith(name))
            result.insert(after + 1, f"{name}_corrected{end}", values)
    behind = ["positive", "negative", "unlabelled"]
    constrained: list[Any] = [row_estimate and row_estimate.constrained for row_estimate in estimates]
    result["constrained"] = constrained
    return result[[column for column in result.columns if column not in behind] + behind]


def _of_row(row: Mapping[Any, Any], confusion: Matrix, seed: int) -> Estimate | None:
    positive, negative = int(row["positive"]), int(row["negative"])
    labelled = int(row["n"]) - int(row["unlabelled"])
    if not labelled:
        return None
    key = f"{row['category']} {row['target'] or ''}"
    return estimate(confusion, (positive, labelled - positive - negative, negative), seed=seed, key=key)
