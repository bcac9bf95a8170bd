"""A source is aligned into another one, with the forms that a third one has."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import parse
from harmgraph.loader.alignment.align import align_source
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.aser import write_aser

EDGES = parse(
    "edges",
    "MATCH (h:Event)-[r]->(t:Event) WHERE r.source = $source "
    "RETURN h.text AS head, type(r) AS type, t.text AS tail, r.head_text AS said ORDER BY head, type, tail",
)


def load(graph: Graph, name: str, path: Path, source: str, **options: object) -> None:
    pipeline.load(graph, Plan(importers.get(name), (path,), source, options=options))


def edges(graph: Graph, source: str) -> list[tuple[str, str, str]]:
    return [(row["head"], row["type"], row["tail"]) for row in graph.rows(EDGES, source=source)]


@pytest.fixture
def atomic(tmp_path: Path) -> Path:
    path = tmp_path / "atomic.txt"
    lines = ["PersonX works\txWant\tto rest", "PersonX works\txWant\tto eat", "PersonX works\txReact\ttired"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def both(graph: Graph, atomic: Path, tmp_path: Path) -> Graph:
    """ATOMIC, and an ASER in which people rest and want to eat."""
    load(graph, "atomic", atomic, "atomic")
    words = [("i work", "s-v", 1.0), ("i rest", "s-v", 1.0), ("i want to eat", "s-v-v", 1.0), ("i eat", "s-v", 1.0)]
    links = [(0, 1, {"Precedence": 1.0}), (2, 3, {"Result": 2.0})]
    load(graph, "aser", write_aser(tmp_path / "KG.db", words, links), "aser")
    return graph


def test_the_form_of_a_tail_that_the_other_source_has_is_kept(both: Graph) -> None:
    report = align_source(both, "atomic", "aligned", to="aser")
    assert edges(both, "aligned") == [
        ("personx work", "X_REACT", "personx be tired"),
        ("personx work", "X_WANT", "personx rest"),
        ("personx work", "X_WANT", "personx want to eat"),
    ]
    assert (report.read, report.triples, report.shortened, report.left_out) == (3, 3, 1, {})
    assert both.rows(EDGES, source="aligned")[0]["said"] == "PersonX works"


def test_without_another_source_the_longer_form_is_kept(both: Graph) -> None:
    align_source(both, "atomic", "aligned")
    assert ("personx work", "X_WANT", "personx want to rest") in edges(both, "aligned")


def test_a_second_time_changes_nothing_and_another_goal_leaves_nothing_stale(both: Graph) -> None:
    align_source(both, "atomic", "aligned")
    align_source(both, "atomic", "aligned", to="aser")
    first = digest(both)
    align_source(both, "atomic", "aligned", to="aser")
    assert digest(both) == first
    assert ("personx work", "X_WANT", "personx want to rest") not in edges(both, "aligned")


def test_conceptnet_gets_subjects_and_only_its_relations_between_events_stay(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "cn.txt"
    lines = ["Causes\tget exercise\tride bicycle", "IsA\tdog\tanimal", "Causes\tbelief\ttrust"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    load(graph, "conceptnet100k", path, "cn")
    report = align_source(graph, "cn", "cn-aligned")
    assert edges(graph, "cn-aligned") == [("personx get exercise", "CAUSES", "personx ride bicycle")]
    assert report.left_out == {"relation that is not between events": 1, "noun phrase": 1}
    assert sources.facts(graph, "cn-aligned")["importer"] == "align"


def test_what_was_loaded_as_written_is_aligned(graph: Graph, atomic: Path) -> None:
    load(graph, "atomic", atomic, "raw", as_written=True)
    assert ("personx works", "X_REACT", "tired") in edges(graph, "raw")
    align_source(graph, "raw", "aligned")
    assert ("personx work", "X_REACT", "personx be tired") in edges(graph, "aligned")


class TestErrors:
    def test_a_source_that_is_not_there(self, graph: Graph) -> None:
        with pytest.raises(NotFound, match="atomic"):
            align_source(graph, "atomic", "aligned")

    def test_the_name_of_another_source(self, both: Graph) -> None:
        with pytest.raises(BadName, match="cannot be aligned into itself"):
            align_source(both, "atomic", "atomic")
        with pytest.raises(BadName, match="was loaded from files"):
            align_source(both, "atomic", "aser")

    def test_a_source_without_events(self, graph: Graph, tmp_path: Path) -> None:
        path = tmp_path / "cn.txt"
        path.write_text("IsA\tdog\tanimal\n", encoding="utf-8")
        load(graph, "conceptnet100k", path, "cn")
        with pytest.raises(InputError, match=r"none of the 1 triples of cn is between events \(1 relation"):
            align_source(graph, "cn", "aligned")
        assert sources.find(graph, "aligned") is None
