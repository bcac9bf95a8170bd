"""Equal graphs have equal digests; any difference that is no time of day changes it."""

from __future__ import annotations

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import FORM, digest
from harmgraph.graph.schema import VOLATILE
from harmgraph.graph.statements import parse

BASE = (
    "CREATE (a:Concept {key: 'en/a', text: 'a', language: 'en'})",
    "CREATE (b:Concept {key: 'en/b', text: 'b', language: 'en'})",
    "MATCH (a:Concept {key: 'en/a'}), (b:Concept {key: 'en/b'}) "
    "CREATE (a)-[:IS_A {source: 's', assertion: '', weight: 1.0}]->(b)",
    "CREATE (:Source {name: 's', files: ['x'], imported_at: datetime('2020-01-01')})",
)

MORE = (
    "MATCH (a:Concept {key: 'en/a'}), (s:Source) CREATE (t:Target {name: 'é \"b\"', aliases: [], shares: [0.1, 2.0], "
    "made: true, on: date('2020-02-03'), n: 9223372036854775807})-[:ABOUT {finished_at: datetime('2020-01-01')}]->(a), "
    "(a)-[:SAID {at: datetime('2020-01-01T01:02:03Z')}]->(s), (:Event:Concept {key: 'x'})-[:OF]->(:Run {id: 'r'})"
)
PINNED = "8579f8f7e17077e8294334674007f5adfcfe5c00a76f4080da74f213775bf375"


def run(graph: Graph, *texts: str) -> None:
    for text in texts:
        graph.write(parse("test", text))


@pytest.fixture
def base(graph: Graph) -> str:
    run(graph, *BASE)
    return digest(graph)


def test_an_empty_graph_has_one_too(graph: Graph) -> None:
    assert digest(graph) == "0" * 64


def test_the_digest_of_an_unchanged_graph_does_not_change(graph: Graph, base: str) -> None:
    """Where this must change, raise ``digest.FORM`` too: otherwise no older backup can be restored."""
    run(graph, MORE)
    assert (FORM, digest(graph)) == (1, PINNED)
    assert {"imported_at", "started_at", "finished_at"} == VOLATILE


def test_the_order_of_writing_does_not_matter(graph: Graph, base: str) -> None:
    graph.autocommit("schema/wipe")
    run(graph, BASE[3], BASE[1], BASE[0], BASE[2])
    assert digest(graph) == base
    assert len(base) == 64
    assert int(base, 16) > 0


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (a {key: 'en/a'}) SET a.text = 'A'",
        "MATCH (a {key: 'en/a'}) SET a:Event",
        "MATCH (a {key: 'en/a'}) REMOVE a.language",
        "MATCH ()-[r:IS_A]->() SET r.weight = 1",
        "MATCH ()-[r:IS_A]->() SET r.source = 't'",
        "MATCH ()-[r:IS_A]->() DELETE r",
        "MATCH (a)-[r:IS_A]->(b) CREATE (a)-[s:IS_A]->(b) SET s = properties(r)",
        "MATCH (a)-[r:IS_A]->(b) CREATE (a)-[s:PART_OF]->(b) SET s = properties(r) DELETE r",
        "MATCH (a)-[r:IS_A]->(b) CREATE (b)-[s:IS_A]->(a) SET s = properties(r) DELETE r",
        "CREATE (:Concept {key: 'en/c'})",
        "MATCH (s:Source) SET s.files = ['x', 'x']",
    ],
)
def test_every_difference_changes_it(graph: Graph, base: str, change: str) -> None:
    run(graph, change)
    assert digest(graph) != base


def test_when_it_was_loaded_does_not_change_it(graph: Graph, base: str) -> None:
    run(graph, "MATCH (s:Source) SET s.imported_at = datetime('2030-01-01')")
    assert digest(graph) == base
