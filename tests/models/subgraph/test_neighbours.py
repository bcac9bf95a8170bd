"""Neighbourhoods of the graph in memory and of the live graph: the same edges, the same chances."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from harmgraph.common.errors import Busy, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.graph.statements import statement
from harmgraph.models.subgraph import live_neighbours
from harmgraph.models.subgraph.cached_neighbours import CachedNeighbours, sets
from harmgraph.models.subgraph.live_neighbours import LiveNeighbours
from harmgraph.models.subgraph.neighbourhood import DIRECTIONS, EVERY, KHopNeighbourhood, Neighbours
from harmgraph.models.subgraph.reader import read_subgraph
from tests.support.filling import import_triples
from tests.support.toy import entity, ring

SEEDS = ["wikidata/n00", "wikidata/n07"]


def same(one: KHopNeighbourhood, other: KHopNeighbourhood) -> None:
    assert one.entities == other.entities
    assert one.reached == other.reached
    for name in ("source", "relation", "target"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


HUBS = 20
WAYS = 7  # edges of each hub in both directions
DRAWN = 2
DRAWS = 60


def loaded(graph: Graph) -> None:
    """A ring with a split, and a source beside it with the same people."""
    records = ring()
    splits = [("valid", "test")[number % 9] if number % 9 < 2 else "train" for number in range(len(records))]
    pairs = zip(records, splits, strict=True)
    import_triples(graph, *(replace(record, properties={"split": split}) for record, split in pairs))
    import_triples(graph, Triple(entity("n00"), "KNOWS", entity("n07")), source="beside")


def hubs(graph: Graph, *, repeated: bool = True) -> list[str]:
    """Nodes with seven ways each, among edges that were removed, that stand twice, of another split and of another source."""
    names = [f"hub{number:02d}" for number in range(HUBS)]
    made, gone = [], []
    for name in names:
        hub, near = entity(name), [entity(f"{name}-{letter}") for letter in "xyz"]
        edges = [(hub, "A", one) for one in near] + [(hub, "C", near[0]), (near[0], "B", hub), (hub, "S", hub)]
        made += [Triple(*edge, properties={"split": "train"}) for edge in edges]
        made += [Triple(hub, "A", entity(f"{name}-w"), properties={"split": "test"})]
        gone += [Triple(hub, "GONE", entity(f"gone{number}"), properties={"split": "train"}) for number in range(9)]
    together = [each for pair in zip(made, gone, strict=False) for each in pair] + gone[len(made) :]
    import_triples(graph, *together, *made[len(gone) :])
    import_triples(graph, *(Triple(entity(name), "A", entity("beside")) for name in names), source="beside")
    graph.driver.execute_query("MATCH ()-[r:GONE]->() DELETE r", database_=graph.address.database)
    if not repeated:
        return [f"wikidata/{name}" for name in names]
    # The same triple by other assertions, as a source with qualifiers has it.
    graph.driver.execute_query(
        "MATCH (h)-[r:A]->(t) WHERE r.source = 'kb' AND t.key ENDS WITH 'x' "
        "UNWIND range(1, 20) AS again CREATE (h)-[:A {source: 'kb', split: 'train', assertion: again}]->(t)",
        database_=graph.address.database,
    )
    graph.driver.execute_query(
        "MATCH (h)-[r:S]->(h) WHERE r.source = 'kb' "
        "UNWIND range(1, 3) AS again CREATE (h)-[:S {source: 'kb', split: 'train', assertion: again}]->(h)",
        database_=graph.address.database,
    )
    return [f"wikidata/{name}" for name in names]


def even(neighbours: Neighbours, seeds: list[str]) -> float:
    """The p-value of each pair of the ways of a hub being drawn as often as each other."""
    counts: Counter[Any] = Counter()
    for number in range(DRAWS):
        found = neighbours.around(seeds, [DRAWN], [number])
        for place, key in enumerate(seeds):
            edges = np.flatnonzero(found.target == place)
            assert len(edges) == DRAWN
            others = [found.entities[other].replace(key, "") for other in found.source[edges]]
            counts[frozenset(zip(others, found.relation[edges].tolist(), strict=True))] += 1
    pairs = WAYS * (WAYS - 1) // 2
    assert len(counts) == pairs
    return float(chisquare(list(counts.values())).pvalue)


@pytest.mark.parametrize("repeated", [True, False], ids=["some stand twice", "each stands once"])
def test_every_set_of_edges_is_as_likely(graph: Graph, repeated: bool) -> None:
    """By 1,200 draws of 21 sets: in memory; by places among all edges; by drawn ids of edges."""
    seeds = hubs(graph, repeated=repeated)
    assert graph.rows("subgraph/repeated", source="kb") == [{"repeated": repeated}]
    subgraph = read_subgraph(graph, "kb", cache=False)
    ways: list[Neighbours] = [CachedNeighbours(subgraph), *(LiveNeighbours(graph, "kb", hub=hub) for hub in (100, 1))]
    same(*(each.around(seeds, [EVERY, EVERY], [0]) for each in ways[:2]))
    for each in ways:
        assert even(each, seeds) > 1e-4


@pytest.mark.parametrize("hub", [1, 10_000])
def test_all_edges_of_a_node_are_read_where_it_must_be(graph: Graph, hub: int) -> None:
    """Nearly all edges of the nodes are of another source: drawn ids do not find enough. Of many edges the least hashes do."""
    seeds = hubs(graph)
    graph.driver.execute_query(
        "MATCH (n) WHERE n.key IN $keys UNWIND range(1, 300) AS number CREATE (n)-[:A {source: 'beside'}]->(n)",
        keys=seeds,
        database_=graph.address.database,
    )
    assert even(LiveNeighbours(graph, "kb", hub=hub), seeds) > 1e-4


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("hops", [1, 3, 12])
def test_all_neighbours_are_the_same_edges(graph: Graph, direction: str, hops: int) -> None:
    loaded(graph)
    cached = CachedNeighbours(read_subgraph(graph, "kb", cache=False), direction)
    live = LiveNeighbours(graph, "kb", direction)
    found = cached.around(SEEDS, [EVERY] * hops, [1])
    same(found, live.around(SEEDS, [EVERY] * hops, [2]))
    assert found.entities[:2] == tuple(SEEDS)
    assert found.reached[-1] == len(found.entities)
    assert len(found) > 2


@pytest.mark.parametrize("hub", [1, 2**60])
def test_the_same_seed_draws_the_same(graph: Graph, hub: int) -> None:
    loaded(graph)
    for each in (CachedNeighbours(read_subgraph(graph, "kb", cache=False)), LiveNeighbours(graph, "kb", hub=hub)):
        one, again, other = (each.around(SEEDS, [2, 2], [3, number]) for number in (0, 0, 1))
        same(one, again)
        assert (one.entities, one.relation.tolist()) != (other.entities, other.relation.tolist())
        assert np.bincount(one.target).max() == 2
        assert one.target.max() < one.reached[1]


def test_many_nodes_are_several_statements(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(graph)
    live = LiveNeighbours(graph, "kb")
    whole = live.around(SEEDS, [2, 3, 3], [3])
    monkeypatch.setattr(live_neighbours, "PART", 1)
    same(whole, live.around(SEEDS, [2, 3, 3], [3]))


def test_whom_nobody_knows(graph: Graph) -> None:
    loaded(graph)
    for each in (CachedNeighbours(read_subgraph(graph, "kb", cache=False)), LiveNeighbours(graph, "kb")):
        with pytest.raises(NotFound, match="wikidata/nobody"):
            each.around(["wikidata/n00", "wikidata/nobody"], [2], [0])
    with pytest.raises(InputError, match="'none' has no triples"):
        LiveNeighbours(graph, "none")


def test_a_relation_that_came_later_is_noticed(graph: Graph) -> None:
    loaded(graph)
    live = LiveNeighbours(graph, "kb")
    graph.driver.execute_query(
        "MATCH (n {key: $key}) CREATE (n)-[:LATER {source: 'kb'}]->(n)",
        key=SEEDS[0],
        database_=graph.address.database,
    )
    with pytest.raises(Busy, match="the graph changed while it was read"):
        live.around(SEEDS, [EVERY], [0])


def profile(graph: Graph, fanout: int | None, source: str) -> tuple[int, int]:
    """How many relationships a draw at one node finds, and the server's memory for it in bytes."""
    known = statement("subgraph/neighbours")
    given = {"keys": ["wikidata/hub"], "fanout": fanout, "ends": False, "repeated": False, "source": source}
    _, summary, _ = graph.driver.execute_query(
        f"PROFILE {known.text}", known.arguments(given), database_=graph.address.database
    )
    found, plans = 0, [summary.profile]
    while plans:
        plan = plans.pop()
        found += plan["rows"] if plan["operatorType"].startswith("Expand") else 0
        plans += plan.get("children", ())
    return found, summary.profile["args"]["GlobalMemory"]


def test_memory_does_not_grow_with_the_square_of_the_edges(graph: Graph) -> None:
    """Where all edges of a node are read they are found once, and where a tenth counts the list of all is not in each row."""
    edges = 3_000
    near = [Triple(entity("hub"), "A", entity(f"n{number}")) for number in range(edges)]
    import_triples(graph, *near[edges // 10 :])
    import_triples(graph, *near[: edges // 10], source="rare")
    for fanout, source in ((None, "kb"), (201, "kb"), (200, "rare")):
        found, memory = profile(graph, fanout, source)
        assert memory < 8_000 * edges
        if source == "kb":
            assert edges <= found < 2 * edges


def test_sets_are_of_different_numbers_and_evenly_likely() -> None:
    sizes = np.array([3, 4, 9] * 2000)
    found = sets(sizes, 3, np.random.default_rng(1))
    assert (found < sizes[:, None]).all()
    assert (found >= 0).all()
    assert all(len(set(row)) == 3 for row in found.tolist())
    triples = Counter(frozenset(row) for row in found[1::3].tolist())
    assert len(triples) == 4
    assert chisquare(list(triples.values())).pvalue > 1e-4


def test_ends_may_have_no_numbers(graph: Graph) -> None:
    loaded(graph)
    cached, live = CachedNeighbours(read_subgraph(graph, "kb", cache=False)), LiveNeighbours(graph, "kb")
    whole = cached.around(SEEDS, [EVERY, EVERY], [0])
    found = cached.around(SEEDS, [EVERY, EVERY], [0], ends=False)
    same(found, live.around(SEEDS, [EVERY, EVERY], [0], ends=False))
    assert found.reached == (*whole.reached[:2], whole.reached[1])
    assert len(found) == len(whole)
    assert found.source.max() == len(found.entities)
    assert sorted(zip(found.target, found.relation, strict=True)) == sorted(
        zip(whole.target, whole.relation, strict=True)
    )
