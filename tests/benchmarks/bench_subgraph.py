"""From Neo4j to a DGL graph, beside py2neo's data frame and the driver's records, which still have to become one."""

from __future__ import annotations

import importlib.util

from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.subgraph.reader import read_subgraph
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh

EDGES = (
    "MATCH (h:Concept)-[r]->(t:Concept) WHERE r.source = 'generated' "
    "RETURN h.key AS head, type(r) AS relation, t.key AS tail, r.split AS split"
)


def bench(setting: Setting, figures: Figures) -> None:
    """The best of some runs of each, one after the other."""
    path = setting.folder / f"{setting.edges}.tsv"
    write_triples(path, setting.edges)
    fresh()
    with Graph.open() as graph:
        pipeline.load(graph, Plan(importers.get("triples"), (path,), "generated"))
        figures.add("edges", setting.edges, "")

        def records() -> int:
            return len(graph.driver.execute_query(EDGES, database_=graph.address.database).records)

        def arrays() -> int:
            return len(read_subgraph(graph, "generated", cache=False))

        def dgl_graph() -> int:
            return int(read_subgraph(graph, "generated", cache=False).dgl().num_edges())

        contestants = {"subgraph as arrays": arrays, "DGL graph": dgl_graph, "execute_query into records": records}
        if importlib.util.find_spec("py2neo"):
            from harmgraph.graph.py2neo_graph import py2neo_graph

            notebook = py2neo_graph()
            contestants["py2neo, run(...).to_data_frame()"] = lambda: len(notebook.run(EDGES).to_data_frame())
        best: dict[str, float] = {}
        for _ in range(1 if setting.quick else 2):
            for name, work in contestants.items():
                seconds, edges = timed(work)
                assert edges == setting.edges, f"{name}: {edges}"
                best[name] = min(seconds, best.get(name, seconds))
        for name, seconds in best.items():
            figures.add(name, seconds, "s")
        for name in list(contestants)[2:]:
            figures.add(f"{name} / DGL graph", best[name] / best["DGL graph"], "x", "5")
        read_subgraph(graph, "generated")
        figures.add("DGL graph, kept on disk", timed(lambda: read_subgraph(graph, "generated").dgl())[0], "s")
