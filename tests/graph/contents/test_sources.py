"""What is loaded: begin, finish, sweep, drop, and what changed since the import before."""

from __future__ import annotations

from typing import Any

import pytest

from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.sources import Counts
from harmgraph.graph.records import Concept, Import, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.writer import Writer

FACTS = {"version": "1", "files": ["a.tsv"], "options": "{}"}
OLD, NEW, OTHER = Import("kb", "old", 1), Import("kb", "new", 2), Import("other", "x")

Records = list[Triple | Statement | Target]


def triple(head: str, relation: str, tail: str) -> Triple:
    return Triple(Concept(head), relation, Concept(tail))


BEFORE: Records = [triple("a", "IsA", "b"), triple("a", "IsA", "c"), triple("c", "HasA", "d"), Statement("A.", "a")]
AFTER: Records = [triple("a", "IsA", "b"), triple("a", "IsA", "e"), triple("a", "IsA", "f"), Statement("B.", "a")]


def load(graph: Graph, mark: Import, records: Records) -> int:
    standing = sources.begin(graph, mark, FACTS)
    writer = Writer(graph, mark)
    for record in records:
        writer.add(record)
    writer.flush()
    removed = sources.sweep(graph, mark) if standing == "other" else 0
    counts = sources.count(graph, mark)
    sources.finish(graph, mark, counts.saved(), counts.saved())
    return removed


def texts(graph: Graph) -> list[str]:
    return [row["text"] for row in graph.rows(parse("texts", "MATCH (c:Concept) RETURN c.text AS text ORDER BY text"))]


def test_a_source_tells_what_it_is(graph: Graph) -> None:
    assert load(graph, OLD, BEFORE) == 0
    facts = sources.facts(graph, "kb")
    assert facts["state"] == "complete"
    assert facts["files"] == ["a.tsv"]
    counts = {"relations": {"HAS_A": 1, "IS_A": 2}, "sentences": 1, "targets": 0}
    assert facts["counts"] == {**counts, "statements": 4}, "a triple is a statement too"
    assert "previous" not in facts
    assert sources.names(graph) == ["kb"]
    assert sources.every(graph) == [facts]


def test_an_import_that_did_not_end_is_told_from_one_that_did(graph: Graph) -> None:
    sources.begin(graph, OLD, FACTS)
    assert sources.facts(graph, "kb")["state"] == "loading"


def test_a_newer_import_removes_what_it_lacks_and_nothing_of_others(graph: Graph) -> None:
    load(graph, OTHER, [triple("c", "HasA", "d")])
    load(graph, OLD, BEFORE)
    assert load(graph, NEW, AFTER) == 3
    assert texts(graph) == ["a", "b", "c", "d", "e", "f"]
    assert sources.count(graph, NEW) == Counts({"IS_A": 3}, 1, 0, 3)
    assert sources.count(graph, OTHER) == Counts({"HAS_A": 1}, 0, 0, 1)


def test_what_changed_is_told_per_relation(graph: Graph) -> None:
    load(graph, OLD, BEFORE)
    load(graph, NEW, AFTER)
    rows = sources.difference(graph, sources.facts(graph, "kb"))
    assert [tuple(row.values()) for row in rows] == [
        ("HasA", 1, 0, 0, 1),
        ("IsA", 2, 3, 2, 1),
        ("(sentences)", 1, 1, 1, 1),
        ("(all)", 4, 4, 3, 3),
    ]


def test_the_import_before_is_the_last_complete_one(graph: Graph) -> None:
    load(graph, OLD, BEFORE)
    sources.begin(graph, Import("kb", "broken off"), FACTS)
    load(graph, NEW, AFTER)
    assert sources.facts(graph, "kb")["previous"]["relations"] == {"HAS_A": 1, "IS_A": 2}


def test_the_same_import_again_changes_nothing_at_all(graph: Graph) -> None:
    load(graph, OLD, BEFORE)
    load(graph, NEW, AFTER)
    whole = digest(graph)
    facts = sources.facts(graph, "kb")
    assert load(graph, NEW, AFTER) == 0
    assert digest(graph) == whole
    assert sources.facts(graph, "kb") == facts


def test_dropping_a_source_leaves_what_others_have(graph: Graph) -> None:
    load(graph, OTHER, [triple("c", "HasA", "d")])
    alone = digest(graph)
    load(graph, OLD, [*BEFORE, Target("a", "origin")])
    assert sources.drop(graph, "kb") == 5
    assert digest(graph) == alone


def test_dropping_the_last_source_leaves_no_concept_and_no_relation(graph: Graph) -> None:
    load(graph, OLD, BEFORE)
    sources.drop(graph, "kb")
    assert digest(graph) == "0" * 64


@pytest.mark.parametrize("name", ["kbb", "", "kb'}) DETACH DELETE n //"])
def test_a_source_that_is_not_there(graph: Graph, name: str) -> None:
    load(graph, OLD, BEFORE)
    whole = digest(graph)
    for ask in (sources.facts, sources.drop):
        with pytest.raises(NotFound) as caught:
            ask(graph, name)
        assert "kb" in str(caught.value)
    assert digest(graph) == whole


def test_a_type_that_was_emptied_counts_no_more(graph: Graph) -> None:
    load(graph, OLD, BEFORE)
    load(graph, NEW, AFTER)
    assert "HAS_A" not in sources.graph_types(graph)
    relations: list[dict[str, Any]] = graph.rows(parse("relations", "MATCH (r:Relation) RETURN r.type AS type"))
    assert relations == [{"type": "IS_A"}]
