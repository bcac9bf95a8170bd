"""Filtered ranking against a brute-force reference, and the numbers made of ranks by hand."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.common.intervals import Z, wilson
from harmgraph.models.embedding.ranking import Known, Ranks, of_ranks, ranked, ranks, summary
from harmgraph.models.embedding.tables import Tables

torch.set_num_threads(1)
N, M = 7, 2


def reference(found: Tables, triples: np.ndarray, known: np.ndarray) -> tuple[list[float], list[float]]:
    """One triple, one candidate at a time."""
    every = {tuple(triple) for triple in known.tolist()}
    results: tuple[list[float], list[float]] = ([], [])
    for triple in triples.tolist():
        for place, ends in ((0, results[0]), (2, results[1])):
            scores = []
            for entity in range(N):
                made = [*triple]
                made[place] = entity
                if entity == triple[place] or tuple(made) not in every:
                    ids = [torch.tensor([number]) for number in made]
                    scores.append((entity == triple[place], found.score(*ids).item()))
            right = next(score for is_right, score in scores if is_right)
            others = [score for is_right, score in scores if not is_right]
            ends.append(1 + sum(score > right for score in others) + sum(score == right for score in others) / 2)
    return results


@given(st.integers(0, 2**31))
@settings(max_examples=30)
def test_ranks_are_those_of_a_brute_force_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Few small whole numbers, so that products are exact and ties are common.
    tables = Tables(
        "distmult",
        "dot",
        torch.from_numpy(rng.integers(-1, 2, (N, 4)).astype(np.float32)),
        torch.from_numpy(rng.integers(-1, 2, (M, 4)).astype(np.float32)),
    )
    known = np.unique(
        np.stack([rng.integers(N, size=20), rng.integers(M, size=20), rng.integers(N, size=20)], axis=1), axis=0
    )
    asked = known[rng.permutation(len(known))[:8]]
    found = ranks(tables, asked, Known(known, M))
    head, tail = reference(tables, asked, known)
    assert found.head.tolist() == head
    assert found.tail.tolist() == tail
    assert found.relation.tolist() == asked[:, 1].tolist()


def test_a_model_that_says_the_same_of_all_has_the_mean_rank() -> None:
    none = np.empty(0, np.int64)
    assert ranked(torch.zeros(1, 5), torch.tensor([2]), none, none).tolist() == [3.0]
    place, others = np.array([0, 0]), np.array([0, 1])
    assert ranked(torch.zeros(1, 5), torch.tensor([2]), place, others).tolist() == [2.0]


def test_a_score_that_is_not_a_number_is_the_worst() -> None:
    none = np.empty(0, np.int64)
    scores = torch.tensor([[float("nan"), 1.0, 2.0]])
    assert ranked(scores, torch.tensor([0]), none, none).tolist() == [3.0]


def test_the_numbers_of_ranks_by_hand() -> None:
    found = of_ranks(np.array([[1.0, 3.0], [2.0, 20.0]]))
    each = [(1 + 1 / 3) / 2, (1 / 2 + 1 / 20) / 2]
    mean = sum(each) / 2
    deviation = sqrt(sum((value - mean) ** 2 for value in each))
    assert found["mrr"] == pytest.approx(mean)
    assert found["mrr_high"] == pytest.approx(mean + Z * deviation / sqrt(2))
    assert found["mrr_low"] == pytest.approx(max(0.0, mean - Z * deviation / sqrt(2)))
    assert (found["mr"], found["hits@1"], found["hits@3"], found["hits@10"]) == (6.5, 0.25, 0.75, 0.75)
    assert (found["n"], found["triples"]) == (4, 2)


def test_the_interval_of_a_share_has_a_width_where_all_ranks_hit_or_none() -> None:
    found = of_ranks(np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]))
    assert (found["hits@1"], found["hits@1_high"]) == (1.0, 1.0)
    assert found["hits@1_low"] == pytest.approx(wilson(3, 3)[0]) != 1.0
    found = of_ranks(np.full((3, 2), 50.0))
    assert (found["hits@10_low"], found["hits@10_high"]) == pytest.approx(wilson(0, 3))


def test_a_summary_of_some_triples() -> None:
    found = Ranks(np.array([0, 1, 1]), np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 4.0]))
    assert summary(found, found.relation == 1)["mrr"] == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert summary(found, found.relation == 0)["n"] == 2
