"""Events name targets by their words, other concepts by their whole text."""

from __future__ import annotations

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.contents.event_names import Names, named
from harmgraph.graph.records import Concept, Target, Triple
from harmgraph.graph.statements import parse
from tests.support.filling import fill

NAMES = Names()
for name in (
    "cook",
    "girl",
    "football player",
    "player",
    "african american",
    "african",
    "american",
    "black woman",
    "black",
    "woman",
):
    NAMES.add(name, name)
COMBINED = {"black woman"}


HOLD_ALL = parse(
    "hold",
    "MATCH (t:Target) MATCH (list:TargetList {name: 'later'}) MERGE (list)-[holds:HOLDS]->(t) SET holds.import_id = 'x'",
)
BY_LISTS = parse("by lists", "MATCH (e:Event)-[n:NAMES]->(t:Target) RETURN t.name AS target, n.lists AS lists")


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("personx date a girl", {"girl"}),
        ("girl", {"girl"}),
        ("personx be a girlfriend", set()),
        ("personx cook dinner", set()),
        ("personx want to cook", set()),
        ("personx pay the cook for a girl", {"cook", "girl"}),
        ("personx watch football", set()),
        ("personx watch a football player", {"football player"}),
        ("football player persony", {"football player"}),
        ("personx meet an african american woman", {"african american", "woman"}),
        ("personx meet an african american and an american", {"african american", "american"}),
        ("personx help a black woman", {"black woman", "black", "woman"}),
    ],
)
def test_named(text: str, targets: set[str]) -> None:
    assert named(text, NAMES, COMBINED) == targets


def links(graph: Graph) -> set[tuple[str, str]]:
    rows = graph.rows(parse("links", "MATCH (c:Concept)-[:NAMES]->(t:Target) RETURN c.text AS text, t.name AS target"))
    return {(row["text"], row["target"]) for row in rows}


def test_links_come_and_go(graph: Graph) -> None:
    head, tail = Concept("personx date a girl", event=True), Concept("personx be happy", event=True)
    other = Triple(Concept("a girl"), "IsA", Concept("person"))
    german = Triple(Concept("personx date a girl", language="de", event=True), "xWant", Concept("b", event=True))
    fill(graph, Triple(head, "xWant", tail), other, german, Target("girl", "gender"))
    assert links(graph) == {("personx date a girl", "girl")}, (
        "no concept that is not an event, none of another language"
    )
    assert linker.link(graph).names == 1
    graph.write(parse("gone", "MATCH (t:Target) SET t.names = ['woman']"))
    assert linker.link(graph).names == 0
    assert links(graph) == set()


def test_a_longer_name_takes_the_place_of_the_names_in_it_within_its_list(graph: Graph) -> None:
    head, tail = Concept("personx meet an african american", event=True), Concept("personx be happy", event=True)
    fill(graph, Triple(head, "xWant", tail), Target("african", "origin"), Target("american", "origin"))
    assert links(graph) == {(head.text, "african"), (head.text, "american")}
    fill(graph, Target("african american", "origin"), source="later")
    assert links(graph) == {(head.text, "african"), (head.text, "american"), (head.text, "african american")}
    graph.write(HOLD_ALL)
    assert linker.link(graph).names == 3
    by_lists = {row["target"]: row["lists"] for row in graph.rows(BY_LISTS)}
    assert len(set(map(str, by_lists.values()))) == 2
    assert by_lists["african american"] is None
    assert "later" not in by_lists["african"], "the list that has the longer name goes by that"
    graph.write(parse("gone", "MATCH (t:Target {name: 'african american'}) DETACH DELETE t"))
    assert linker.link(graph).names == 2
    assert links(graph) == {(head.text, "african"), (head.text, "american")}
