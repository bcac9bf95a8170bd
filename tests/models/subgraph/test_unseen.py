"""``subgraph/unseen``: a share of the entities is left out with all their edges."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.subgraph import Subgraph
from tests.support.filling import import_triples
from tests.support.toy import entity

PEOPLE = 400


def people(graph: Graph) -> None:
    """Everyone knows the next one but one, and one in the middle."""
    pairs = [(number, other % PEOPLE) for number in range(PEOPLE) for other in (number + 2, 200) if number != other]
    splits = ["test" if number % 10 == 0 else "train" for number in range(len(pairs))]
    import_triples(
        graph,
        *(
            Triple(entity(f"Q{one}"), "KNOWS", entity(f"Q{other}"), properties={"split": split})
            for (one, other), split in zip(pairs, splits, strict=True)
        ),
    )


def left(graph: Graph, share: float, seed: int = 0) -> Subgraph:
    given = {"share": share, "seed": seed}
    return read_subgraph(graph, "kb", query="subgraph/unseen", parameters=given, cache=False)


def edges(found: Subgraph) -> set[tuple[str, str, int]]:
    return {
        (found.entities[h], found.entities[t], s) for h, t, s in zip(found.head, found.tail, found.split, strict=True)
    }


def test_all_edges_of_a_share_are_left_out(graph: Graph) -> None:
    people(graph)
    whole = read_subgraph(graph, "kb", cache=False)
    assert edges(left(graph, 0)) == edges(whole)
    found = left(graph, 0.2)
    there = set(found.entities)
    assert 0.7 * PEOPLE < len(there) < 0.9 * PEOPLE
    assert edges(found) == {edge for edge in edges(whole) if edge[0] in there and edge[1] in there}
    assert edges(left(graph, 0.2)) == edges(found)
    other = set(left(graph, 0.2, seed=1).entities)
    assert len(there - other) > 0.05 * PEOPLE
    assert set(left(graph, 0.4).entities) <= there, "who is left out stays left out with a larger share"
