"""What a notebook does with py2neo against this graph, and what does not work, as docs/py2neo.md says."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.py2neo_graph import py2neo_graph

py2neo = pytest.importorskip("py2neo", reason="py2neo is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # py2neo itself uses what Python deprecates


@pytest.fixture
def notebook(graph: Graph, address: Address) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = py2neo_graph(address)
        yield made
        made.service.connector.close()


def test_queries(notebook: Any) -> None:
    notebook.run("CREATE (:Concept {key: $key, text: $text})", key="en/lawyer", text="lawyer")
    assert notebook.evaluate("MATCH (c:Concept) RETURN c.text") == "lawyer"
    assert notebook.run("MATCH (c:Concept) RETURN c.key AS key").data() == [{"key": "en/lawyer"}]


def test_data_frames(notebook: Any) -> None:
    notebook.run("UNWIND range(1, 3) AS n CREATE (:Concept {key: 'en/' + n})")
    frame = notebook.run("MATCH (c:Concept) RETURN c.key AS key ORDER BY key").to_data_frame()
    assert list(frame["key"]) == ["en/1", "en/2", "en/3"]


def test_objects(notebook: Any) -> None:
    lawyer = py2neo.Node("Concept", key="en/lawyer", text="lawyer")
    person = py2neo.Node("Concept", key="en/person", text="person")
    notebook.create(py2neo.Relationship(lawyer, "IS_A", person, source="s", assertion=""))
    found = notebook.nodes.match("Concept", text="lawyer").first()
    assert found["key"] == "en/lawyer"
    found["text"] = "a lawyer"
    notebook.push(found)
    assert notebook.evaluate("MATCH (c {key: 'en/lawyer'})-[r:IS_A]->() RETURN c.text + r.source") == "a lawyers"


def test_bulk_writes(notebook: Any) -> None:
    from py2neo.bulk import merge_nodes, merge_relationships

    keys = [[f"en/{number}"] for number in range(100)]
    for _ in range(2):
        merge_nodes(notebook.auto(), keys, ("Concept", "key"), keys=["key"])
        merge_relationships(
            notebook.auto(),
            [(f"en/{number}", ["s"], f"en/{number + 1}") for number in range(99)],
            ("IS_A", "source"),
            start_node_key=("Concept", "key"),
            end_node_key=("Concept", "key"),
            keys=["source"],
        )
    assert notebook.evaluate("MATCH (:Concept)-[r:IS_A]->() RETURN count(r)") == 99


def test_schema_calls_do_not_work(notebook: Any) -> None:
    with pytest.raises(py2neo.ClientError):
        notebook.schema.create_uniqueness_constraint("Concept", "text")
