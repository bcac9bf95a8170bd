"""NAMES and ABOUT follow the target lists, whole words only, and no link outlives its reason."""

from __future__ import annotations

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.linker import Links
from harmgraph.graph.records import Concept, Entity, Import, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.writer import Writer

LINKS = parse(
    "links",
    "MATCH (n)-[l:NAMES|ABOUT]->(t:Target) RETURN coalesce(n.text, n.key) AS who, type(l) AS type, t.name AS target "
    "ORDER BY who, target",
)
RECORDS = [
    Triple(Concept("nurse"), "IsA", Concept("nurses")),
    Triple(Concept("male nurse"), "IsA", Concept("nurse", "de")),
    Statement("Nurses care.", "nurses"),
    Statement("Nurses are kind.", ""),
    Statement("A nurse in a text is not annotated.", "hospital"),
]


def load(graph: Graph, *targets: Target, listed: str = "list") -> None:
    for name, records in (("kb", RECORDS), (listed, targets)):
        writer = Writer(graph, Import(name, "1"))
        for record in records:
            writer.add(record)  # type: ignore[arg-type]
        writer.flush()


def links(graph: Graph) -> list[tuple[str, ...]]:
    return [tuple(row.values()) for row in graph.rows(LINKS)]


def test_only_the_whole_text_names_a_target(graph: Graph) -> None:
    load(graph, Target("nurse", "profession"))
    assert linker.link(graph) == Links(1, 0)
    assert links(graph) == [("nurse", "NAMES", "nurse")]


def test_a_listed_alias_names_it_too_and_an_annotated_term_makes_it_the_topic(graph: Graph) -> None:
    load(graph, Target("nurse", "profession", aliases=("nurses",)))
    assert linker.link(graph) == Links(2, 1)
    assert links(graph) == [
        ("Nurses care.", "ABOUT", "nurse"),
        ("nurse", "NAMES", "nurse"),
        ("nurses", "NAMES", "nurse"),
    ]


def test_an_entity_names_a_target_by_its_whole_name(graph: Graph) -> None:
    load(graph, Target("nurse", "profession", aliases=("health visitor",)))
    writer = Writer(graph, Import("entities", "1"))
    named = {"Q1": "Nurse", "Q2": "Health  visitor", "Q3": "male nurse", "Q4": ""}
    for key, name in named.items():
        writer.add(Triple(Entity(f"wikidata/{key}", name), "P31", Entity("wikidata/Q5")))
    writer.flush()
    assert linker.link(graph) == Links(1, 0, 2)
    assert links(graph)[1:] == [("wikidata/Q1", "NAMES", "nurse"), ("wikidata/Q2", "NAMES", "nurse")]
    whole = digest(graph)
    assert linker.link(graph) == Links(1, 0, 2)
    assert digest(graph) == whole
    load(graph, Target("nurse", "profession", aliases=("male nurse",)))
    assert linker.link(graph).entities == 2
    assert [who for who, _, _ in links(graph)] == ["male nurse", "nurse", "wikidata/Q1", "wikidata/Q3"]


def test_an_entity_that_loses_its_name_loses_its_link(graph: Graph) -> None:
    load(graph, Target("nurse", "profession"))
    for import_id, name in (("1", "nurse"), ("2", "")):
        writer = Writer(graph, Import("entities", import_id), renews_names=True)
        writer.add(Triple(Entity("wikidata/Q1", name), "P31", Entity("wikidata/Q5")))
        writer.flush()
        assert linker.link(graph).entities == (import_id == "1")


def test_two_targets_may_share_a_name(graph: Graph) -> None:
    load(graph, Target("nurse", "profession"), Target("nurses", "group", aliases=("nurse",)))
    assert linker.link(graph) == Links(3, 1)


def test_linking_again_changes_nothing(graph: Graph) -> None:
    load(graph, Target("nurse", "profession", aliases=("nurses",)))
    linker.link(graph)
    whole = digest(graph)
    assert linker.link(graph) == Links(2, 1)
    assert digest(graph) == whole


@pytest.mark.parametrize(
    "gone", [Target("nurse", "profession"), Target("nurse", "profession", aliases=("male nurse",))]
)
def test_a_link_goes_with_the_name_that_made_it(graph: Graph, gone: Target) -> None:
    load(graph, Target("nurse", "profession", aliases=("nurses",)))
    linker.link(graph)
    load(graph, gone)
    linker.link(graph)
    assert {(who, target) for who, _, target in links(graph)} == {(name, "nurse") for name in gone.names}


def test_without_targets_nothing_is_linked(graph: Graph) -> None:
    load(graph)
    assert linker.link(graph) == Links(0, 0)


def test_a_sentence_without_a_term_is_about_nobody(graph: Graph) -> None:
    load(graph, Target("nurses", "profession"))
    assert linker.link(graph) == Links(1, 1)
