"""Negatives: as many as positives, never a known triple, and the shares of the released recipe."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.models.population.training_data.data import RELATIONS, SPLITS, Ends
from harmgraph.models.population.training_data.negatives import (
    INVERTED,
    OTHER,
    RANDOM,
    RECIPES,
    SHUFFLED,
    Negatives,
    Recipe,
    draw_negatives,
)
from harmgraph.models.population.training_data.positives import TriplePlace

SOURCES = ("atomic", "glucose")


def positives(size: int, nodes: int, relations: int = 3) -> dict[Ends, TriplePlace]:
    """Triples of the first relations between numbered nodes, over both sources and all splits."""
    made = {}
    for number in range(size):
        ends = f"h{number * 7 % nodes}", RELATIONS[number % relations], f"t{number * 11 % (nodes + 1)}"
        made[ends] = TriplePlace(SPLITS[number % 10 // 8 + number % 10 // 9], SOURCES[number // 10 % 2])
    return dict(sorted(made.items()))


def groups(negatives: Negatives) -> Counter[tuple[str, str, str]]:
    return Counter((triple.relation, triple.source, split) for triple, split in negatives.triples)


@pytest.mark.parametrize("recipe", RECIPES)
@settings(max_examples=25)
@given(size=st.integers(1, 400), nodes=st.integers(40, 90), seed=st.integers(0, 5), judged=st.integers(0, 30))
def test_each_positive_has_a_negative_that_is_none(
    recipe: Recipe, size: int, nodes: int, seed: int, judged: int
) -> None:
    known = positives(size, nodes)
    kept = {ends: place for number, (ends, place) in enumerate(known.items()) if number % 9}
    asked = frozenset((f"h{number}", RELATIONS[0], f"t{number}") for number in range(judged))
    negatives = draw_negatives(recipe, kept, known, asked, seed=seed)
    drawn = [triple.ends for triple, _ in negatives.triples]
    assert len(drawn) == len(set(drawn))
    assert not {*drawn} & {*known, *asked}
    assert all(head != tail for head, _, tail in drawn)
    assert {triple.label for triple, _ in negatives.triples} <= {0}
    wanted = Counter((relation, place.source, place.split) for (_, relation, _), place in kept.items())
    assert negatives.missing == len(kept) - len(drawn) == wanted.total() - groups(negatives).total()
    assert sum(negatives.kinds.values()) == len(drawn)
    if not negatives.missing:
        assert groups(negatives) == wanted
    assert draw_negatives(recipe, kept, known, asked, seed=seed) == negatives


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_seed_decides(recipe: Recipe) -> None:
    known = positives(500, 300)
    first, second = (draw_negatives(recipe, known, known, frozenset(), seed=seed) for seed in (0, 1))
    assert first.triples != second.triples
    assert first.missing == second.missing == 0
    assert groups(first) == groups(second)


def test_the_paper_draws_heads_and_tails_of_everywhere() -> None:
    known = positives(2_000, 300)
    negatives = draw_negatives("paper", known, known, frozenset(), seed=0)
    assert negatives.kinds == {RANDOM: 2_000}
    heads, tails = {head for head, _, _ in known}, {tail for _, _, tail in known}
    drawn = [triple for triple, _ in negatives.triples]
    assert {triple.head for triple in drawn} <= heads
    assert {triple.tail for triple in drawn} <= tails
    # Of a relation too the nodes of the others are drawn.
    assert len({triple.head for triple in drawn if triple.relation == RELATIONS[0]}) > 250
    assert negatives.rejected.get("known positive", 0) > 0


def test_the_shares_of_the_released_recipe() -> None:
    known = {
        (f"h{number}", RELATIONS[number % 2], f"t{number}"): TriplePlace(
            "train" if number < 3_200 else "test", "atomic"
        )
        for number in range(4_000)
    }
    negatives = draw_negatives("released", known, known, frozenset(), seed=3)
    assert negatives.kinds == {OTHER: 400, INVERTED: 400, SHUFFLED: 400, RANDOM: 2_800}
    joined = {(head, tail): (relation, place) for (head, relation, tail), place in known.items()}
    found: Counter[str] = Counter()
    for triple, split in negatives.triples:
        pair = triple.head, triple.tail
        if pair in joined:
            relation, place = joined[pair]
            assert relation != triple.relation
            assert place == TriplePlace(split, triple.source)
            found[OTHER] += 1
            continue
        if pair[::-1] in joined:
            found[INVERTED] += 1
        for node in pair:
            number = int(node[1:])
            assert RELATIONS[number % 2] == triple.relation
            assert ("train" if number < 3_200 else "test") == split
    assert found[OTHER] == 400
    assert found[INVERTED] >= 400


def test_matched_negatives_are_as_frequent_as_positives() -> None:
    # A few tails stand in most positives, as in a real source, so most exchanges give a pair that is known.
    tails = [f"t{place}" for rank in range(1, 60) for place in [rank] * (300 // rank)]
    known = {
        (f"h{number % 900}", RELATIONS[0], tail): TriplePlace("train", "atomic") for number, tail in enumerate(tails)
    }
    negatives = draw_negatives("matched", known, known, frozenset(), seed=1)
    drawn = [triple.ends for triple, _ in negatives.triples]
    assert negatives.kinds[SHUFFLED] > 0.99 * len(known)
    assert negatives.kinds[SHUFFLED] + negatives.kinds[RANDOM] == len(known) == len(set(drawn))
    assert not set(drawn) & known.keys()
    there, here = (Counter(tail for _, _, tail in triples) for triples in (known, drawn))
    assert sum(abs(there[tail] - here[tail]) for tail in there | here) <= 0.02 * len(known)
    heads, others = (Counter(head for head, _, _ in triples) for triples in (known, drawn))
    assert sum(abs(heads[head] - others[head]) for head in heads | others) <= 0.02 * len(known)


def test_a_source_of_one_relation_has_random_pairs_in_place_of_others() -> None:
    known = {(f"h{number}", "Causes", f"t{number}"): TriplePlace("train", "atomic") for number in range(100)}
    negatives = draw_negatives("released", known, known, frozenset(), seed=0)
    assert negatives.kinds == {OTHER: 0, INVERTED: 10, SHUFFLED: 10, RANDOM: 80}


def test_where_every_pair_is_a_positive_the_missing_are_counted() -> None:
    known = {(head, "Causes", tail): TriplePlace("train", "atomic") for head in ("a", "b") for tail in ("c", "d")}
    negatives = draw_negatives("paper", known, known, frozenset(), seed=0)
    assert (negatives.triples, negatives.missing) == ((), 4)
    assert negatives.rejected["known positive"] > 4


def test_a_triple_of_an_evaluation_file_is_no_negative() -> None:
    known = {("a", "Causes", "c"): TriplePlace("train", "atomic"), ("b", "Causes", "d"): TriplePlace("train", "atomic")}
    negatives = draw_negatives("paper", known, known, {("a", "Causes", "d")}, seed=0)
    assert [triple.ends for triple, _ in negatives.triples] == [("b", "Causes", "c")]
    assert negatives.missing == 1
    assert negatives.rejected["in an evaluation file"] > 0
