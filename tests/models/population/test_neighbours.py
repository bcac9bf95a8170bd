"""Neighbours of texts: in arrays, and in the live graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.models.population import neighbours
from harmgraph.models.population.neighbours import Near, Neighbour, Neighbourhood, read_neighbourhood
from tests.support.filling import import_triples, triple
from tests.support.population import neighbourhood


@pytest.fixture(autouse=True, params=[True, False], ids=["DGL", "NumPy"])
def drawn_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        pytest.importorskip("dgl", reason="the extra harmgraph[dgl] is not installed")
    else:
        monkeypatch.setattr(neighbours, "drawing_library", lambda: "numpy")


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
    assert {text: {(each.relation, each.text) for each in near.drawn} for text, near in drawn.items()} == expected
    assert all(len(near.drawn) == len(set(near.drawn)) for near in drawn.values())


def test_draws_are_uniform_and_those_of_their_seed() -> None:
    star = neighbourhood([("a", "Result", f"b{place}") for place in range(10)])
    drawn = [star.draw(["a"], 4, (0, number))["a"].drawn for number in range(500)]
    assert drawn[:20] == [star.draw(["a"], 4, (0, number))["a"].drawn for number in range(20)]
    assert all(len(set(near)) == 4 for near in drawn)
    counts = [sum(Neighbour("Result", f"b{place}") in near for near in drawn) for place in range(10)]
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
    assert [len(near.drawn) for near in drawn.values()] == [4, 4]


def some_neighbourhood(direction: str = "both") -> Neighbourhood:
    """The graph that the triples are from: tails with a single edge, and one with many."""
    edges = [(f"h{number % 40}", "xWant", f"t{number}") for number in range(400)]
    edges += [(f"h{number}", "xNeed", "often") for number in range(40)]
    return replace(neighbourhood(edges, direction), of_data=True)


@pytest.mark.parametrize("most", [4, 0])
def test_how_many_neighbours_an_end_has_does_not_tell_whether_the_graph_has_the_triple(most: int) -> None:
    """Otherwise a tail without any would be that of a positive, since it has lost its only edge."""
    graph = some_neighbourhood()
    counts: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for turn in range(20):
        for stands in (True, False):
            triples = [(f"h{n % 40}", "xWant", f"t{n if stands else (n + 41) % 400}") for n in range(400)]
            around = graph.around(triples, most, (turn,))
            assert (around.standing == frozenset(triples)) == stands
            for head, relation, tail in triples:
                heads, tails = around.of_triple(head, relation, tail)
                assert Neighbour(relation, tail) not in heads
                counts[stands].append((len(heads), len(tails)))
    means = {
        stands: [sum(column) / len(column) for column in zip(*pairs, strict=True)] for stands, pairs in counts.items()
    }
    assert means[True][1] == means[False][1] == 0
    # 4 of 11 are drawn: one edge of all is lost, drawn or not. The standard error is .006.
    assert means[True][0] == pytest.approx(means[False][0], abs=0.03)
    assert means[True][0] == pytest.approx(10 if most == 0 else 4 - 4 / 11, abs=0.03)


def test_an_end_whose_edges_do_not_count_loses_none() -> None:
    out = some_neighbourhood("out").around([("h1", "xWant", "t5")], 0, (0,))
    heads, tails = out.of_triple("h1", "xWant", "t5")
    assert (len(heads), tails) == (10, []), "of edges that leave a node, the tail of a triple has none of the triple"
    out = some_neighbourhood("out").around([("h1", "xWant", "h2")], 0, (0,))
    assert [len(side) for side in out.of_triple("h1", "xWant", "h2")] == [10, 11]
    elsewhere = neighbourhood(EDGES).around([("a", "xWant", "c")], 0, (0,))
    assert [len(side) for side in elsewhere.of_triple("a", "xWant", "c")] == [2, 3], "a graph of other sources"


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
        "personx be full": Near((Neighbour("Result", "personx eat"),))
    }
    both = read_neighbourhood(graph, ["aser", "kb"], direction="out")
    assert len(both) == 2, "an edge of two sources is one edge"
    assert both.draw(["personx be full"], 4, (0,)) == {
        "personx be full": Near((Neighbour("xEffect", "personx sleep"),))
    }
    assert both.digest != read_neighbourhood(graph, ["aser", "kb"], direction="out", of_data=True).digest
    assert both.digest == read_neighbourhood(graph, ["kb", "aser"], direction="out").digest
    assert both.digest != read_neighbourhood(graph, ["kb", "aser"]).digest
    with pytest.raises(NotFound, match="nothing"):
        read_neighbourhood(graph, ["nothing"])
    with pytest.raises(InputError, match="no neighbours"):
        read_neighbourhood(graph, [])
