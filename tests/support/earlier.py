"""Graphs as earlier releases made them, from recipes that are checked in."""

from __future__ import annotations

from pathlib import Path

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse

FIRST = Path(__file__).with_name("first_form.cypher")
FORGET = parse("forget", "MATCH (s:Schema) DELETE s")


def make_first_form(graph: Graph) -> None:
    """Fills an empty graph as the first harmgraph did, before its form had a number: targets had no language and no title."""
    graph.write(FORGET)
    for text in FIRST.read_text(encoding="utf-8").split(";\n"):
        if text.strip():
            graph.write(parse("recipe", text))
