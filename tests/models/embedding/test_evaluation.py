"""Link prediction over a subgraph and triple classification, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from sklearn.metrics import accuracy_score, f1_score

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.embedding import evaluation
from harmgraph.models.embedding.evaluation import (
    LabelledTriples,
    best_threshold,
    classification,
    labelled,
    link_prediction,
)
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph.subgraph import Columns, assembled
from tests.support.toy import toy

torch.set_num_threads(1)


def test_link_prediction_counts_what_has_no_vector() -> None:
    subgraph = toy()
    gone = subgraph.triples(2)[0, 0]
    keys = tuple(key for key in reversed(subgraph.entities) if key != subgraph.entities[gone])
    tables = Tables("transe", "l2", torch.randn(len(keys), 6), torch.randn(3, 6), keys, subgraph.relations)
    found = link_prediction(tables, subgraph)
    triples = subgraph.triples(2)
    without = int(((triples == gone)[:, [0, 2]]).any(1).sum())
    assert without > 0
    assert found["left_out"] == without
    assert found["triples"] == len(triples) - without
    assert found["n"] == 2 * found["triples"] == found["sides"]["head"]["n"] * 2
    assert sum(row["n"] for row in found["relations"]) == found["n"]
    assert found["mrr"] == pytest.approx((found["sides"]["head"]["mrr"] + found["sides"]["tail"]["mrr"]) / 2)


def test_a_sample_of_a_split_is_drawn_by_its_seed() -> None:
    subgraph = toy()
    tables = Tables("transe", "l2", torch.randn(26, 6), torch.randn(3, 6), subgraph.entities, subgraph.relations)
    whole = link_prediction(tables, subgraph)
    assert (whole["drawn_from"], whole["seed"]) == (whole["triples"], None)
    samples = [link_prediction(tables, subgraph, sample=5, seed=seed) for seed in (3, 3, 4)]
    assert samples[0] == samples[1] != samples[2]
    for found in samples:
        assert (found["triples"], found["n"], found["drawn_from"]) == (5, 10, whole["triples"])
        assert found["mrr_low"] < found["mrr"] < found["mrr_high"]
        assert sum(row["n"] for row in found["relations"]) == found["n"]
    assert [found["seed"] for found in samples] == [3, 3, 4]
    assert link_prediction(tables, subgraph, sample=whole["triples"], seed=7) == whole


def test_models_that_lack_other_triples_draw_the_same_ones() -> None:
    first, other = np.ones(500, bool), np.ones(500, bool)
    first[::50] = False
    other[7::50] = False
    drawn = [set(evaluation._drawn(allowed, 100, seed=1).tolist()) for allowed in (first, other)]
    assert [len(places) for places in drawn] == [100, 100]
    assert all(allowed[sorted(places)].all() for allowed, places in zip((first, other), drawn, strict=True))
    assert len(drawn[0] & drawn[1]) >= 94


def test_what_was_learnt_is_not_ranked() -> None:
    subgraph = toy()
    tables = Tables("transe", "l2", torch.randn(26, 6), torch.randn(3, 6), subgraph.entities, subgraph.relations)
    split = subgraph.split.copy()
    places = np.flatnonzero(split == 2)[:3]
    split[places] = 0
    learnt = replace(subgraph, split=split)
    metrics = link_prediction(tables, subgraph, learnt=learnt)
    assert metrics["seen"] == 3
    assert metrics["drawn_from"] == link_prediction(tables, subgraph)["drawn_from"] - 3
    split[:] = 0
    with pytest.raises(InputError, match="among those that the model learnt"):
        link_prediction(tables, subgraph, learnt=replace(subgraph, split=split))


def test_sampled_triples_are_of_the_split_and_come_once() -> None:
    triples = np.arange(300).reshape(-1, 3)
    drawn = evaluation.sampled(triples, 40, seed=1)
    assert drawn.shape == (40, 3)
    assert len(np.unique(drawn[:, 0])) == 40
    assert (np.diff(drawn[:, 0]) > 0).all()
    assert np.isin(drawn[:, 0], triples[:, 0]).all()
    assert evaluation.sampled(triples, 100, seed=1) is triples


def test_a_split_without_triples() -> None:
    subgraph = assembled(Columns(["a"], ["R"], ["b"], ["train"]))
    tables = Tables("transe", "dot", torch.ones(2, 2), torch.ones(1, 2), subgraph.entities, subgraph.relations)
    with pytest.raises(InputError, match="the split test has no triple"):
        link_prediction(tables, subgraph)


@pytest.mark.parametrize(
    ("scores", "true", "expected"),
    [
        ([1, 2, 3, 4], [False, False, True, True], 2.5),
        ([1, 2, 3, 4], [True, False, True, True], 0.0),
        ([4, 2, 3, 1], [False, False, False, False], 5.0),
        ([1, 1, 1, 2], [False, True, False, True], 1.5),
    ],
)
def test_the_best_threshold(scores: list[float], true: list[bool], expected: float) -> None:
    assert best_threshold(np.array(scores, float), np.array(true)) == expected


def test_classification_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    tables = Tables("distmult", "dot", torch.randn(30, 4), torch.randn(3, 4), (), ("A", "B", "C"))

    def some(count: int, relations: int) -> LabelledTriples:
        ids = np.stack(
            [rng.integers(30, size=count), rng.integers(relations, size=count), rng.integers(30, size=count)], 1
        )
        return LabelledTriples(ids, rng.random(count) < 0.5)

    valid, test = some(100, 2), some(200, 3)
    found = classification(tables, valid, test)
    scores = {name: evaluation._scores(tables, each.triples) for name, each in (("valid", valid), ("test", test))}
    called = []
    for at, (_, kind, _) in enumerate(test.triples.tolist()):
        own = valid.triples[:, 1] == kind if kind < 2 else np.ones(100, bool)
        called.append(scores["test"][at] >= best_threshold(scores["valid"][own], valid.true[own]))
    assert found["accuracy"] == pytest.approx(accuracy_score(test.true, called))
    assert found["f1"] == pytest.approx(f1_score(test.true, called))
    assert found["accuracy_low"] < found["accuracy"] < found["accuracy_high"]
    assert found["n"] == 200


def test_negatives_of_a_file(tmp_path: Path) -> None:
    subgraph = assembled(
        Columns(["wikidata/Q1", "wikidata/Q2"], ["P31", "P31"], ["wikidata/Q3", "wikidata/Q3"], ["train", "test"])
    )
    tables = Tables("transe", "dot", torch.ones(3, 2), torch.ones(1, 2), subgraph.entities, subgraph.relations)
    path = tmp_path / "negatives.txt"
    path.write_text("Q1\tP31\tQ2\nwikidata/Q2\tP31\tQ1\nQ9\tP31\tQ1\n")
    found = labelled(tables, subgraph, "test", path)
    assert found.triples.tolist() == [[1, 0, 2], [0, 0, 1], [1, 0, 0]]
    assert found.true.tolist() == [True, False, False]
    assert found.left_out == 1
    for content, why in (
        ("Q1 P31 Q2\n", "1 columns where 3"),
        ("Q8\tP31\tQ9\n", "names no triple"),
        (b"\xff", "cannot be read"),
    ):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with pytest.raises(UnreadableFile, match=why):
            labelled(tables, subgraph, "test", path)
    with pytest.raises(UnreadableFile, match="cannot be read"):
        labelled(tables, subgraph, "test", tmp_path / "missing")
