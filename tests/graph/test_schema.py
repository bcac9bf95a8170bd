"""The schema as data agrees with the statements of ``cypher/schema`` and with what the server then has."""

from __future__ import annotations

import re

import pytest

from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.schema import NODES, RELATIONSHIPS, RESERVED_TYPES, VOLATILE, NodeType
from harmgraph.graph.statements import checked_type, names, parse, statement

DECLARED = {(node.label, node.key): "UNIQUENESS" for node in NODES} | {
    (node.label, name): "RANGE" for node in NODES for name in node.indexes
}
CONSTRAINT = re.compile(r"CREATE CONSTRAINT (\w+) IF NOT EXISTS FOR \(n:(\w+)\) REQUIRE n\.(\w+) IS UNIQUE\n")
INDEX = re.compile(r"CREATE INDEX (\w+) IF NOT EXISTS FOR \(n:(\w+)\) ON \(n\.(\w+)\)\n")


def test_cypher_schema_says_the_same() -> None:
    written = {}
    for name in names("schema"):
        if not name.startswith("schema/make_"):
            continue
        text = statement(name).text
        match = CONSTRAINT.fullmatch(text) or INDEX.fullmatch(text)
        assert match, f"{name} is of another form"
        assert match[1] == name.removeprefix("schema/make_") == f"{match[2].lower()}_{match[3]}"
        written[match[2], match[3]] = "UNIQUENESS" if "CONSTRAINT" in text else "RANGE"
    assert written == DECLARED


def test_the_server_has_just_these_and_all_are_online(graph: Graph) -> None:
    schema_setup.apply(graph)
    rows = graph.rows(
        parse(
            "indexes",
            "SHOW INDEXES YIELD labelsOrTypes, properties, owningConstraint, state, type WHERE type = 'RANGE' "
            "RETURN labelsOrTypes[0] AS label, properties[0] AS property, owningConstraint IS NOT NULL AS unique, state",
        )
    )
    assert {(row["label"], row["property"]): "UNIQUENESS" if row["unique"] else "RANGE" for row in rows} == DECLARED
    assert {row["state"] for row in rows} == {"ONLINE"}


def test_only_what_is_missing_is_made(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    schema_setup.apply(graph)
    written: list[str] = []
    write = graph.write
    monkeypatch.setattr(graph, "write", lambda name, **given: (written.append(name), write(name, **given))[1])
    schema_setup.apply(graph)
    assert written == []
    write(parse("drop", "DROP INDEX statement_term"))
    write(parse("drop", "DROP CONSTRAINT lock_name"))
    schema_setup.apply(graph)
    assert written == ["schema/make_lock_name", "schema/make_statement_term"]


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.label)
def test_a_second_node_of_the_same_key_cannot_be(graph: Graph, node: NodeType) -> None:
    label, key = node.label, node.key
    with pytest.raises(Exception, match="already exists"):
        graph.write(parse("twice", f"UNWIND [1, 2] AS n CREATE (x:{label}) SET x.{key} = 'same'"))


def test_the_key_and_the_indexes_are_among_the_properties() -> None:
    for node in NODES:
        declared = [one.name for one in node.properties]
        assert {node.key, *node.indexes} <= set(declared)
        assert len(declared) == len(set(declared)), f"{node.label} declares a property twice"


def test_the_ends_of_relationships_are_labels() -> None:
    labels = {node.label for node in NODES}
    for relationship in RELATIONSHIPS:
        assert set(relationship.start) | set(relationship.end) <= labels


def test_reserved_types_are_those_of_the_platform() -> None:
    assert "*" not in RESERVED_TYPES
    assert {"NAMES", "ABOUT", "PROPOSED"} <= RESERVED_TYPES
    for kind in RESERVED_TYPES:
        assert checked_type(kind) == kind


def test_what_tells_the_time_is_a_declared_property() -> None:
    times = {one.name for node in NODES for one in node.properties if one.type == "ZONED DATETIME"}
    assert times == VOLATILE
