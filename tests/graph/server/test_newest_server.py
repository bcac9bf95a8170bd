"""The newest server of Maven Central, where Cypher 25 is the language of every statement that names none.

Neo4j writes that language into ``neo4j.conf`` since 2026.02. The server gets a store that the embedded one wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import names, parse, statement
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.default_targets import ensure
from harmgraph.loader.loading.pipeline import load
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.subgraph.reader import read_subgraph
from tests.support import own_server
from tests.support.explained import explained

NEWEST = "2026.08.1"
"""The newest there in November 2026."""
SAMPLE = Path(str(resources.files("harmgraph.loader").joinpath("sample", "conceptnet.csv")))
LET = parse("let", "LET x = 1 RETURN x")  # words that Cypher 5 does not know

pytestmark = pytest.mark.long


@dataclass(frozen=True, slots=True)
class Moved:
    """A graph in the newest server, and what the embedded server said of it before."""

    graph: Graph
    digest: str
    subgraph: str


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Moved]:
    folder = tmp_path_factory.mktemp("newest") / "neo4j"
    with own_server.start(folder) as server, Graph.open(server.address) as graph:
        ensure(graph)
        load(graph, plan("kb"))
        assert label(graph, scorers.get("vader"), source="kb").written
        before = digest(graph), read_subgraph(graph, "kb", cache=False).digest
    jars = own_server.jars_of(NEWEST)
    with own_server.start(folder, jars=jars) as server, Graph.open(server.address) as graph:
        with graph.driver.session(database="system") as system:  # the setting is for databases that are made anew
            system.run("ALTER DATABASE neo4j SET DEFAULT LANGUAGE CYPHER 25").consume()
        yield Moved(graph, *before)


def plan(source: str) -> Plan:
    return Plan(importers.get("conceptnet"), (SAMPLE,), source)


def test_a_store_of_the_embedded_server_opens_there_and_is_the_same_graph(moved: Moved) -> None:
    assert moved.graph.rows("schema/version")[0]["version"] == NEWEST
    assert digest(moved.graph) == moved.digest


def test_every_statement_is_understood_in_cypher_25(moved: Moved) -> None:
    assert moved.graph.rows(LET) == [{"x": 1}]
    for name in names():
        assert explained(moved.graph, name) == [column.name for column in statement(name).columns], name


def test_a_subgraph_is_read_by_the_ids_of_nodes(moved: Moved) -> None:
    """``id()`` is deprecated, and Cypher 25 has it: docs/decisions/0008-subgraphs-by-node-id.md."""
    assert read_subgraph(moved.graph, "kb", cache=False).digest == moved.subgraph


def test_a_load_and_its_labels_are_written_there(moved: Moved) -> None:
    assert load(moved.graph, plan("again")).in_graph == load(moved.graph, plan("kb")).in_graph
    assert label(moved.graph, scorers.get("vader"), source="again").written
