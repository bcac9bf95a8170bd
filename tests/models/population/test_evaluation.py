"""AUC overall, per relation and class, their weighted mean, and intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra harmgraph[models] is not installed")

from sklearn.metrics import roc_auc_score

from harmgraph.common.errors import InputError
from harmgraph.models.population.evaluation import (
    NEW,
    Seen,
    _resampler,
    auc,
    evaluated,
    head_frequencies,
    linear_scores,
)
from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.named_populator import JudgedFile
from harmgraph.models.population.trained import PopulatorConfig
from tests.support.population import rows


def examples(count: int) -> list[TripleExample]:
    return [
        TripleExample(
            f"h{place}", ("xWant", "xEffect", "xAttr")[place % 3], "t", place * 7 % 5 % 2, ("a", "b")[place % 2]
        )
        for place in range(count)
    ]


def test_numbers_are_those_of_scikit_learn() -> None:
    judged = examples(300)
    scores = np.random.default_rng(0).normal(size=300).round(1)  # with ties
    labels = np.array([each.label for each in judged])
    table = {(row.of, row.name): row for row in evaluated(judged, scores, draws=200)}
    assert table["overall", "all"].auc == roc_auc_score(labels, scores)
    total = 0.0
    for name in ("xWant", "xEffect", "xAttr"):
        places = [place for place, each in enumerate(judged) if each.relation == name]
        area = roc_auc_score(labels[places], scores[places])
        assert table["relation", name].auc == area
        assert (table["relation", name].n, table["relation", name].plausible) == (100, labels[places].sum())
        total += area * len(places)
    assert table["weighted mean", "relations"].auc == pytest.approx(total / 300)
    assert {name for of, name in table if of == "class"} == {"a", "b"}
    for row in table.values():
        assert row.auc_low is not None and row.auc_high is not None
        assert row.auc_low < row.auc < row.auc_high


def test_a_resample_has_the_auc_of_its_triples() -> None:
    generator = np.random.default_rng(1)
    labels, scores = generator.integers(2, size=50), generator.normal(size=50).round(1)
    counts = generator.multinomial(50, [1 / 50] * 50, size=20)
    areas = _resampler(np.arange(50), labels, scores)(counts)
    for count, area in zip(counts, areas, strict=True):
        picked = np.repeat(np.arange(50), count)
        assert area == pytest.approx(roc_auc_score(labels[picked], scores[picked]))


def test_intervals_are_those_of_their_seed_and_narrow_with_n() -> None:
    scores = np.random.default_rng(0).normal(size=2_000)
    few, many = (evaluated(examples(n), scores[:n], draws=300)[0] for n in (100, 2_000))
    assert few == evaluated(examples(100), scores[:100], draws=300)[0]
    assert few != evaluated(examples(100), scores[:100], draws=300, seed=1)[0]
    widths = [(row.auc_high or 0) - (row.auc_low or 0) for row in (few, many)]
    assert widths[1] < widths[0] / 2
    without = evaluated(examples(100), scores[:100], draws=0)[0]
    assert (without.auc, without.auc_low, without.auc_high) == (few.auc, None, None)


def test_a_relation_with_one_label_has_no_auc_and_no_share() -> None:
    judged = [*examples(90), *(TripleExample(f"k{place}", "xReason", "t", 1) for place in range(10))]
    scores = np.random.default_rng(0).normal(size=100)
    table = {(row.of, row.name): row for row in evaluated(judged, scores, draws=50)}
    assert math.isnan(table["relation", "xReason"].auc)
    assert table["relation", "xReason"].auc_low is None
    before = {(row.of, row.name): row for row in evaluated(judged[:90], scores[:90], draws=50)}
    assert table["weighted mean", "relations"].auc == pytest.approx(before["weighted mean", "relations"].auc)


def test_a_perfect_auc_of_few_triples_has_an_interval() -> None:
    judged = [TripleExample(f"h{place}", "xReason", "t", int(place < 11)) for place in range(16)]
    right = np.array([each.label for each in judged], float)
    table = {(row.of, row.name): row for row in evaluated(judged, right, draws=50)}
    row = table["relation", "xReason"]
    assert (row.auc, row.auc_high) == (1.0, 1.0)
    assert row.auc_low is not None
    # If the AUC were at its end, 11 and 5 of exponential distributions would hardly ever be without overlap, but sometimes.
    generator = np.random.default_rng(0)
    plausible = generator.exponential(row.auc_low / (1 - row.auc_low), size=(20_000, 11))
    others = generator.exponential(1, size=(20_000, 5))
    assert 0.001 < (plausible.min(axis=1) > others.max(axis=1)).mean() < 0.025
    wrong = {(row.of, row.name): row for row in evaluated(judged, -right, draws=50)}["relation", "xReason"]
    assert (wrong.auc, wrong.auc_low, wrong.auc_high) == (0.0, 0.0, pytest.approx(1 - row.auc_low))
    mean = table["weighted mean", "relations"]
    assert (mean.auc, mean.auc_low, mean.auc_high) == (1.0, None, None)


def test_without_labels_there_is_no_auc() -> None:
    assert math.isnan(auc([1, 1], [0.0, 1.0]))
    with pytest.raises(InputError, match="a triple has no label"):
        evaluated([TripleExample("a", "xWant", "b")], [0.0])
    with pytest.raises(InputError, match="not both plausible and not"):
        evaluated([TripleExample("a", "xWant", "b", 1)], [0.0])


def test_the_linear_model_learns_words() -> None:
    train, test = ([TripleExample(h, r, t, label) for h, r, t, label in rows(80, seed=seed)] for seed in (0, 1))
    assert auc([each.label for each in test], linear_scores(train, test)) == 1.0


def test_a_head_is_counted_among_plausible_triples() -> None:
    train = [
        TripleExample(head, "xWant", f"t{place}", label)
        for place, (head, label) in enumerate([("a", 1), ("a", 1), ("a", 0), ("b", 0)])
    ]
    judged = [TripleExample(head, "xWant", "t", 1) for head in "abc"]
    assert head_frequencies(train, judged).tolist() == [2, 0, 0]


def test_triples_by_how_many_of_their_nodes_are_new() -> None:
    train = [TripleExample("a", "xWant", "b", 1), TripleExample("c", "xWant", "a", 0)]
    judged = [
        TripleExample(head, "xWant", tail, label)
        for head, tail, label in [
            ("a", "b", 1),
            ("b", "c", 0),
            ("a", "d", 1),
            ("e", "c", 0),
            ("d", "e", 1),
            ("e", "f", 1),
        ]
    ]
    seen = Seen(train)
    new = seen.new(judged)
    assert new == [0, 0, 1, 1, 2, 2]
    assert seen.novelty(judged) == (3, 6)
    table = {(row.of, row.name): row for row in evaluated(judged, [2.0, 1.0, 0.0, 1.0, 5.0, 6.0], new=new, draws=0)}
    found = {name: row for (of, name), row in table.items() if of == "new nodes"}
    assert [(found[name].n, found[name].plausible) for name in NEW] == [(2, 1), (2, 1), (2, 2)]
    assert (found["0 of 2"].auc, found["1 of 2"].auc) == (1, 0)
    assert np.isnan(found["2 of 2"].auc)


def test_the_triples_that_are_shown() -> None:
    examples = tuple(
        TripleExample(f"h{place}", "xWant", f"t{place}", label) for place, label in enumerate([1, 0, 1, 0, None, 1])
    )
    judged = JudgedFile(
        PopulatorConfig.__new__(PopulatorConfig), examples, (0.5, 3.0, -2.0, 1.0, 9.0, 4.0), (), (), (1, 0, 2, 0, 2, 0)
    )
    rows = judged.shown(2)
    assert [(row["kind"], row["head"], row["score"]) for row in rows] == [
        ("wrong: says plausible", "h1", 3.0),
        ("wrong: says plausible", "h3", 1.0),
        ("wrong: says not plausible", "h2", -2.0),
        ("right and new", "h0", 0.5),
    ]
