"""What people use py2neo for, beside harmgraph on the same server: objects, and a query as a data frame.

Its bulk writes are in ``bench_load``, and its data frame as edges of a graph for training in ``bench_subgraph``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pandas as pd

from harmgraph.graph.py2neo_graph import py2neo_graph
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.knowledge_base import open as knowledge_base
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh

if TYPE_CHECKING:
    import py2neo

OBJECTS, ROWS = 2_000, 100_000
QUERY = f"UNWIND range(1, {ROWS}) AS n RETURN n, toString(n) AS text, n / 7.0 AS number"
Edges = list[tuple[str, str]]


def bench(setting: Setting, figures: Figures) -> None:
    """The best of three runs of each; writes go into an empty store."""
    few = OBJECTS // 10 if setting.quick else OBJECTS
    edges = [(f"c {number}", f"c {number + 1}") for number in range(few)]
    ways: dict[str, Callable[[KnowledgeBase, py2neo.Graph, Edges], None]] = {
        "py2neo, merge of each relationship": _merged,
        "py2neo, merge of one subgraph": _merged_at_once,
        "load_frame": _loaded,
    }
    best: dict[str, float] = {}
    for _ in range(1 if setting.quick else 3):
        for name, way in ways.items():
            fresh()
            with knowledge_base(progress=False) as kb:
                notebook = py2neo_graph()
                notebook.run("RETURN 1")
                kb.sources()
                seconds = timed(lambda way=way, kb=kb, notebook=notebook: way(kb, notebook, edges))[0]
                (found,) = kb.cypher("MATCH (:Concept)-[r:IS_A]->(:Concept) RETURN count(r) AS edges")["edges"]
                assert found == few, f"{name}: {found}"
            best[name] = min(seconds, best.get(name, seconds))
    for name, seconds in best.items():
        figures.add(f"{few:,} edges: {name}", seconds, "s")
    with knowledge_base(progress=False) as kb:
        notebook = py2neo_graph()
        tables = {
            "py2neo, to_data_frame": lambda: notebook.run(QUERY).to_data_frame(),
            "kb.cypher": lambda: kb.cypher(QUERY),
        }
        for name, read in tables.items():
            assert read().shape == (ROWS, 3)
            figures.add(f"{ROWS:,} rows as a data frame: {name}", min(timed(read)[0] for _ in range(3)), "s")


def _objects(edges: Edges) -> list[py2neo.Relationship]:
    import py2neo

    nodes = {
        text: py2neo.Node("Concept", key=f"en/{text}", text=text, language="en") for edge in edges for text in edge
    }
    return [py2neo.Relationship(nodes[head], "IS_A", nodes[tail], source="frame", assertion="") for head, tail in edges]


def _merged(_: KnowledgeBase, notebook: py2neo.Graph, edges: Edges) -> None:
    for each in _objects(edges):
        notebook.merge(each, "Concept", "key")


def _merged_at_once(_: KnowledgeBase, notebook: py2neo.Graph, edges: Edges) -> None:
    import py2neo

    every = _objects(edges)
    nodes = {node["key"]: node for each in every for node in each.nodes}
    notebook.merge(py2neo.Subgraph(nodes.values(), every), "Concept", "key")


def _loaded(kb: KnowledgeBase, _: py2neo.Graph, edges: Edges) -> None:
    frame = pd.DataFrame({"head": [head for head, _ in edges], "relation": "IsA", "tail": [tail for _, tail in edges]})
    kb.load_frame(frame, source="frame")
