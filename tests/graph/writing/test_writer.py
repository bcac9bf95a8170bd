"""The writer: one relationship a triple, one node a key, the same twice, in bounded batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.connection import Graph, Written
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Concept, Entity, Import, Statement, Target, Triple
from harmgraph.graph.statements import CypherStatement as Cypher
from harmgraph.graph.statements import parse, statement
from harmgraph.graph.writing import batches, known_nodes
from harmgraph.graph.writing import writer as writer_module
from harmgraph.graph.writing.writer import Writer

A, B, C = Concept("a"), Concept("b"), Concept("c")
ONE, TWO = Import("kb", "1"), Import("kb", "2")

TRIPLES = parse(
    "triples",
    "MATCH (h)-[r]->(t) RETURN h.key AS head, type(r) AS type, t.key AS tail, properties(r) AS properties "
    "ORDER BY head, type, tail, r.assertion",
)
COUNT = parse("count", "MATCH (n) WHERE $label IN labels(n) RETURN count(n) AS n")


def write(graph: Graph, mark: Import, records: Iterable[Triple | Statement | Target], *properties: str) -> Writer:
    writer = Writer(graph, mark, properties, phrase=lambda relation: f"phrase of {relation}")
    for record in records:
        writer.add(record)
    writer.flush()
    return writer


def triples(graph: Graph) -> list[dict[str, Any]]:
    return graph.rows(TRIPLES)


def test_a_triple_is_a_typed_relationship_between_its_ends(graph: Graph) -> None:
    write(graph, ONE, [Triple(A, "/r/IsA", B, "/a/1", {"weight": 2.0})], "weight")
    properties = {"source": "kb", "import_id": "1", "since": 1, "assertion": "/a/1", "weight": 2.0}
    assert triples(graph) == [{"head": "en/a", "type": "IS_A", "tail": "en/b", "properties": properties}]


def test_a_relation_is_kept_with_its_own_name_and_phrase(graph: Graph) -> None:
    write(graph, ONE, [Triple(A, "/r/IsA", B), Triple(A, "xWant", B)])
    rows = graph.rows(parse("relations", "MATCH (r:Relation) RETURN properties(r) AS r ORDER BY r.type"))
    assert [row["r"] for row in rows] == [
        {"type": "IS_A", "name": "/r/IsA", "template": "phrase of /r/IsA", "source": "kb"},
        {"type": "X_WANT", "name": "xWant", "template": "phrase of xWant", "source": "kb"},
    ]


def test_the_same_records_twice_are_the_same_graph(graph: Graph) -> None:
    records: list[Triple | Statement | Target] = [
        Triple(A, "IsA", B),
        Statement("A is b.", "a"),
        Target("a", "origin"),
        Triple(A, "IsA", Entity("x/1", "X")),
    ]
    write(graph, ONE, records)
    first = digest(graph)
    write(graph, ONE, [*records, *reversed(records)])
    assert digest(graph) == first


def test_one_relationship_for_each_source_and_assertion(graph: Graph) -> None:
    write(graph, ONE, [Triple(A, "IsA", B), Triple(A, "IsA", B, "/a/1"), Triple(A, "IsA", B, "/a/2")])
    write(graph, Import("other", "9"), [Triple(A, "IsA", B)])
    found = sorted((row["properties"]["source"], row["properties"]["assertion"]) for row in triples(graph))
    assert found == [("kb", ""), ("kb", "/a/1"), ("kb", "/a/2"), ("other", "")]
    assert graph.rows(COUNT, label="Concept") == [{"n": 2}]


def test_a_later_import_marks_what_it_sees_and_keeps_labels(graph: Graph) -> None:
    write(graph, ONE, [Triple(A, "IsA", B, "", {"weight": 1.0, "dataset": "old"})], "weight", "dataset")
    graph.write(parse("label", "MATCH ()-[r:IS_A]->() SET r.sentiment = 'negative'"))
    write(graph, TWO, [Triple(A, "IsA", B, "", {"weight": 3.0})], "weight", "dataset")
    [row] = triples(graph)
    assert row["properties"] == {
        "source": "kb",
        "import_id": "2",
        "since": 1,
        "assertion": "",
        "weight": 3.0,
        "sentiment": "negative",
    }


def test_entities_and_concepts_of_one_text_stay_apart(graph: Graph) -> None:
    write(graph, ONE, [Triple(Concept("x"), "IsA", Entity("wikidata/Q1", "x")), Triple(Concept("x", "de"), "IsA", A)])
    assert graph.rows(COUNT, label="Concept") == [{"n": 3}]
    assert graph.rows(COUNT, label="Entity") == [{"n": 1}]


def test_an_entity_takes_its_newest_name(graph: Graph) -> None:
    write(graph, ONE, [Triple(Entity("wikidata/Q1", "old"), "P1", A)])
    write(graph, ONE, [Triple(Entity("wikidata/Q1", "new"), "P1", A)])
    assert graph.rows(parse("names", "MATCH (e:Entity) RETURN e.name AS name")) == [{"name": "new"}]


def test_a_concept_can_be_its_own_tail(graph: Graph) -> None:
    write(graph, ONE, [Triple(A, "IsA", A)])
    assert [(row["head"], row["tail"]) for row in triples(graph)] == [("en/a", "en/a")]


def test_a_target_of_another_list_keeps_its_category_and_is_counted(graph: Graph) -> None:
    write(graph, Import("first", "1"), [Target("nurse", "profession", "Nurse", ("nurses",))])
    writer = write(graph, Import("second", "2"), [Target("nurse", "job"), Target("twin", "family")])
    assert writer.kept_by_other_list == 1
    rows = graph.rows("explore/targets")
    assert [(row["target"], row["category"], row["aliases"], row["source"]) for row in rows] == [
        ("twin", "family", [], "second"),
        ("nurse", "profession", ["nurses"], "first"),
    ]


def test_a_relation_that_gives_no_type_never_reaches_the_server(graph: Graph) -> None:
    writer = Writer(graph, ONE)
    with pytest.raises(BadName):
        writer.add(Triple(A, "`", B))
    assert graph.rows("schema/counts")[0]["nodes"] == 0


class Counting(Graph):
    """The real graph, with the sizes of the batches that were sent."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.driver, graph.address)
        self.sent: list[tuple[str, int]] = []

    def write(self, query: str | Cypher, **parameters: Any) -> Written:
        name = query if isinstance(query, str) else query.name
        self.sent.append((name, len(parameters["rows"])))
        return super().write(query, **parameters)

    def write_together(
        self,
        writes: Sequence[tuple[Cypher, Mapping[str, Any]]],
        *,
        guard: tuple[Cypher, Mapping[str, Any]] | None = None,
    ) -> None:
        self.sent.append(("together", sum(len(parameters["rows"]) for _, parameters in writes)))
        super().write_together(writes, guard=guard)


def small(monkeypatch: pytest.MonkeyPatch, batch: int, known: int) -> None:
    for module in (batches, writer_module):
        monkeypatch.setattr(module, "BATCH", batch)
    monkeypatch.setattr(batches, "FIRST_BATCH", batch)
    monkeypatch.setattr(known_nodes, "RECENT", known)
    monkeypatch.setattr(known_nodes, "OLDER", 3 * known)


def test_no_batch_is_larger_than_the_limit_and_memory_is_bounded(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, batch=10, known=12)
    counting = Counting(graph)
    records = [Triple(Concept(f"h{n % 40}"), f"R{n % 7}", Concept(f"t{n % 50}"), str(n)) for n in range(210)]
    writer = Writer(counting, ONE)
    for record in records:
        writer.add(record)
        assert writer._gathered._waiting < 10
    writer.flush()
    assert max(rows for _, rows in counting.sent) <= 10
    assert sum(rows for name, rows in counting.sent if name == "together") == 210
    assert len(triples(graph)) == 210
    assert graph.rows(COUNT, label="Concept") == [{"n": 90}]


def test_small_batches_give_the_graph_of_large_ones(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[Triple | Statement | Target] = []
    for n in range(60):
        records += [Triple(Concept(f"h{n % 9}"), f"R{n % 3}", Concept(f"t{n}")), Statement(f"S {n % 20}.", f"h{n % 9}")]
    records += [Target(f"h{n}", "origin") for n in range(9)]
    write(graph, ONE, records)
    whole = digest(graph)
    graph.autocommit("schema/wipe")
    small(monkeypatch, batch=4, known=5)
    write(graph, ONE, records)
    assert digest(graph) == whole


def test_a_batch_whose_answer_was_lost_is_not_created_twice(graph: Graph) -> None:
    graph.write("source/begin", name=ONE.source, import_id=ONE.import_id, generation=1, facts={})
    ends = [Concept("a"), Concept("b")]
    ids = graph.write("load/concepts", rows=[[end.key, end.text, end.language] for end in ends]).rows[0]["ids"]
    rows = [[ids[0][1], ids[1][1], "", None]]
    new = statement("load/new_triples").with_type("IS_A"), {"rows": rows, "source": ONE.source, "import_id": "1"}
    for number, standing in ((1, 1), (1, 1), (2, 2)):
        graph.write_together([new], guard=(statement("load/batch"), {"source": ONE.source, "batch": number}))
        assert len(triples(graph)) == standing


def test_an_empty_source_gets_the_graph_that_merging_gives(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[Triple | Statement | Target] = [
        Triple(Concept(f"h{n % 9}"), f"R{n % 3}", Concept(f"t{n % 13}"), properties={"weight": float(n)})
        for n in range(90)
    ]
    graphs = []
    for empty in (True, False):
        graph.write("source/begin", name=ONE.source, import_id=ONE.import_id, generation=1, facts={})
        small(monkeypatch, batch=8, known=5)
        writer = Writer(graph, ONE, ("weight",), empty_source=empty)
        for record in records:
            writer.add(record)
        writer.flush()
        graph.write("source/finish", name=ONE.source, import_id=ONE.import_id, counts="{}", summary="{}")
        graphs.append(sorted(map(str, triples(graph))))
        graph.autocommit("schema/wipe")
    assert graphs[0] == graphs[1]
    assert graphs[0]
