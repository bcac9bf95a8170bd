"""Subgraphs: stable ids, splits, DGL graphs; from files of memory, and from a real graph."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harmgraph.common.errors import Busy, InputError, MissingExtra, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Concept, Entity, Import, Triple
from harmgraph.graph.statements import from_file, parse
from harmgraph.models.subgraph import cache as subgraph_cache
from harmgraph.models.subgraph import reader as subgraph_reader
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.split import TEST, TRAIN, VALID, hashed_split
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled
from tests.support.filling import import_triples
from tests.support.toy import entity, ring, toy, triples


def test_ids_do_not_depend_on_the_order() -> None:
    rows = triples()
    one = assembled(Columns(*(list(column) for column in zip(*rows, strict=True)), [""] * len(rows)))
    random.Random(1).shuffle(rows)
    two = assembled(Columns(*(list(column) for column in zip(*rows, strict=True)), [""] * len(rows)))
    assert one.digest == two.digest
    assert one.entities == tuple(sorted(one.entities))
    assert one.split.tolist() == two.split.tolist()


def test_equal_triples_are_one_and_stay_in_train() -> None:
    found = assembled(Columns(["a", "a", "b"], ["R"] * 3, ["b", "b", "a"], ["test", "train", "valid"]))
    assert (len(found), found.duplicates) == (2, 1)
    assert found.triples(TRAIN).tolist() == [[0, 0, 1]]
    assert found.triples(VALID).tolist() == [[1, 0, 0]]


def test_the_split_of_a_triple_rests_on_its_keys_alone() -> None:
    names = tuple(f"e{number}" for number in range(400))
    rng = np.random.default_rng(0)
    ids = np.unique(
        np.stack([rng.integers(400, size=9000), rng.integers(2, size=9000), rng.integers(400, size=9000)], 1), axis=0
    )
    whole = hashed_split(names, ("R", "S"), ids, seed=1)
    part = hashed_split(names, ("R", "S"), ids[::2], seed=1)
    assert (part == whole[::2]).mean() > 0.99  # the others were kept in train because they would be alone
    for code in (VALID, TEST):
        assert (whole == code).mean() == pytest.approx(0.05, abs=0.01)
    assert (hashed_split(names, ("R", "S"), ids, seed=2) != whole).any()


def test_every_entity_of_valid_and_test_is_trained() -> None:
    head = [f"e{number}" for number in range(200)]
    found = assembled(Columns(head, ["R"] * 200, ["hub"] * 200, [""] * 200), shares=(0.3, 0.3))
    assert (found.split == TRAIN).all()


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (Columns(["a"], ["R"], [""], [""]), "lacks its head"),
        (Columns(["a"], ["R"], ["b"], ["dev"]), "has the split 'dev'"),
    ],
)
def test_edges_that_are_none_are_refused(columns: Columns, why: str) -> None:
    with pytest.raises(InputError, match=why):
        assembled(columns)


def test_dgl_graphs_have_the_ids_of_the_subgraph() -> None:
    pytest.importorskip("dgl", reason="the extra harmgraph[models] is not installed")
    found = toy()
    made = found.dgl()
    assert (made.num_nodes(), made.num_edges()) == (len(found.entities), len(found))
    start, end = made.edges(order="eid")
    assert start.tolist() == found.head.tolist()
    assert end.tolist() == found.tail.tolist()
    assert made.edata["type"].tolist() == found.relation.tolist()
    assert made.edata["split"].tolist() == found.split.tolist()
    typed = found.dgl_typed()
    assert sorted(typed.etypes) == list(found.relations)
    for name in found.relations:
        places = typed.edges[name].data["edge"].tolist()
        assert typed.edges(etype=name)[1].tolist() == found.tail[places].tolist()
        assert {found.relations[found.relation[place]] for place in places} == {name}


def featured() -> Subgraph:
    """The toy graph with a column of numbers at its edges and one of pairs at its nodes."""
    plain = toy()
    numbers = np.arange(len(plain), dtype=np.float32) / 3
    pairs = np.stack([np.arange(len(plain.entities))] * 2, axis=1)
    return replace(plain, edge_features={"length": numbers}, node_features={"letters": pairs})


def test_dgl_and_pytorch_geometric_have_the_same_edges_and_features() -> None:
    pytest.importorskip("dgl", reason="the extra harmgraph[models] is not installed")
    pytest.importorskip("torch_geometric", reason="the extra harmgraph[pyg] is not installed")
    made = featured()
    one, other = made.dgl(), made.pyg()
    assert other.validate()
    assert other.num_nodes == one.num_nodes()
    assert other.edge_index.tolist() == [ends.tolist() for ends in one.edges(order="eid")]
    for name in ("type", "split", "length"):
        column = other[f"edge_{name}"]
        assert other.is_edge_attr(f"edge_{name}")
        assert (column.dtype, column.tolist()) == (one.edata[name].dtype, one.edata[name].tolist())
    assert other.is_node_attr("letters")
    assert other.letters.tolist() == one.ndata["letters"].tolist()
    typed, others = made.dgl_typed(), made.pyg_typed()
    assert others.validate()
    assert others["entity"].num_nodes == typed.num_nodes()
    assert [name for _, name, _ in others.edge_types] == typed.etypes
    for name in typed.etypes:
        edges = others["entity", name, "entity"]
        assert edges.edge_index.tolist() == [ends.tolist() for ends in typed.edges(etype=name)]
        assert edges.edge.tolist() == typed.edges[name].data["edge"].tolist()
    with pytest.raises(InputError, match="the feature index has the name"):
        replace(made, edge_features={"index": made.edge_features["length"]}).pyg()


def test_without_pytorch_geometric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    monkeypatch.setitem(sys.modules, "torch_geometric.data", None)
    with pytest.raises(MissingExtra, match=r"the package torch_geometric is not installed; install it with: .*\[pyg\]"):
        toy().pyg()


@pytest.mark.parametrize(
    ("python", "remedy"),
    [((3, 11, 7), r"install it with: .*\[dgl\]"), ((3, 13, 0), "use Python 3.11: DGL has no wheel for a later one")],
)
def test_without_dgl(monkeypatch: pytest.MonkeyPatch, python: tuple[int, ...], remedy: str) -> None:
    monkeypatch.setitem(sys.modules, "dgl", None)
    monkeypatch.setattr(sys, "version_info", python)
    with pytest.raises(MissingExtra, match=f"the package dgl is not installed; {remedy}"):
        toy().dgl()


def test_from_the_graph_and_kept(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import_triples(graph, *ring())
    import_triples(graph, Triple(Concept("cat"), "IsA", Concept("animal")), source="other")
    monkeypatch.setattr(subgraph_reader, "PAGE", 5)
    found = read_subgraph(graph, "kb", cache=False)
    expected = assembled(
        Columns(
            [f"wikidata/{head}" for head, _, _ in triples()],
            [kind for _, kind, _ in triples()],
            [f"wikidata/{tail}" for _, _, tail in triples()],
            [""] * len(triples()),
        )
    )
    assert found.digest == expected.digest
    assert found.split_by == "hash(0)"
    assert read_subgraph(graph, "other").entities == ("en/animal", "en/cat")
    assert len(read_subgraph(graph)) == len(found) + 1
    first = read_subgraph(graph, "kb")
    second = read_subgraph(graph, "kb")
    assert first.digest == second.digest == found.digest
    assert subgraph_cache.find_subgraph(first.origin) is not None


def test_the_graphs_own_split(graph: Graph) -> None:
    import_triples(
        graph, *ring(split="train"), Triple(entity("n01"), "ODD", entity("n02"), properties={"split": "test"})
    )
    found = read_subgraph(graph, "kb")
    assert found.split_by == "graph"
    assert found.triples(TEST).tolist() == [
        [found.entity_ids["wikidata/n01"], found.relation_ids["ODD"], found.entity_ids["wikidata/n02"]]
    ]


def test_what_is_kept_of_another_import_is_not_used(graph: Graph) -> None:
    import_triples(graph, *ring(), import_id="one")
    before = read_subgraph(graph, "kb")
    import_triples(graph, *ring(), Triple(entity("n01"), "MORE", entity("n07")), import_id="two")
    after = read_subgraph(graph, "kb")
    assert len(after) == len(before) + 1
    assert before.origin.imports == {"kb": "one"}
    assert after.origin.imports == {"kb": "two"}
    assert subgraph_cache.path_of(before.origin) != subgraph_cache.path_of(after.origin)


def test_a_damaged_kept_one_is_read_again(graph: Graph) -> None:
    import_triples(graph, *ring())
    found = read_subgraph(graph, "kb")
    path = subgraph_cache.path_of(found.origin)
    path.write_bytes(path.read_bytes()[:200])
    assert read_subgraph(graph, "kb").digest == found.digest


def test_a_statement_of_the_users_own_with_features(graph: Graph, tmp_path: Path) -> None:
    import_triples(graph, *ring())
    path = tmp_path / "mine.cypher"
    path.write_text(
        "MATCH (h)-[r:NEXT]->(t) WHERE h.key <> $without "
        "RETURN h.key AS head, type(r) AS relation, t.key AS tail, size(h.key) AS length, [1.5, null] AS pair"
    )
    nodes = parse("nodes", "MATCH (n:Entity) RETURN n.key AS key, size(n.name) AS letters")
    found = read_subgraph(graph, None, query=from_file(path), parameters={"without": "wikidata/n00"}, nodes=nodes)
    assert found.relations == ("NEXT",)
    assert len(found) == 23
    assert found.edge_features["length"].tolist() == [12] * 23
    assert found.edge_features["pair"].shape == (23, 2)
    assert found.node_features["letters"].tolist() == [3] * len(found.entities)


def test_a_relation_that_is_not_there_cannot_be_dealt_out(graph: Graph) -> None:
    import_triples(graph, *ring())
    shuffled = {"query": "subgraph/shuffled", "cache": False}
    with pytest.raises(NotFound, match="no relation named 'NEX' in the graph; near: NEXT"):
        read_subgraph(graph, "kb", **shuffled, parameters={"relation": "NEX"})
    assert (
        read_subgraph(graph, "kb", **shuffled, parameters={"relation": "NEXT", "shift": 5}).digest
        != read_subgraph(graph, "kb").digest
    )


JOBS = {"relation": "GENDER", "a": "wikidata/man", "b": "wikidata/woman", "over": "JOB"}


def knows(person: str, relation: str, value: str, split: str = "train") -> Triple:
    return Triple(Entity(f"wikidata/{person}"), relation, Entity(f"wikidata/{value}"), properties={"split": split})


def people() -> list[Triple]:
    genders = {"a": "man", "b": "man", "c": "man", "d": "woman", "e": "woman", "f": "neither"}
    jobs = [(person, "lawyer") for person in "abcdf"] + [("a", "nurse"), ("d", "nurse"), ("e", "pilot")]
    return [
        *(knows(person, "GENDER", gender) for person, gender in genders.items()),
        *(knows(person, "JOB", job) for person, job in jobs),
        *(knows(person, "JOB", "nurse", "test") for person in "bc"),
        knows("a", "KNOWS", "b"),
    ]


def named(subgraph: Subgraph) -> set[tuple[str, str, str]]:
    names = [key.removeprefix("wikidata/") for key in subgraph.entities]
    return {(names[h], subgraph.relations[r], names[t]) for h, r, t in subgraph.triples().tolist()}


def test_balanced_keeps_as_many_of_either_value_within_each_object(graph: Graph) -> None:
    import_triples(graph, *people())

    def read(seed: int) -> set[tuple[str, str, str]]:
        parameters = {**JOBS, "seed": seed}
        return named(read_subgraph(graph, "kb", query="subgraph/balanced", cache=False, parameters=parameters))

    whole = named(read_subgraph(graph, "kb", cache=False))
    men = set()
    for seed in range(8):
        balanced = read(seed)
        assert balanced == read(seed)
        assert balanced < whole
        assert {relation for _, relation, _ in whole - balanced} == {"JOB"}
        of_jobs = {(head, tail) for head, relation, tail in balanced if relation == "JOB"}
        # One of the men and the woman among lawyers, and who is neither; one of each among nurses, and both who are in test;
        # no pilot, who were all women.
        kept = {head for head, tail in of_jobs if tail == "lawyer"}
        assert len(kept) == 3
        assert kept > {"d", "f"}
        men |= kept - {"d", "f"}
        assert {head for head, tail in of_jobs if tail == "nurse"} == {"a", "b", "c", "d"}
        assert not {head for head, tail in of_jobs if tail == "pilot"}
    assert len(men) > 1, "another seed keeps others"


def test_balanced_counts_people_and_not_the_relationships_of_their_triples(graph: Graph) -> None:
    """Wikidata says a triple several times, with other qualifiers, and another source says it once more."""
    import_triples(graph, *people())
    again = [one for one in people() if one.head.key in ("wikidata/d", "wikidata/f") and one.relation == "JOB"]
    import_triples(graph, *again, source="other")
    graph.write(
        parse(
            "again",
            "MATCH (h:Entity {key: 'wikidata/d'})-[r:JOB]->(t) UNWIND range(1, 3) AS n "
            "CREATE (h)-[s:JOB]->(t) SET s = properties(r)",
        )
    )
    for seed in range(8):
        parameters = {**JOBS, "seed": seed}
        for source in ("kb", None):
            balanced = named(
                read_subgraph(graph, source, query="subgraph/balanced", cache=False, parameters=parameters)
            )
            lawyers = {head for head, relation, tail in balanced if (relation, tail) == ("JOB", "lawyer")}
            assert len(lawyers) == 3
            assert lawyers > {"d", "f"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"a": "man"}, "no value of GENDER named 'man' in the graph; near: .*wikidata/man"),
        ({"b": "wikidata/lawyer"}, "no value of GENDER named 'wikidata/lawyer'"),
        ({"over": "JOBS"}, "no relation named 'JOBS' in the graph; near: JOB"),
        ({"relation": "GENDERS"}, "no relation named 'GENDERS'"),
    ],
)
def test_what_does_not_occur_cannot_be_balanced(graph: Graph, wrong: dict[str, str], said: str) -> None:
    import_triples(graph, *people())
    with pytest.raises(NotFound, match=said):
        read_subgraph(graph, "kb", query="subgraph/balanced", cache=False, parameters={**JOBS, **wrong})


def test_the_end_of_the_people_must_be_the_right_one(graph: Graph) -> None:
    inverse = [
        Triple(one.tail, one.relation, one.head, properties=one.properties) if one.relation == "JOB" else one
        for one in people()
    ]
    import_triples(graph, *inverse)
    asked = {"query": "subgraph/balanced", "cache": False}
    with pytest.raises(InputError, match="no triple of JOB is of someone who has wikidata/man or wikidata/woman"):
        read_subgraph(graph, "kb", **asked, parameters=JOBS)
    balanced = named(read_subgraph(graph, "kb", **asked, parameters={**JOBS, "over_inverse": True}))
    assert ("lawyer", "JOB", "d") in balanced
    assert len([1 for head, _, _ in balanced if head == "lawyer"]) == 3
    with pytest.raises(InputError, match="the values to balance are both wikidata/man"):
        read_subgraph(graph, "kb", **asked, parameters={**JOBS, "b": JOBS["a"]})


def test_a_graph_that_changes_while_it_is_read_is_refused(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import_triples(graph, *ring())
    keyed = subgraph_reader._keyed

    def meanwhile(*arguments: Any) -> Columns:
        import_triples(graph, Triple(Concept("cat"), "IsA", Concept("animal")), source="other")
        return keyed(*arguments)

    monkeypatch.setattr(subgraph_reader, "_keyed", meanwhile)
    with pytest.raises(Busy, match="changed while it was read"):
        read_subgraph(graph, "kb", cache=False)


def test_a_statement_may_name_ends_by_ids_of_nodes(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import_triples(graph, *ring())
    import_triples(graph, Triple(Concept("cat"), "IsA", Concept("animal")), source="other")
    monkeypatch.setattr(subgraph_reader, "PAGE", 5)
    by_key = "MATCH (h)-[r:NEXT]->(t) RETURN h.key AS head, type(r) AS relation, t.key AS tail"
    by_id = "MATCH (h)-[r:NEXT]->(t) RETURN id(h) AS head, type(r) AS relation, id(t) AS tail"
    one, two = (read_subgraph(graph, None, query=parse("mine", text)) for text in (by_key, by_id))
    assert one.digest == two.digest
    assert one.entities == two.entities
    assert len(two) == 24


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "MATCH (h)-[r:NEXT]->(t) RETURN id(h) AS head, type(r) AS relation, t.key AS tail",
            "both keys and node ids: it must return one or the other",
        ),
        (
            "MATCH (h)-[r:NEXT]->(t) RETURN id(h) AS head, type(r) AS relation, 987654321 AS tail",
            "the id 987654321, which is not the id of a Concept or an Entity",
        ),
        ("MATCH (h)-[r:NEXT]->(t) RETURN h.key AS head, t.key AS tail", "returns no column relation"),
        (
            "MATCH (h)-[r:NEXT]->(t) RETURN collect(h.key) AS head, collect(type(r)) AS relation, "
            "collect(t.key) AS tail, collect(r.nothing) AS x",
            "lists of different length",
        ),
        (
            "MATCH (h)-[r:NEXT]->(t) RETURN h.key AS head, type(r) AS relation, t.key AS tail, h.name AS x",
            "has values that are not numbers",
        ),
        (
            "MATCH (h)-[r:NONE]->(t) RETURN h.key AS head, type(r) AS relation, t.key AS tail",
            "has no triples that mine",
        ),
        ("MATCH (h)-[r:NEXT]->(t) RETURN h.no AS head, type(r) AS relation, t.key AS tail", "lacks its head"),
    ],
)
def test_a_statement_of_another_form_is_refused(graph: Graph, text: str, why: str) -> None:
    import_triples(graph, *ring())
    with pytest.raises(InputError, match=why):
        read_subgraph(graph, None, query=parse("mine", text))


def test_a_source_that_gives_no_subgraph(graph: Graph) -> None:
    import_triples(graph, *ring())
    import_triples(graph, source="empty")
    with pytest.raises(NotFound, match="near: kb"):
        read_subgraph(graph, "kbs")
    with pytest.raises(InputError, match="the source 'empty' has no triples"):
        read_subgraph(graph, "empty")
    sources.begin(graph, Import("half", "1"), {})
    with pytest.raises(InputError, match="'half' is not finished loading; run its load again"):
        read_subgraph(graph, "half")
