"""The style is one thing in two forms."""

from __future__ import annotations

import re

from harmgraph.graph.browser.style import NODES, grass, style
from harmgraph.graph.schema import NODES as SCHEMA_NODES
from harmgraph.graph.schema import RESERVED_TYPES


def test_the_file_says_what_the_object_says() -> None:
    read = {}
    for selector, body in re.findall(r'([\w.]+) \{\n((?:  [\w-]+: (?:"[^"]*"|[^;]+);\n)+)\}', grass()):
        pairs = (line.strip().rstrip(";").split(": ") for line in body.splitlines())
        read[selector] = {name: value.strip('"') for name, value in pairs}
    assert read == style()


def test_every_caption_is_a_property_of_its_label() -> None:
    known = {node.label: {each.name for each in node.properties} for node in SCHEMA_NODES}
    assert [node.label for node in NODES if not set(node.caption) <= known[node.label]] == []


def test_an_entity_without_a_name_shows_its_key() -> None:
    """What a node lacks is left out of its caption by Neo4j Browser."""
    assert style()["node.Entity"]["caption"] == "{name} {key}"


def test_every_relationship_type_of_our_own_has_a_rule() -> None:
    assert {f"relationship.{kind}" for kind in RESERVED_TYPES} <= set(style())


def test_what_a_reader_must_tell_apart_differs_in_colour_and_size() -> None:
    shown = [node for node in NODES if node.meaning]
    assert len({node.colour for node in shown}) == len(shown)
    assert len({node.diameter for node in shown}) == len(shown)
