"""The end of a review: people with each other over all that they judged, and with the scorer where it has a label."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, Wish
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.review.summary import Summary, summary

LABELS = ("positive", "neutral", "negative")
KIND = ("majority kappa", "people and scorer")


def review(path: Path, rows: Sequence[tuple[str | None, tuple[str, ...]]]) -> Summary:
    """The summary of sentences of which the scorer says the first and people the others."""
    items = [
        Item(
            id=str(at),
            sentence=f"sentence {at}",
            masked=f"sentence {at}",
            targets=("nurse",),
            source="kb",
            label=label,
            score=0.0,
            by=label and "vader@1",
            stratum="",
        )
        for at, (label, _) in enumerate(rows)
    ]
    judgements = Judgements(path / "ours.csv")
    for item, (_, given) in zip(items, rows, strict=True):
        for person, label in enumerate(given):
            judgements.add(Judgement(item.sentence, label, f"person {person}"))
    return summary(Sample(Wish(), tuple(items), {"": len(items)}), judgements, resamples=200)


def by_name(found: Summary) -> dict[tuple[str, str], dict[str, object]]:
    return {(row["measure"], row["between"]): row for row in found.rows()}


def test_people_agree_with_each_other_on_a_graph_without_labels(tmp_path: Path) -> None:
    rows = [(None, (LABELS[at % 3], LABELS[at % 3 if at % 5 else (at + 1) % 3])) for at in range(30)]
    found = review(tmp_path, rows)
    assert [row["judged"] for row in found.annotators] == [30, 30]
    assert (found.scorer, found.kappa, found.unscored) == (None, None, 30)
    values = by_name(found)
    assert list(values) == [("fleiss kappa", "people"), ("krippendorff alpha", "people")]
    assert values["fleiss kappa", "people"]["value"] == pytest.approx(0.7, abs=0.02)


def test_what_the_scorer_left_out_counts_among_people(tmp_path: Path) -> None:
    alike = [(label, (label, label)) for label in LABELS * 4]
    found = review(tmp_path, [*alike, *[(None, ("positive", "negative"))] * 12])
    values = by_name(found)
    assert values["accuracy", "people and scorer"]["sentences"] == 12
    assert values["fleiss kappa", "people"]["sentences"] == 24
    assert values["fleiss kappa", "people"]["value"] < 0.5  # type: ignore[operator]


def test_kappa_with_the_scorer_by_statsmodels(tmp_path: Path) -> None:
    counts = {
        ("positive", "positive"): 8,
        ("neutral", "neutral"): 30,
        ("neutral", "negative"): 6,
        ("negative", "negative"): 4,
    }
    rows: list[tuple[str | None, tuple[str, ...]]] = [
        (scorer, (people,)) for (scorer, people), count in counts.items() for _ in range(count)
    ]
    table = [[counts.get((scorer, people), 0) for people in LABELS] for scorer in LABELS]
    kappa = by_name(review(tmp_path, [*rows, ("neutral", ("negative", "positive"))]))[KIND]  # the last is a tie
    assert kappa["value"] == pytest.approx(float(cohens_kappa(table).kappa))
    assert kappa["sentences"] == 48
    assert kappa["value_low"] < kappa["value"] < kappa["value_high"]  # type: ignore[operator]


def test_kappa_is_none_where_one_label_is_all(tmp_path: Path) -> None:
    assert KIND not in by_name(review(tmp_path, [("neutral", ("neutral",))] * 30))


def test_nothing_judged(tmp_path: Path) -> None:
    found = review(tmp_path, [("neutral", ())])
    assert (found.annotators, list(found.rows())) == ((), [])
