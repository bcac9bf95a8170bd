"""Names of entities and relations: whenever they come, from whichever source, taken back with it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import entity_names, sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Concept, Entity, Import, RelationLabel, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing import batches, deferred_rows
from harmgraph.graph.writing.writer import Writer

ONE, TWO, OTHER = (f"wikidata/Q{number}" for number in (1, 2, 9))
ENTITIES = parse("entities", "MATCH (e:Entity) RETURN e.key AS key, properties(e) AS p")
RELATION = parse("relation", "MATCH (r:Relation) RETURN properties(r) AS p")
EDGE = Triple(Entity(ONE), "P1", Entity(TWO))
Said = Entity | RelationLabel | Triple


def write(graph: Graph, source: str, *records: Said, renews: bool = False, described: tuple[str, ...] = ()) -> None:
    graph.write("source/begin", name=source, import_id="1", generation=1, facts={})
    mark = Import(source, "1")
    writer = Writer(graph, mark, described=described, phrase=lambda name: f"phrase of {name}", renews_names=renews)
    for record in records:
        writer.add(record)
    writer.flush()


def entities(graph: Graph) -> dict[str, dict[str, Any]]:
    return {row["key"]: row["p"] for row in graph.rows(ENTITIES)}


def test_a_name_is_kept_whether_it_comes_before_or_after_the_triple(graph: Graph) -> None:
    digests = set()
    for order in permutations([EDGE, Entity(TWO, "Two"), Triple(Entity(TWO), "P2", Entity(ONE))]):
        write(graph, "kb", *order)
        assert entities(graph) == {
            ONE: {"key": ONE},
            TWO: {"key": TWO, "name": "Two", "term": "two", "named_by": ["kb"]},
        }
        digests.add(digest(graph))
        graph.autocommit("schema/wipe")
    assert len(digests) == 1


def test_a_nameless_load_does_not_lose_the_name_of_another(graph: Graph) -> None:
    write(graph, "named", EDGE, Entity(TWO, "Two"))
    write(graph, "nameless", EDGE)
    assert entities(graph)[TWO]["name"] == "Two"


def test_what_stands_in_no_triple_of_its_load_makes_no_node_and_names_none(graph: Graph) -> None:
    write(graph, "a", Triple(Entity(OTHER), "P1", Entity(ONE)))
    write(graph, "b", EDGE, Entity(OTHER, "Other"), RelationLabel("P7", "seven"))
    assert entities(graph)[OTHER] == {"key": OTHER}
    write(graph, "c", Triple(Concept("x"), "IsA", Concept("y")), Entity("wikidata/Q3", "Three"))
    assert "wikidata/Q3" not in entities(graph)


def test_two_sources_in_any_order_are_one_graph_and_each_goes_alone(graph: Graph) -> None:
    said: dict[str, tuple[Said, ...]] = {
        "a": (EDGE, Entity(TWO, "Two of a"), RelationLabel("P1", "label of a")),
        "b": (EDGE, Entity(TWO, "Two of b"), RelationLabel("P1", "label of b")),
        "c": (EDGE, Entity(TWO, "Two of c"), Entity(ONE, "One of c")),
    }
    alone = {}
    for name, records in said.items():
        write(graph, name, *records)
        alone[name] = entities(graph)
        graph.autocommit("schema/wipe")
    together = []
    for order in permutations(said):
        for name in (*order, order[0]):  # and the first one again
            write(graph, name, *said[name])
        found = entities(graph)
        assert found[TWO] == {
            "key": TWO,
            "name": "Two of a",
            "term": "two of a",
            "named_by": ["a", "b", "c"],
            "names": ["Two of a", "Two of b", "Two of c"],
        }
        (relation,) = graph.rows(RELATION)
        assert (relation["p"]["name"], relation["p"]["template"]) == ("label of a", "label of a")
        together.append(found)
        for name in ("a", "c"):
            sources.drop(graph, name)
        assert entities(graph) == alone["b"]
        (relation,) = graph.rows(RELATION)
        assert relation["p"]["name"] == "label of b"
        sources.drop(graph, "b")
        assert entities(graph) == {}
        graph.autocommit("schema/wipe")
    assert all(found == together[0] for found in together)


def test_a_renewed_name_takes_the_place_of_the_old_one(graph: Graph) -> None:
    write(graph, "b", EDGE, Entity(TWO, "Two of b"))
    write(graph, "c", EDGE, Entity(TWO, "Two of c"))
    write(graph, "b", EDGE, Entity(TWO, "New"), renews=True)
    assert entities(graph)[TWO]["names"] == ["New", "Two of c"]
    write(graph, "b", EDGE, renews=True)
    assert entities(graph)[TWO] == {"key": TWO, "name": "Two of c", "term": "two of c", "named_by": ["c"]}


def test_a_label_taken_back_leaves_the_relations_own_name(graph: Graph) -> None:
    write(graph, "kb", EDGE)
    own = graph.rows(RELATION)
    write(graph, "kb", EDGE, RelationLabel("P1", "label"))
    assert graph.rows(RELATION)[0]["p"]["own"] == ["P1", "phrase of P1"]
    entity_names.forget(graph, "kb")
    assert graph.rows(RELATION) == own


def test_of_equal_properties_that_of_the_first_source_stands(graph: Graph) -> None:
    first = Entity(TWO, "Two", {"description": "first", "sitelinks": 3})
    second = Entity(TWO, "Two", {"description": "second", "P569": "1952"})
    given = ("description", "sitelinks", "P569")
    for order in (("a", "b"), ("b", "a"), ("b", "a", "b"), ("a", "b", "a")):
        for name in order:
            write(graph, name, EDGE, first if name == "a" else second, described=given)
        found = entities(graph)[TWO]
        assert (found["description"], found["sitelinks"], found["P569"]) == ("first", 3, "1952")
        assert (found["described"], found["described_by"]) == (["description", "sitelinks", "P569"], ["a", "a", "b"])
        sources.drop(graph, "a")
        found = entities(graph)[TWO]
        assert (found["described"], found["described_by"], found["P569"]) == (["P569"], ["b"], "1952")
        assert "description" not in found
        write(graph, "b", EDGE, second, described=given)
        assert entities(graph)[TWO]["description"] == "second"
        sources.drop(graph, "b")
        assert TWO not in entities(graph)
        graph.autocommit("schema/wipe")


def test_a_renewed_description_takes_back_what_it_no_longer_says(graph: Graph) -> None:
    write(graph, "a", EDGE, Entity(TWO, "Two", {"description": "of a"}), described=("description",))
    write(graph, "b", EDGE, Entity(TWO, "Two", {"P569": "1952", "sitelinks": 3}), described=("P569", "sitelinks"))
    write(graph, "b", EDGE, Entity(TWO, "Two", {"sitelinks": 4}), described=("sitelinks",))
    found = entities(graph)[TWO]
    assert (found["described"], found["described_by"]) == (["description", "sitelinks"], ["a", "b"])
    assert (found["description"], found["sitelinks"]) == ("of a", 4)
    assert "P569" not in found


def test_of_several_names_in_one_load_the_last_stays(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 2, 100):
        monkeypatch.setattr(batches, "BATCH", size)
        monkeypatch.setattr(deferred_rows, "WAITING", size)
        said = [Entity(TWO, name, {"description": name}) for name in ("x", "y", "z")]
        write(graph, "kb", said[0], EDGE, *said[1:], described=("description",))
        found = entities(graph)[TWO]
        assert (found["name"], found["description"], found["named_by"]) == ("z", "z", ["kb"])
        graph.autocommit("schema/wipe")
