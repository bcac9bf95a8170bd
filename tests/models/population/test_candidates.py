"""Candidates: the table of the paper, forward and reverse, and a sample that no order changes."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.progress import receiver
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Concept, Import, Triple
from harmgraph.graph.statements import statement
from harmgraph.loader.importers.aser import SENSES
from harmgraph.models.population.training_data.candidates import (
    READINGS,
    TABLE_15,
    WITH_REVERSE,
    Least,
    find_candidates,
    is_attribute,
    is_reaction,
    quotas,
)
from harmgraph.models.population.training_data.data import ALL_HEAD, CS_HEAD, RELATIONS
from tests.support.filling import import_triples


def edge(head: str, relation: str, tail: str) -> Triple:
    return Triple(Concept(head, event=True), relation, Concept(tail, event=True))


def test_the_table_names_each_relation_once() -> None:
    named = Counter(relation for rule in TABLE_15 for relation in rule.relations)
    assert set(named) == set(RELATIONS) - {"xReason"}
    assert set(named.values()) == {1}
    assert {name for rule in TABLE_15 for name in (*rule.along, *rule.against)} <= set(SENSES)
    assert {"xAttr", "HasSubEvent"} == set(named) - WITH_REVERSE
    types = statement("population/candidates").text.partition("[r:")[2].partition("]")[0]
    assert set(types.split("|")) == set(READINGS)


@pytest.mark.parametrize(
    ("tail", "attribute", "reaction"),
    [
        ("personx be tired", True, True),
        ("personx feel very sad", True, True),
        ("personx sleep", True, True),
        ("personx want to be happy", True, True),
        ("personx have a car", False, True),
        ("personx go to school", False, False),
        ("personx be at home", False, False),
        ("personx take the dog of persony home", False, False),
        ("rain", False, False),
    ],
)
def test_the_form_of_a_tail(tail: str, attribute: bool, reaction: bool) -> None:
    assert (is_attribute(tail), is_reaction(tail)) == (attribute, reaction)


@given(st.lists(st.integers(0, 50)), st.integers(0, 10))
def test_the_least_in_any_order(numbers: list[int], size: int) -> None:
    least = Least(size)
    for number in numbers:
        least.offer(number, (str(number), "xWant", ""))
    assert sorted(least.members.values()) == sorted(set(numbers))[:size]


@given(st.dictionaries(st.sampled_from(RELATIONS), st.integers(0, 1_000)), st.integers(1, 500))
def test_relations_are_distributed_as_in_test(shares: dict[str, int], most: int) -> None:
    sizes = quotas(shares, most)
    ruled = sum(count for name, count in shares.items() if name != "xReason")
    assert sum(sizes.values()) == (most if ruled else 0)
    for name, count in shares.items():
        if ruled and name != "xReason":
            both = sizes[name, False] + sizes[name, True]
            assert abs(both - most * count / ruled) < 1


def test_each_way_to_read_an_edge(graph: Graph) -> None:
    import_triples(
        graph,
        edge("personx run", "Result", "personx sweat"),
        edge("personx rest", "Condition", "personx sit"),
        edge("personx run", "Co_Occurrence", "personx sing"),
        edge("personx run", "Result", "personx run"),
        source="aser",
    )
    import_triples(graph, edge("personx eat", "Result", "personx drink"), source="other")
    candidates = find_candidates(
        graph, "aser", {"personx run"}, {("personx sit", "xWant", "personx rest")}, {"xWant": 1}, most=8
    )
    assert [(row.head, row.tail, row.kind) for row in candidates.triples] == [
        ("personx run", "personx sweat", CS_HEAD),  # along Result
        ("personx rest", "personx sit", ALL_HEAD),  # Condition, reverse; forward it is a positive
        ("personx sweat", "personx run", ALL_HEAD),  # Result, reverse
    ]
    assert candidates.counts == {CS_HEAD: {"xWant": {"forward": 1}}, ALL_HEAD: {"xWant": {"reverse": 2}}}
    assert (candidates.edges, candidates.known) == (3, 1)
    assert {(row.label, row.source) for row in candidates.triples} == {(None, "aser")}


def test_the_bar_knows_how_many_edges_there_are(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import_triples(
        graph,
        edge("personx run", "Result", "personx sweat"),
        edge("personx rest", "Condition", "personx sit"),
        edge("personx run", "Co_Occurrence", "personx sing"),  # is not read
        source="aser",
        import_id="i",
    )
    mark = Import("aser", "i")
    sources.finish(graph, mark, sources.count(graph, mark).saved(), {})
    monkeypatch.setattr("harmgraph.models.population.training_data.candidates.TELL_EVERY", 1)
    said: list[tuple[str, int, int | None]] = []
    with receiver(lambda *what: said.append(what)):
        find_candidates(graph, "aser", (), (), {"xWant": 1})
    assert said == [("reading edges", 1, 2), ("reading edges", 2, 2), ("reading edges", 2, 2)]


def test_no_order_changes_the_sample(graph: Graph) -> None:
    edges = [edge(f"personx do {number}", "Result", f"personx be {number * 7}") for number in range(300)]
    nodes = {f"personx do {number}" for number in range(0, 300, 2)}
    shares = {"xEffect": 3, "xReact": 2, "xAttr": 1, "xReason": 5}
    samples = []
    for turn in range(2):
        graph.autocommit("schema/wipe")
        random.Random(turn).shuffle(edges)
        import_triples(graph, *edges, source="aser")
        samples.append(find_candidates(graph, "aser", nodes, (), shares, most=60, seed=1))
    assert samples[0] == samples[1]
    by_class = Counter(row.kind for row in samples[0].triples)
    # The twelve reverse ones have a tail of the knowledge base, so none of them is cs_head.
    assert by_class == {CS_HEAD: 48, ALL_HEAD: 60}
    assert find_candidates(graph, "aser", nodes, (), shares, most=60, seed=2).triples != samples[0].triples
