"""Vectors and ranks of entities whose edges stay in Neo4j: those of the graph in memory, read part by part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.common.errors import Busy
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.models import store
from harmgraph.models.embedding import named_embedding
from harmgraph.models.embedding.beginning import features
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.tables import load_tables
from harmgraph.models.subgraph import live_edges, reader
from harmgraph.models.subgraph.live_edges import LiveEdges
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.split import TRAIN
from tests.support import tiny_model
from tests.support.family import working_records
from tests.support.filling import import_triples
from tests.support.toy import entity

torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("without_models", "small_parts")
ENCODERS = [each.name for each in encoders if isinstance(each, VectorEncoder)]
NUMBERS = "MATCH (n:Entity) WHERE n.key < 'wikidata/x' RETURN n.key AS key, size(n.name) AS letters, n.name CONTAINS '1' AS one"
DRAWN = ["--fanout", "4,4", "--negatives", "9"]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that even these graphs are read in many parts."""
    monkeypatch.setattr(live_edges, "EDGES", 40)
    monkeypatch.setattr(live_edges, "ENTITIES", 7)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False))


def odd() -> list[Triple]:
    """What a graph may have beside a usual triple."""
    train, valid, test = ({"split": split} for split in ("train", "valid", "test"))
    first, second = entity("b00"), entity("b01")
    return [
        Triple(first, "PARENT", first, properties=train),  # a loop
        Triple(first, "UNKNOWN", second, properties=train),  # a relation that the model does not know
        # Nothing leads to her. Two such would have one score, but for the last bit.
        Triple(entity("alone"), "UNKNOWN", second, properties=train),
        Triple(entity("alone"), "JOB", entity("pilot"), properties=test),
        Triple(entity("b02"), "JOB", entity("teacher"), properties=valid),
        Triple(second, "UNKNOWN", entity("pilot"), properties=test),
    ]


def twice(graph: Graph) -> None:
    """Triples that stand twice: in two splits, and in one."""
    made = (
        ("b03", "JOB", "pilot", "train", "test"),
        ("b04", "TOWN", "south", "valid", "test"),
        ("b05", "TOWN", "north", "train", "train"),
    )
    for head, kind, tail, *splits in made:
        for split in splits:
            graph.driver.execute_query(
                f"MATCH (h {{key: $head}}), (t {{key: $tail}}) CREATE (h)-[:{kind} {{source: 'b', split: 'train'}}]->(t)",
                head=f"wikidata/{head}",
                tail=f"wikidata/{tail}",
                split=split,
                database_=graph.address.database,
            )


@pytest.fixture
def families(graph: Graph) -> Graph:
    """Two families with genders, jobs and towns, the second with all that is odd."""
    import_triples(graph, *working_records("a"), source="a")
    import_triples(graph, *working_records("b"), *odd(), source="b")
    twice(graph)
    return graph


def train(name: str, encoder: str, kind: str, tiny: str, *more: str, source: str = "a") -> None:
    of_kind = {"text": ["--text-encoder", tiny], "properties": ["--properties", NUMBERS]}.get(kind, [])
    small = ["--dim", "16", "--batch", "8", "--learning-rate", "0.02", "--epochs", "1", "--threads", "1"]
    given = ["--source", source, "--encoder", encoder, "--model", "distmult", "--layers", "2", "--features", kind]
    assert main(["embed", "train", name, *given, *small, *of_kind, *more]) == 0


def asked(capsys: pytest.CaptureFixture[str], name: str, *more: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["embed", "eval", name, "--output", "json", "--threads", "1", *more]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def equal(one: Any, other: Any) -> None:
    """Two results, with numbers that are nearly the same."""
    if isinstance(one, Mapping):
        assert one.keys() == other.keys()
        for name, value in one.items():
            equal(value, other[name])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for value, another in zip(one, other, strict=True):
            equal(value, another)
    else:
        assert one == pytest.approx(other, nan_ok=True) if isinstance(one, float) else one == other


@pytest.mark.parametrize("kind", features.names())
@pytest.mark.parametrize("encoder", ENCODERS)
def test_vectors_and_ranks_are_those_of_the_graph_in_memory(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str], encoder: str, kind: str
) -> None:
    train("model", encoder, kind, tiny)
    for source in "ab":
        said = []
        for way in ("cached", "live"):
            capsys.readouterr()
            given = ["--source", source, "--as", way, "--subgraphs", way, "--again"]
            assert main(["embed", "encode", "model", *given]) == 0, capsys.readouterr().err
            said.append(capsys.readouterr().err)
        assert said[0] == said[1]
        cached, live = load_tables("cached"), load_tables("live")
        assert cached.entity_keys == live.entity_keys
        assert cached.config.unmatched == live.config.unmatched
        torch.testing.assert_close(live.entities, cached.entities, rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(live.relations, cached.relations, rtol=1e-5, atol=1e-5)
        inference = ["--inference", source]
        equal(
            asked(capsys, "model", *inference, "--subgraphs", "live"),
            asked(capsys, "model", *inference, "--subgraphs", "cached"),
        )
    equal(asked(capsys, "model", "--subgraphs", "live"), asked(capsys, "model"))
    # A table from live edges is asked as it was made.
    equal(asked(capsys, "live") | {"model": "cached"}, asked(capsys, "cached"))


def test_what_is_odd_is_counted(families: Graph, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    train("model", "rgcn", "relations", tiny)
    found = asked(capsys, "model", "--inference", "b", "--subgraphs", "live")
    assert (found["unknown_edges"], found["left_out"]) == (2, 1)
    assert set(found["entities"]) == {"unseen"}
    assert main(["embed", "encode", "model", "--source", "b", "--as", "x", "--subgraphs", "live"]) == 0
    assert "1 entity has no training edge of a relation that model knows" in capsys.readouterr().err


def test_the_edges_are_not_read_into_memory(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training on the live graph, and all that follows it by default."""
    train("table", "sage", "relations", tiny)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the graph was read")

    monkeypatch.setattr(reader, "read_subgraph", never)
    monkeypatch.setattr(named_embedding, "read_subgraph", never)
    train("model", "compgcn", "relations", tiny, *DRAWN, "--subgraphs", "live")
    assert set(asked(capsys, "model", "--inference", "a")["entities"]) == {"seen"}
    # Genders, jobs and towns are those of the training, and of the people there is nobody.
    assert set(asked(capsys, "model", "--inference", "b")["entities"]) == {"unseen"}
    assert main(["embed", "encode", "model", "--source", "b", "--as", "later"]) == 0
    equal(
        asked(capsys, "later")["sides"],
        asked(capsys, "model", "--inference", "b")["sides"],
    )
    assert main(["embed", "eval", "model", "--subgraphs", "cached"]) != 0
    assert "the graph was read" in capsys.readouterr().err


def test_a_sample_is_the_same(families: Graph, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    train("model", "sage", "relations", tiny)
    for more in (["--sample", "3"], ["--sample", "3", "--seed", "4"], ["--split", "valid", "--sample", "99"]):
        given = [*more, "--inference", "b"]
        equal(asked(capsys, "model", *given, "--subgraphs", "live"), asked(capsys, "model", *given))


def test_a_table_is_ranked_too(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--source", "b", "--dim", "8", "--negatives", "5", "--epochs", "1", "--threads", "1"]
    assert main(["embed", "train", "table", *given]) == 0
    equal(asked(capsys, "table", "--subgraphs", "live"), asked(capsys, "table"))
    assert main(["embed", "eval", "table", "--subgraphs", "live", "--triples-of", "table"]) == 2
    assert "--triples-of does not work with --subgraphs live" in capsys.readouterr().err


def test_triples_that_a_training_on_all_sources_learnt(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to be found in one source is known from another."""
    test = {"split": "test"}
    asked_for = [replace(each, properties=test) for each in working_records("a")[:9]]
    of_others = [
        Triple(entity("c00"), "JOB", entity("nurse"), properties={"split": split}) for split in ("train", "test")
    ]
    import_triples(families, *asked_for, *of_others[:1], replace(of_others[1], head=entity("c01")), source="c")
    given = ["--encoder", "sage", "--model", "distmult", "--dim", "8", "--epochs", "1", "--epoch-triples", "9"]
    assert main(["embed", "train", "model", *given]) == 0
    found = [asked(capsys, "model", "--inference", "c", "--subgraphs", way) for way in ("live", "cached")]
    assert 0 < found[0]["seen"] < len(asked_for) + 1
    equal(*found)


@pytest.mark.parametrize("way", ["encode", "eval"])
def test_paths_need_the_whole_graph(families: Graph, tiny: str, capsys: pytest.CaptureFixture[str], way: str) -> None:
    given = ["--source", "a", "--encoder", "nbfnet", "--dim", "8", "--layers", "2", "--epochs", "1"]
    assert main(["embed", "train", "paths", *given, "--epoch-triples", "8"]) == 0
    capsys.readouterr()
    more = ["--source", "b", "--as", "later"] if way == "encode" else []
    assert main(["embed", way, "paths", *more, "--subgraphs", "live"]) == 1
    assert (
        "the encoder nbfnet has no vectors of entities, and needs the whole graph in memory" in capsys.readouterr().err
    )
    assert list(store.names()) == ["paths"]


def test_triples_that_live_subgraphs_cannot_tell(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import_triples(families, *(replace(each, properties={}) for each in working_records("c")), source="c")
    train("random", "sage", "relations", tiny, source="c")
    train("part", "sage", "relations", tiny, "--statement", "subgraph/unseen", "--param", "share=0.2")
    for name, chosen in (("random", "a random split"), ("part", "subgraph/unseen")):
        for more in ([], ["--inference", store.config(name).source or ""]):
            assert main(["embed", "eval", name, *more, "--subgraphs", "live"]) == 1
            err = capsys.readouterr().err
            assert f"was trained on the triples that {chosen} chose" in err
            assert "give --subgraphs cached" in err
    equal(
        asked(capsys, "part", "--inference", "b", "--subgraphs", "live"),
        asked(capsys, "part", "--inference", "b"),
    )
    assert main(["embed", "encode", "part", "--source", "c", "--as", "x", "--subgraphs", "live"]) == 0
    assert "c has no split of its own: all its edges carry messages" in capsys.readouterr().err
    assert main(["embed", "eval", "part", "--inference", "c", "--subgraphs", "live"]) == 1
    said = capsys.readouterr().err
    assert "c: has no split of its own, so live subgraphs take all its edges as training edges" in said
    assert "give --subgraphs cached, which draws a split at random" in said
    assert main(["embed", "eval", "part", "--inference", "c", "--subgraphs", "cached"]) == 0
    train("own", "sage", "relations", tiny, *DRAWN, "--subgraphs", "live", source="c")
    capsys.readouterr()
    for more in ([], ["--inference", "c"]):
        assert main(["embed", "eval", "own", *more]) == 1
        assert "load its valid and test triples too" in capsys.readouterr().err


def test_nothing_to_go_by(families: Graph, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    train("model", "sage", "relations", tiny)
    import_triples(families, Triple(entity("x"), "UNKNOWN", entity("y"), properties={"split": "train"}), source="c")
    for way in ("live", "cached"):
        assert main(["embed", "encode", "model", "--source", "c", "--as", "later", "--subgraphs", way]) == 1
        assert "c: has no training edge of a relation that the model knows" in capsys.readouterr().err
    assert list(store.names()) == ["model"]


def test_edges_of_a_hub_are_drawn(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_edges, "MOST", 12)
    live = LiveGraph.of(families, "b")
    entities = LiveEntities.of(live)
    known = reader.read_subgraph(families, "b")
    heads, kinds, tails = known.triples(TRAIN).T
    there = {*zip(heads, kinds, tails, strict=True), *zip(tails, kinds + len(known.relations), heads, strict=True)}
    ends = np.concatenate([heads, tails])
    degrees = np.bincount(ends, minlength=len(known.entities))
    hubs = np.flatnonzero((degrees >= 12) & (entities.degrees > 12))
    parts = []
    for seed in (1, 1, 2):
        with LiveEdges.of(live, entities, seed) as edges:
            parts.append(list(edges))
            assert edges.drawn == len(hubs)
            again = list(edges)
            # A second round is of the same edges.
            assert [part.source.tolist() for part in again] == [part.source.tolist() for part in parts[-1]]
    for part in parts[0]:
        counts = np.bincount(part.target - part.first, minlength=part.last - part.first)
        assert counts.tolist() == np.minimum(degrees[part.first : part.last], 12).tolist()
        assert {*zip(part.source, part.relation, part.target, strict=True)} <= there
    one, same, other = (np.concatenate([part.source for part in each]).tolist() for each in parts)
    assert one == same != other
    train("model", "sage", "relations", tiny)
    capsys.readouterr()
    assert main(["embed", "encode", "model", "--source", "b", "--as", "later", "--subgraphs", "live"]) == 0
    assert f"entities with 12 edges or more: {len(hubs)}; so many of the edges of each were drawn" in (
        capsys.readouterr().err
    )


def test_of_a_hub_all_edges_of_unknown_relations_are_counted(
    families: Graph, tiny: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    more = [
        Triple(entity(f"b{number:02d}"), "UNKNOWN", entity("north"), properties={"split": "train"})
        for number in range(25)
    ]
    import_triples(families, *working_records("b"), *odd(), *more, source="b")
    train("model", "sage", "relations", tiny)
    monkeypatch.setattr(live_edges, "MOST", 12)
    found = [asked(capsys, "model", "--inference", "b", "--subgraphs", way) for way in ("live", "cached")]
    assert [each["unknown_edges"] for each in found] == [27, 27]


def test_parts_are_small_and_all_there(families: Graph) -> None:
    live = LiveGraph.of(families, "b")
    entities = LiveEntities.of(live)
    with LiveEdges.of(live, entities, 0) as edges:
        parts = list(edges)
    assert len(parts) > 5
    assert [part.first for part in parts] == [0, *(part.last for part in parts[:-1])]
    assert parts[-1].last == len(entities.entities)
    assert all(part.last - part.first <= 7 for part in parts)
    assert all(len(part.source) <= 40 or part.last - part.first == 1 for part in parts)
    assert sum(len(part.source) for part in parts) == 2 * len(reader.read_subgraph(families, "b").triples(TRAIN))


@pytest.mark.parametrize(
    "made",
    [
        "MATCH (n {key: 'wikidata/b00'}) CREATE (n)<-[:PARENT {source: 'b', split: 'train'}]-(:Entity {key: 'wikidata/new'})",
        "MATCH (n {key: 'wikidata/b00'}), (o {key: 'wikidata/b01'}) CREATE (n)-[:LATER {source: 'b', split: 'train'}]->(o)",
    ],
    ids=["another entity", "another relation"],
)
def test_a_graph_that_changed(families: Graph, made: str) -> None:
    live = LiveGraph.of(families, "b")
    entities = LiveEntities.of(live)
    families.driver.execute_query(made, database_=families.address.database)
    with pytest.raises(Busy, match="the graph changed while it was read"):
        LiveEdges.of(live, entities, 0).__enter__()
