"""``load triples`` against ``py2neo.bulk``: the same data, one server, alternately."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median

from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Triple, relation_type
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh

PY2NEO_BATCH = 10_000
WARM_UP = 100_000
WARM_UPS = 3  # the server is three times as slow before its code is compiled


def bench(setting: Setting, figures: Figures) -> None:
    """First and second load at two sizes, and py2neo's merge of the same edges."""
    _warm_up(setting)
    for edges, rounds in ((setting.few, 5), (setting.edges, 2)):
        path = setting.folder / f"{edges}.tsv"
        write_triples(path, edges)
        _against_py2neo(figures, path, edges, 1 if setting.quick else rounds)


def plan_of(path: Path) -> Plan:
    """The plan of a load of generated triples."""
    return Plan(importers.get("triples"), (path,), "generated")


def _warm_up(setting: Setting) -> None:
    """Compiles the server's code paths for both, so that the first to run does not pay for the other."""
    path = setting.folder / "warm.tsv"
    write_triples(path, min(WARM_UP, setting.few))
    for _ in range(1 if setting.quick else WARM_UPS):
        fresh()
        _ours(path)
        _ours(path)
        fresh()
        _py2neo(path)
        _py2neo(path)


def _against_py2neo(figures: Figures, path: Path, edges: int, rounds: int) -> None:
    """Alternately; of several rounds the median of each contestant, and of the rounds' ratios."""
    seconds: dict[str, list[tuple[float, float]]] = {"first": [], "again": []}
    for _ in range(rounds):
        fresh()
        theirs_first, theirs_again = _py2neo(path), _py2neo(path)
        fresh()
        ours_first, ours_again = _ours(path), _ours(path)
        seconds["first"].append((ours_first, theirs_first))
        seconds["again"].append((ours_again, theirs_again))
    for name, wanted in (("first", "at least 1.6"), ("again", "at least 2.3")):
        ours, theirs = zip(*seconds[name], strict=True)
        ratios = sorted(other / own for own, other in seconds[name])
        figures.add(f"{edges:,} edges, {name}: load triples", edges / median(ours), "edges/s")
        figures.add(f"{edges:,} edges, {name}: py2neo.bulk merge", edges / median(theirs), "edges/s")
        spread = f"{wanted}; {rounds} rounds, {ratios[0]:.2f} to {ratios[-1]:.2f}"
        figures.add(f"{edges:,} edges, {name}: ratio", median(ratios), "x", spread)


def _ours(path: Path) -> float:
    with Graph.open() as graph:
        default_targets.ensure(graph)
        return timed(lambda: pipeline.load(graph, plan_of(path)))[0]


def _py2neo(path: Path) -> float:
    """Seconds from the same file to the same nodes, relationships and properties: read by the same importer, merged by key."""
    import py2neo
    from py2neo.bulk import merge_nodes, merge_relationships

    with Graph.open() as graph:
        address = graph.address
        default_targets.ensure(graph)  # the schema: both find concepts by the same index
    remote = py2neo.Graph(address.uri, auth=(address.username, address.password), name=address.database)
    marks = {"source": "generated", "import_id": "0123456789abcdef", "since": 1}

    def work() -> None:
        nodes: dict[str, list[str]] = {}
        by_type: dict[str, list[tuple[str, dict[str, str], str]]] = defaultdict(list)
        for record in importers.get("triples").records(path):
            if isinstance(record, Triple):
                for end in (record.head, record.tail):
                    if isinstance(end, Concept):
                        nodes[end.key] = [end.key, end.text, end.language]
                properties = {**marks, "assertion": record.assertion}
                by_type[relation_type(record.relation)].append((record.head.key, properties, record.tail.key))
        rows = list(nodes.values())
        for start in range(0, len(rows), PY2NEO_BATCH):
            batch = rows[start : start + PY2NEO_BATCH]
            merge_nodes(remote.auto(), batch, ("Concept", "key"), keys=["key", "text", "language"])
        for kind, edges in by_type.items():
            for start in range(0, len(edges), PY2NEO_BATCH):
                merge_relationships(
                    remote.auto(),
                    edges[start : start + PY2NEO_BATCH],
                    (kind, "source", "assertion"),
                    start_node_key=("Concept", "key"),
                    end_node_key=("Concept", "key"),
                )

    return timed(work)[0]
