"""A statistic of rates per target, corrected for its scorer's confusion; see ``misclassification``.

A statement of ``cypher/statistics`` allows this with the header line ``// corrects: o_plus o_minus``, which names its rates of
positive and of negative statements, in percent; see ``Statistic.corrects``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, read, sample_file
from harmgraph.analytics.labelling.masking import Masks
from harmgraph.analytics.labelling.people_masks import mask_by_graph
from harmgraph.analytics.labelling.ratings import Ratings, folded, read_ratings
from harmgraph.analytics.labelling.review_question import HARM
from harmgraph.analytics.labelling.scored_ratings import scored_people
from harmgraph.analytics.labelling.standing_scorer import (
    StandingLabels,
    StandingScorer,
    standing_labels,
    standing_scorer,
)
from harmgraph.analytics.statistics.misclassification import (
    EstimatedShares,
    Matrix,
    RatedSentences,
    SampleChoice,
    estimate,
    matrix,
    place,
    rated_sentences,
)
from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.common.errors import InputError
from harmgraph.common.intervals import wilson
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    import pandas

    from harmgraph.analytics.statistics.prediction_powered import PoweredShares

EVERY = "all"
LIKELY = 0.5
NO_OPINION = "without a label"
ENDS = ("", "_low", "_high")
BEHIND = ("positive", "negative", "unlabelled")
"""The columns at the end of a corrected frame."""
STRATA_NAMES = {"label": "{measure}", "score": "{measure}_score"}
"""What the strata of a sample are made of."""


@dataclass(frozen=True, slots=True)
class SampleUse:
    """How a sample of ``harmgraph review`` was used.

    Attributes:
        not_of_it: labelled sentences that are not of the sample; they are left out.
        single: strata of several statements of which one sentence was judged; it has no spread, so intervals are too narrow.
        wider: whether the sample is of every source, and the statistic of one.
    """

    not_of_it: int
    single: int
    wider: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected statistic and what it is based on.

    Attributes:
        frame: the statistic's rows, after rows of pooled targets (``target`` is None, ``category`` is ``all`` or a category).
            For each rate there is ``<rate>_corrected`` with ``_low`` and ``_high``; ``constrained`` says whether the inverse
            gave shares outside 0 and 100 %. These are None if no statement of a row is labelled.
        labels_digest: of all labels in people's files.
        without: number of people's sentences for which the scorer gave no label; they are left out.
        overall: shares over all statements about targets of the source, each counted once, whichever rows are shown.
        graph_shares: shares of the scorer's labels in these statements, in the order of ``PEOPLE_LABELS``.
        weighed: what people's sentences were weighted by to match the graph's statements: measures, or strata of a sample.
        sample: how the sample of ``harmgraph review`` was used; None for other labels.
    """

    frame: pandas.DataFrame
    by: str
    rated: RatedSentences
    labels_digest: str
    without: int
    matrix: Matrix
    overall: EstimatedShares
    graph_shares: tuple[float, ...]
    weighed: tuple[str, ...]
    sample: SampleUse | None

    def basis(self) -> dict[str, Any]:
        """What the correction is based on, as plain values."""
        return {
            "method": "confusion",
            "scorer": self.by,
            "sentences": self.rated.n_sentences,
            "labels": self.rated.n_ratings,
            "labels_digest": self.labels_digest,
            "sentences_without_score": self.without,
            "order": list(PEOPLE_NAMES),
            "matrix_people_by_scorer": [[round(float(value), 6) for value in row] for row in self.matrix.values],
            "condition": self.matrix.condition,
            "shares_of_scorer_in_sentences": [float(value) for value in self.rated.shares()],
            "shares_of_scorer_in_graph": list(self.graph_shares),
            "weighed": list(self.weighed),
            "sample_of_review": asdict(self.sample) if self.sample else None,
        }

    def remarks(self) -> Iterator[str]:
        """The same as lines for a reader, with warnings."""
        yield (
            f"corrected for {self.by} by {self.rated.n_ratings:,} labels of {self.rated.n_sentences:,} sentences"
            + (f" ({self.without:,} without a score left out)" if self.without else "")
            + (f", weighted to the graph's shares of {' and '.join(self.weighed)}" if self.weighed else "")
        )
        if self.sample and self.sample.not_of_it:
            yield f"{self.sample.not_of_it:,} labelled sentences are not of the sample beside the file and are left out"
        if self.sample and self.sample.single:
            yield (
                f"{self.sample.single:,} strata of the sample rest on one judged sentence each: the intervals are too narrow, "
                "judge on or draw fewer strata"
            )
        if self.sample and self.sample.wider:
            yield "the sample is of every source, and the statistic of one: the scorer is taken to err in it as in all of them"
        rows = "; ".join(f"{name} {percents(row)}" for name, row in zip(PEOPLE_NAMES, self.matrix.values, strict=True))
        yield (
            f"for each label by people, the scorer says {', '.join(PEOPLE_LABELS)}: {rows} "
            f"(condition number {self.matrix.condition:.1f})"
        )
        yield (
            f"the scorer's own labels ({', '.join(PEOPLE_LABELS)}): {percents(self.rated.shares())} of people's sentences, "
            f"{percents(self.graph_shares)} of the graph's statements"
        )
        rows_constrained = int((self.frame["constrained"] == True).sum())  # noqa: E712 - None is not a row
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
            if not self.weighed and not self.sample:
                yield "if the sentences were chosen by labels of a measure, --weigh MEASURE undoes that"


def percents(shares: Any) -> str:
    """Shares in percent, with a slash between them."""
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
    **parameters: Any,
) -> Corrected:
    """Computes a statistic together with estimates of its rates if people had labelled the statements.

    The scorer is the one that gave the measure's labels in the graph. It scores people's sentences masked as the graph's
    statements of the same words were for it. Judgements of ``harmgraph review`` have their sample beside them: it holds the
    labels that the scorer gave in the graph, and the sizes of its strata, by which the sentences are weighted. A pooled row adds
    up the rows of its targets: a statement about two targets counts twice, as in disparity.

    Args:
        labels: files with people's labels, as ``labelling.ratings.rating_files`` returns them.
        weigh: measures by whose labels people's sentences were chosen; they are weighted to the graph's shares of these labels.
        scorer_options: options that the labels in the graph do not name, as text.
        parameters: parameters of the statistic.

    Raises:
        InputError: the statistic has no rates to correct; the scorer is not known or cannot be called again; people's labels are
            too few; or they are of a sample that says otherwise how its sentences were chosen, or is of another source or target.
        NotFound, BadName: as ``Statistic``.
    """
    names = rates_of(statistic)
    arguments = statistic.statement.arguments(parameters)
    frame = statistic(graph, resamples=resamples, seed=seed, **parameters)
    ratings = read_ratings(labels)
    source, options = arguments.get("source"), scorer_options or {}
    sample = sample_of(labels)
    items: dict[str, Item] = {}
    chosen: SampleChoice | None
    if sample:
        check_sample(sample, weigh, source, arguments.get("target"))
        standing: StandingLabels = standing_labels(graph, arguments["measure"], source=source)
        items = judged_items(sample, ratings)
        scored = scored_of_sample(graph, sample, ratings, items, standing, arguments["measure"], source, options)
        weigh = tuple(STRATA_NAMES.get(name, name).format(measure=sample.wish.measure) for name in sample.wish.strata)
        chosen = choice_of_sample(sample, items, scored) if weigh else None
        counted = Ratings({text: ratings.counts[text] for text in items if weigh or text in scored})
    else:
        scorer = standing_scorer(graph, arguments["measure"], source=source, options=options)
        standing, scored = scorer, _scored(graph, ratings, scorer, source)
        counted = Ratings({text: counts for text, counts in ratings.counts.items() if text in scored})
        chosen = _choice(graph, counted, weigh, source, options) if weigh else None
    rated = rated_sentences(Ratings({text: ratings.counts[text] for text in counted.counts if text in scored}), scored)
    if not rated.n_sentences:
        raise InputError(f"{standing.by} has no opinion of any of people's sentences")
    counts = counts_to_correct(frame, standing, sample)
    shares = tuple(count / sum(counts) for count in counts)
    progress("correcting", 0)
    confusion = matrix(rated_sentences(counted, scored), chosen=chosen, resamples=resamples, seed=seed)
    overall = estimate(confusion, counts, seed=seed)
    corrected_frame = _with_columns(with_pooled_rows(frame, names), names, confusion, seed)
    use = _use(sample, items, ratings, source) if sample else None
    without = len(ratings.counts) - rated.n_sentences - (use.not_of_it if use else 0)
    return Corrected(
        frame=corrected_frame,
        by=standing.by,
        rated=rated,
        labels_digest=ratings.digest(),
        without=without,
        matrix=confusion,
        overall=overall,
        graph_shares=shares,
        weighed=weigh,
        sample=use,
    )


def rates_of(statistic: Statistic) -> tuple[str, ...]:
    """The names of a statistic's rates of positive and of negative statements.

    Raises:
        InputError: it has none to correct.
    """
    if not statistic.corrects:
        raise InputError(f"the statistic {statistic.name} has no rates to correct")
    return statistic.corrects


def counts_to_correct(frame: pandas.DataFrame, standing: StandingLabels, sample: Sample | None) -> list[int]:
    """How many statements have each of ``PEOPLE_LABELS``: of the rows where the sample is of one target, else of all.

    Raises:
        InputError: none has one.
    """
    counts = _counts_of_frame(frame) if sample and sample.wish.target else _label_counts(standing)
    if not sum(counts):
        raise InputError("the statistic has no labelled statement to correct")
    return counts


def sample_of(labels: tuple[Path, ...]) -> Sample | None:
    """The sample of a file of ``harmgraph review``; None for other labels."""
    if len(labels) != 1 or not sample_file(labels[0]).exists():
        return None
    sample = read(sample_file(labels[0]))
    if sample.wish.question != HARM:
        raise InputError(
            f"holds answers to the question {sample.wish.question}, and not to that of harm",
            where=str(labels[0]),
            remedy="give a file of 'harmgraph review' without --question",
        )
    return sample


def check_sample(sample: Sample, weigh: tuple[str, ...], source: str | None, target: str | None) -> None:
    """Checks that a sample can correct a statistic.

    Raises:
        InputError: it is of another source or target; or it says otherwise how its sentences were chosen.
    """
    if weigh:
        raise InputError(
            "the sample beside people's labels says how its sentences were chosen: they are weighted by that",
            remedy="leave --weigh out",
        )
    if sample.wish.source and sample.wish.source != source:
        raise InputError(
            f"people's labels are of a sample of {sample.wish.source}", remedy=f"--source {sample.wish.source}"
        )
    if sample.wish.target and sample.wish.target != target:
        raise InputError(
            f"people's labels are of a sample of {sample.wish.target} alone", remedy=f"--target {sample.wish.target}"
        )


def _use(sample: Sample, items: Mapping[str, Item], ratings: Ratings, source: str | None) -> SampleUse:
    judged = Counter(item.stratum for item in items.values())
    single = sum(count == 1 and sample.statements.get(stratum, 0) > 1 for stratum, count in judged.items())
    wider = bool(source) and not sample.wish.source
    return SampleUse(len(ratings.counts) - len(items), single, wider)


def judged_items(sample: Sample, ratings: Ratings) -> dict[str, Item]:
    """What of the sample people judged, by the sentence as it stands in their file."""
    items = {folded(item.sentence): item for item in sample.items}
    return {text: items[folded(text)] for text in ratings.counts if folded(text) in items}


def scored_of_sample(
    graph: Graph,
    sample: Sample,
    ratings: Ratings,
    items: Mapping[str, Item],
    standing: StandingLabels,
    measure: str,
    source: str | None,
    options: Mapping[str, str],
) -> dict[str, str]:
    """The labels that stood in the graph when the sample was drawn; of another scorer, those it gives to the same masked text."""
    if measure == sample.wish.measure and {item.by for item in sample.items if item.label} == {standing.by}:
        return {text: item.label for text, item in items.items() if item.label}
    scorer = standing_scorer(graph, measure, source=source, options=options)
    judged = Ratings({text: ratings.counts[text] for text in items})
    if scorer.masking == Masks.OWN:
        mask = {text: item.masked for text, item in items.items()}.__getitem__
        return scored_people(judged, scorer.scorer, scorer.options, mask)
    return _scored(graph, judged, scorer, source)


def choice_of_sample(sample: Sample, items: Mapping[str, Item], scored: Mapping[str, str]) -> SampleChoice:
    """The strata of a sample: a sentence stands for the statements of its stratum over the sentences judged in it.

    Raises:
        InputError: a stratum with labels has no judged sentence.
    """
    names = sorted(sample.statements)
    of = [names.index(item.stratum) for item in items.values()]
    judged = {item.stratum for item in items.values()}
    # What the scorer does not label is not among the statements whose rates are corrected.
    drawn = {item.stratum for item in sample.items}
    labelled = {item.stratum for item in sample.items if item.label} | {items[text].stratum for text in scored}
    counts = {name: 0 if name in drawn - labelled else sample.statements[name] for name in names}
    missing = [name for name in names if counts[name] and name not in judged]
    if missing:
        part = 100 * sum(counts[name] for name in missing) / sum(counts.values())
        raise InputError(
            f"{len(missing):,} of {len(names):,} strata of the sample have no judged sentence, such as {missing[0]!r}: "
            f"{part:.1f} % of the statements",
            remedy="judge on, or draw a sample of fewer strata or more sentences",
        )
    total = sum(counts.values())
    shares = np.array([counts[name] / total if total else 0.0 for name in names])
    return SampleChoice(tuple(names), np.array(of), shares, stratified=True)


def _counts_of_frame(frame: pandas.DataFrame) -> list[int]:
    """How many pairs of the rows have each of ``PEOPLE_LABELS``."""
    positive, negative, labelled = (int(frame[name].sum()) for name in ("positive", "negative", "n"))
    return [positive, labelled - int(frame["unlabelled"].sum()) - positive - negative, negative]


def _choice(
    graph: Graph,
    ratings: Ratings,
    measures: tuple[str, ...],
    source: str | None,
    options: Mapping[str, str],
) -> SampleChoice:
    """The strata by the labels of all the measures, in the graph and in people's sentences."""
    scored = []
    for measure in measures:
        standing = standing_scorer(graph, measure, source=source, options=options, strict=False)
        scored.append(_scored(graph, ratings, standing, source))
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
    return SampleChoice(
        tuple(_named(measures, name) for name in names),
        np.array([names.index(stratum) for stratum in of]),
        np.array([graph_counts[name] / total for name in names]),
    )


def _stratum(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label if label == NO_OPINION else PEOPLE_LABELS[place(label)] for label in labels)


def _named(measures: Sequence[str], labels: Sequence[str]) -> str:
    return " and ".join(f"{label} by {measure}" for measure, label in zip(measures, labels, strict=True))


def _scored(graph: Graph, ratings: Ratings, standing: StandingScorer, source: str | None) -> dict[str, str]:
    progress("reading the graph's statements", 0)
    mask = mask_by_graph(graph, ratings, standing.masking, source)
    return scored_people(ratings, standing.scorer, standing.options, mask)


def _label_counts(standing: StandingLabels) -> list[int]:
    """How many statements have each of ``PEOPLE_LABELS``."""
    counts = [0] * len(PEOPLE_LABELS)
    for label, count in standing.labels.items():
        counts[place(label)] += count
    return counts


def with_pooled_rows(frame: pandas.DataFrame, names: tuple[str, ...]) -> pandas.DataFrame:
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
    estimates = [_of_row(row, confusion, seed) for row in frame.to_dict("records")]
    result = with_corrected_rates(frame, names, estimates)
    constrained: list[Any] = [row_estimate and row_estimate.constrained for row_estimate in estimates]
    result.insert(len(result.columns) - len(BEHIND), "constrained", constrained)
    return result


def with_corrected_rates(
    frame: pandas.DataFrame, names: tuple[str, ...], estimates: Sequence[EstimatedShares | PoweredShares | None]
) -> pandas.DataFrame:
    """Adds each corrected rate next to its rate, and moves the counts to the end, so that a narrow table shows the rates.

    Args:
        names: the rates of positive and of negative statements.
        estimates: of each row; None for a row without one.
    """
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
    return result[[column for column in result.columns if column not in BEHIND] + list(BEHIND)]


def _of_row(row: Mapping[Any, Any], confusion: Matrix, seed: int) -> EstimatedShares | None:
    positive, negative = int(row["positive"]), int(row["negative"])
    labelled = int(row["n"]) - int(row["unlabelled"])
    if not labelled:
        return None
    key = f"{row['category']} {row['target'] or ''}"
    return estimate(confusion, (positive, labelled - positive - negative, negative), seed=seed, key=key)
