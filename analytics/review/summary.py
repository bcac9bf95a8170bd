"""What a review shows at its end: who judged how much, how far people agree with each other and with the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.analytics.agreement.agreement import Agreement, agreement
from harmgraph.analytics.agreement.nominal import FEWEST, NominalAgreement, nominal_agreement
from harmgraph.analytics.labelling.drawn_sample import Sample
from harmgraph.analytics.labelling.ratings import Ratings, folded
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.common import resampling
from harmgraph.common.correlation import Correlation, spearman
from harmgraph.common.intervals import LEVEL, percentiles
from harmgraph.common.label_words import PEOPLE_LABELS

WITH_THE_SCORER = ("accuracy", "majority_accuracy")
BETWEEN_PEOPLE = ("fleiss_kappa", "krippendorff_alpha")
COLUMNS = ("measure", "between", "value", "value_low", "value_high", "sentences")
"""The columns of ``Summary.rows``."""
SHARES = ("source", "answer", "percent", "percent_low", "percent_high", "answers", "sentences")
"""The columns of ``AnswerShares.shares``."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa (1960) of the label of most people and the scorer's.

    Attributes:
        value: 1 for the same labels, 0 for no more agreement than chance gives; None if both give one label alone.
        interval: 95 % percentile bootstrap interval over sentences; None for few sentences, or if resamples are undefined.
        sentences: those on which one label of people leads.
    """

    value: float | None
    interval: tuple[float, float] | None
    sentences: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The judgements of a review. The agreement is of the sample as it is, unweighted.

    Attributes:
        annotators: for each annotator the name, the number of judgements and of each label.
        people: people with each other, over all judged sentences; None if there is no judgement.
        scorer: people with the scorer's labels of the same statements; None where nobody judged a statement that the scorer
            labelled.
        kappa: the label of most people with the scorer's, likewise.
        unscored: judged sentences without a label of the scorer; they are left out of ``scorer`` and ``kappa``.
    """

    annotators: tuple[dict[str, Any], ...]
    people: Agreement | None
    scorer: Agreement | None
    kappa: Kappa | None
    unscored: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """The agreement as rows, without what is undefined, as agreement between people is where one judged alone."""
        if self.scorer:
            yield from _rows(self.scorer, WITH_THE_SCORER, "people and scorer")
        if self.kappa and self.kappa.value is not None:
            kappa = self.kappa
            yield _row("majority kappa", "people and scorer", kappa.value, kappa.interval, kappa.sentences)
        if self.people:
            yield from _rows(self.people, BETWEEN_PEOPLE, "people")


@dataclass(frozen=True, slots=True)
class AnswerShares:
    """The answers to a question that no scorer answers, of the sample, unweighted.

    Attributes:
        shares: a row for all sources together (``source`` is None) and one for each, and for each answer, see ``SHARES``: the
            percentage of the answers with a 95 % percentile bootstrap interval over sentences (None for few). A sentence of two
            sources counts for both.
        agreement: of people with each other.
    """

    shares: tuple[dict[str, Any], ...]
    agreement: NominalAgreement


def answers(sample: Sample, judgements: Judgements, *, resamples: int = 1_000, seed: int = 0) -> AnswerShares:
    """Summarises the answers of a file. Each sentence counts as often as people answered it."""
    question = judgements.question
    said_by = {folded(item.sentence): item.said_by for item in sample.items}
    votes = judgements.by_sentence()
    counts = np.array(list(votes.values()), np.int64).reshape(-1, len(question.choices))
    of = [said_by.get(folded(sentence), ()) for sentence in votes]
    sources = sorted({source for each in of for source in each})
    groups: list[tuple[str | None, Any]] = [(None, np.arange(len(of)))] if of else []
    groups += [(source, np.array([place for place, each in enumerate(of) if source in each])) for source in sources]
    rows = []
    for source, places in groups:
        inside = counts[places]
        given = inside.sum(axis=1)
        draws = resamples if len(places) >= FEWEST else 0
        for place, choice in enumerate(question.names):
            drawn = resampling.ratios(inside[:, place], given, draws, seed)
            low, high = resampling.strict_interval(list(drawn), draws) or (None, None)
            ends = [None if end is None else 100 * end for end in (low, high)]
            share = 100 * float(inside[:, place].sum() / given.sum())
            rows.append(dict(zip(SHARES, (source, choice, share, *ends, int(given.sum()), len(places)), strict=True)))
    return AnswerShares(tuple(rows), nominal_agreement(counts, resamples=resamples, seed=seed))


def with_scorer(sample: Sample, judgements: Judgements) -> tuple[Correlation | None, str]:
    """Spearman's correlation of people's mean sentiment with the scorer's numbers (Huang et al. 2020, section 5.5).

    Sentences without a number of people, such as mixed ones, or of the scorer are left out.

    Returns:
        The correlation, None of any other question and where no judged sentence has a number; and who the scorer is.
    """
    if not judgements.question.harm:
        return None, ""
    scored = {folded(item.sentence): item for item in sample.items if item.score is not None}
    pairs = []
    for sentence, votes in judgements.by_sentence().items():
        _, mean = judgements.question.opinion(votes)
        item = scored.get(folded(sentence))
        if item is not None and item.score is not None and mean is not None:
            pairs.append((mean, item.score, item.by or "a scorer without a name"))
    if not pairs:
        return None, ""
    return spearman([mean for mean, _, _ in pairs], [score for _, score, _ in pairs]), pairs[0][2]


def _rows(found: Agreement, names: tuple[str, ...], between: str) -> Iterator[dict[str, Any]]:
    for name in names:
        if found.values[name] is not None:
            said = name.replace("_", " ")
            yield _row(said, between, found.values[name], found.intervals[name], found.sentences[name])


def _row(
    measure: str, between: str, value: float | None, interval: tuple[float, float] | None, sentences: int
) -> dict[str, Any]:
    return dict(zip(COLUMNS, (measure, between, value, *(interval or (None, None)), sentences), strict=True))


def annotators(judgements: Judgements) -> tuple[dict[str, Any], ...]:
    """For each annotator the name, the number of judgements and of each answer."""
    question = judgements.question
    counts: dict[str, Counter[str]] = {}
    for judgement in judgements:
        counts.setdefault(judgement.annotator, Counter())[judgement.label] += 1
    return tuple(
        {
            "annotator": name,
            "judged": labels.total(),
            **{said: labels[label] for said, label in zip(question.names, question.labels, strict=True)},
        }
        for name, labels in counts.items()
    )


def summary(sample: Sample, judgements: Judgements, *, resamples: int = 1_000, seed: int = 0) -> Summary:
    """Summarises judgements of harm.

    The scorer's labels are those that stood in the graph when the sample was drawn, each for its own statement.
    """
    scored = {folded(item.sentence): item.label for item in sample.items if item.label is not None}
    every = judgements.ratings().counts
    known = {sentence: votes for sentence, votes in every.items() if folded(sentence) in scored}
    labels_of = {sentence: scored[folded(sentence)] for sentence in known}
    people = agreement(Ratings(every), {}, resamples=resamples, seed=seed) if every else None
    with_scorer = agreement(Ratings(known), labels_of, resamples=resamples, seed=seed) if known else None
    kappa = _kappa(known, labels_of, resamples, seed) if known else None
    return Summary(annotators(judgements), people, with_scorer, kappa, len(every) - len(known))


def _kappa(votes: Mapping[str, tuple[int, int, int]], labels_of: Mapping[str, str], resamples: int, seed: int) -> Kappa:
    """The kappa over the sentences on which one label of people leads; a scorer's label that people do not have is a fourth."""
    clear = [sentence for sentence, counts in votes.items() if counts.count(max(counts)) == 1]
    kinds = len(PEOPLE_LABELS) + 1
    pairs = np.array(
        [
            votes[sentence].index(max(votes[sentence])) * kinds
            + (PEOPLE_LABELS.index(label) if (label := labels_of[sentence]) in PEOPLE_LABELS else kinds - 1)
            for sentence in clear
        ],
        dtype=np.int64,
    )
    if not len(pairs):
        return Kappa(None, None, 0)
    tables = np.bincount(pairs, minlength=kinds**2)[None]
    drawn = np.random.default_rng(seed).multinomial(len(pairs), tables[0] / len(pairs), size=resamples)
    (value,), values = _cohen(tables, kinds), _cohen(drawn, kinds)
    values = values[np.isfinite(values)]
    wide = len(pairs) >= FEWEST and len(values) >= LEVEL * resamples and len(np.unique(values)) > 1
    return Kappa(float(value) if np.isfinite(value) else None, percentiles(values) if wide else None, len(pairs))


def _cohen(tables: np.ndarray[Any, Any], kinds: int) -> np.ndarray[Any, Any]:
    """Cohen's kappa of each table, shape (n,), of numbers of sentences, shape (n, kinds * kinds); not-a-number if undefined."""
    shares = tables.reshape(-1, kinds, kinds) / tables.sum(axis=1)[:, None, None]
    observed = np.trace(shares, axis1=1, axis2=2)
    by_chance = (shares.sum(axis=1) * shares.sum(axis=2)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas: np.ndarray[Any, Any] = np.where(by_chance < 1, (observed - by_chance) / (1 - by_chance), np.nan)
    return kappas
