"""Neighbours of texts: in arrays, and in the live graph."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.graph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.models.population.neighbours import Neighbour, read_neighbourhood
from tests.support.filling import import_triples, triple
from tests.support.population import neighbourhood

EDGES = [("a", "Result", "b"), ("a", "Reason", "c"), ("b", "Result", "c"), ("c", "Reason", "c")]
OUT = {
    "a": {("Result", "b"), ("Reason", "c")},
    "b": {("Result", "c")},
    "c": {("Reason", "c")},
}
BOTH = {
    "a": OUT["a"],
    "b": {("Result", "c"), ("Result", "a")},
    "c": {("Reason", "c"), ("Result", "b"), ("Reason", "a")},
}


@pytest.mark.parametrize(("direction", "expected"), [("out", OUT), ("both", BOTH)])
def test_all_neighbours_are_those_of_the_definition(direction: str, expected: dict[str, set[tuple[str, str]]]) -> None:
    drawn = neighbourhood(EDGES, direction).draw(["a", "b", "c", "nowhere"], 0, (0,))
    assert {text: {(near.relation, near.text) for near in around} for text, around in drawn.items()} == expected
    assert all(len(around) == len(set(around)) for around in drawn.values())


def test_draws_are_uniform_and_those_of_their_seed() -> None:
    star = neighbourhood([("a", "Result", f"b{place}") for place in range(10)])
    drawn = [star.draw(["a"], 4, (0, number))["a"] for number in range(500)]
    assert drawn[:20] == [star.draw(["a"], 4, (0, number))["a"] for number in range(20)]
    assert all(len(set(around)) == 4 for around in drawn)
    counts = [sum(Neighbour("Result", f"b{place}") in around for around in drawn) for place in range(10)]
    assert all(130 < count < 270 for count in counts), counts  # 200 expected, with a standard deviation of 11


def test_a_draw_does_not_depend_on_the_threads() -> None:
    big = neighbourhood([(f"a{head}", "Result", f"b{tail}") for head in range(300) for tail in range(12)])
    texts = [f"a{head}" for head in range(300)]
    before = torch.get_num_threads()
    drawn = []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            drawn.append(big.draw(texts, 4, (3,)))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert drawn[0] == drawn[1]


def test_with_replacement_as_many_are_drawn_as_asked() -> None:
    drawn = neighbourhood(EDGES, "out").draw(["a", "b"], 4, (0,), again=True)
    assert [len(around) for around in drawn.values()] == [4, 4]


def test_the_live_graph(graph: Graph) -> None:
    import_triples(graph, triple("personx eat", "Result", "personx be full"), source="aser")
    import_triples(
        graph,
        triple("personx eat", "Result", "personx be full"),
        triple("personx be full", "xEffect", "personx sleep"),
        source="kb",
    )
    read = read_neighbourhood(graph, ["aser"])
    assert read.draw(["personx be full", "personx sleep"], 4, (0,)) == {
        "personx be full": (Neighbour("Result", "personx eat"),)
    }
    both = read_neighbourhood(graph, ["aser", "kb"], direction="out")
    assert len(both) == 2, "an edge of two sources is one edge"
    assert both.draw(["personx be full"], 4, (0,)) == {"personx be full": (Neighbour("xEffect", "personx sleep"),)}
    assert both.digest == read_neighbourhood(graph, ["kb", "aser"], direction="out").digest
    assert both.digest != read_neighbourhood(graph, ["kb", "aser"]).digest
    with pytest.raises(NotFound, match="nothing"):
        read_neighbourhood(graph, ["nothing"])
    with pytest.raises(InputError, match="no neighbours"):
        read_neighbourhood(graph, [])
