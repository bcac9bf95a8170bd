"""What a review shows at its end: who judged how much, how far people agree with each other and with the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.agreement.agreement import Agreement, agreement
from harmgraph.analytics.labelling.drawn_sample import Sample
from harmgraph.analytics.labelling.ratings import Ratings, folded
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.graph.label_words import PEOPLE_LABELS, PEOPLE_NAMES

SHOWN = ("accuracy", "majority_accuracy", "fleiss_kappa", "krippendorff_alpha")


@dataclass(frozen=True, slots=True)
class Summary:
    """The judgements of a review.

    Attributes:
        annotators: for each annotator the name, the number of judgements and of each label.
        agreement: people with each other and with the scorer's labels of the same statements; None where nobody judged a
            statement that the scorer labelled.
        unscored: judged sentences without a label of the scorer; they are left out of the agreement.
    """

    annotators: tuple[dict[str, Any], ...]
    agreement: Agreement | None
    unscored: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """The agreement as rows, without what is undefined, as agreement between people is where one judged alone."""
        if self.agreement is None:
            return
        for name in SHOWN:
            if self.agreement.values[name] is None:
                continue
            low, high = self.agreement.intervals[name] or (None, None)
            yield {
                "measure": name.replace("_", " "),
                "value": self.agreement.values[name],
                "value_low": low,
                "value_high": high,
                "sentences": self.agreement.sentences[name],
            }


def summary(sample: Sample, judgements: Judgements, *, resamples: int = 1_000, seed: int = 0) -> Summary:
    """Summarises the judgements of a file.

    The scorer's labels are those that stood in the graph when the sample was drawn, each for its own statement.
    """
    scored = {folded(item.sentence): item.label for item in sample.items if item.label is not None}
    counts: dict[str, Counter[str]] = {}
    for judgement in judgements:
        counts.setdefault(judgement.annotator, Counter())[judgement.label] += 1
    annotators = tuple(
        {
            "annotator": name,
            "judged": labels.total(),
            **{said: labels[label] for said, label in zip(PEOPLE_NAMES, PEOPLE_LABELS, strict=True)},
        }
        for name, labels in counts.items()
    )
    every = judgements.ratings().counts
    known = {sentence: votes for sentence, votes in every.items() if folded(sentence) in scored}
    labels_of = {sentence: scored[folded(sentence)] for sentence in known}
    result = agreement(Ratings(known), labels_of, resamples=resamples, seed=seed) if known else None
    return Summary(annotators, result, len(every) - len(known))
