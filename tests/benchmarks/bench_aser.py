"""An ASER-like database: import over Bolt and offline, memory at two sizes, statistics, neighbours, bytes on disk."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path

import numpy as np

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import folder
from harmgraph.graph.statements import parse
from tests.benchmarks.aser_database import write_database
from tests.benchmarks.figures import Figures, median_seconds, timed
from tests.benchmarks.setting import Setting
from tests.benchmarks.watched import Watched, watched

SOURCE = "aser"
BOLT = "Bolt"
WAYS = (
    ("aligned", BOLT, ()),
    ("as written", BOLT, ("--as-written",)),
    ("aligned", "--bulk", ("--bulk",)),
    ("as written", "--bulk", ("--as-written", "--bulk")),
)
"""The graph of the last one is measured."""
STATISTICS = {
    "relations": {},
    "degrees": {},
    "grounding": {"other": SOURCE},
    "hops": {"other": SOURCE, "sample": 100},
}
BATCH = 64  # triples of a step of training, each with a head and a tail
BATCHES = 20
DRAWN = 4
PLAIN = parse(
    "plain",
    "UNWIND $keys AS key MATCH (n:Concept {key: key}) "
    "CALL (n) { MATCH (n)-[r]-(m) WHERE r.source = $source RETURN type(r) AS relation, m.text AS text "
    "ORDER BY rand() LIMIT $drawn } RETURN key, collect([relation, text]) AS neighbours",
)
STORE = {
    "nodes": ("neostore.nodestore*", "neostore.labeltokenstore*"),
    "relationships": ("neostore.relationship*",),
    "properties": ("neostore.propertystore*",),
    "indexes": ("schema/**/*", "neostore.labelscan*", "neostore.indexstats*"),
}
"""Files of a store of Neo4j 5."""


def bench(setting: Setting, figures: Figures) -> None:
    """As written and aligned; the larger database has ten times the relations of the smaller."""
    paths: dict[int, Path] = {}
    for edges in (setting.few, setting.edges):
        paths[edges] = setting.folder / f"aser-{edges}.db"
        seconds, _ = timed(partial(write_database, paths[edges], edges))
        figures.add(f"{edges:,} relations: the database itself, written", seconds, "s")
    took: dict[tuple[str, str], Watched] = {}
    digests: dict[str, set[str]] = {}
    for form, way, options in WAYS:
        if setting.bulk_only and way == BOLT:
            continue
        peaks: list[float] = []
        for edges, path in paths.items():
            server.reset()  # to delete ten million relationships one by one takes longer than to load them
            done = watched("load", "aser", str(path), "--source", SOURCE, *options)
            took[form, way] = done
            peaks.append(done.peak)
            figures.add(f"{edges:,} relations: load, {form}, {way}", edges / done.seconds, "rows/s")
            if edges == setting.few:
                with Graph.open() as graph:
                    digests.setdefault(form, set()).add(digest(graph))
        figures.add(f"load, {form}, {way}: memory of the client, small", peaks[0], "MiB")
        figures.add(f"load, {form}, {way}: memory of the client, large", peaks[1], "MiB")
        figures.add(f"load, {form}, {way}: memory, large / small", peaks[1] / peaks[0], "x", "at most 1.3")
    if not setting.bulk_only:
        for form, different in digests.items():
            ratio = took[form, BOLT].seconds / took[form, "--bulk"].seconds
            figures.add(f"{form}, {setting.edges:,} relations: --bulk / Bolt", ratio, "x")
            figures.add(f"{form}: same digest (1: yes)", float(len(different) == 1), "")
    with Graph.open() as graph:
        counts = graph.rows(parse("nodes", "MATCH (n:Concept) RETURN count(n) AS nodes"))[0]
        edges_now = graph.rows(
            parse("edges", "MATCH ()-[r]->() WHERE r.source = $source RETURN count(r) AS n"), source=SOURCE
        )
        figures.add("nodes", counts["nodes"], "")
        figures.add("edges", edges_now[0]["n"], "")
        _statistics(graph, setting, figures)
        if importlib.util.find_spec("dgl"):
            _neighbours(graph, setting, figures)
    _on_disk(figures, counts["nodes"], edges_now[0]["n"])


def _statistics(graph: Graph, setting: Setting, figures: Figures) -> None:
    for name, more in STATISTICS.items():
        parameters = {"source": SOURCE, **more}
        seconds, _ = timed(partial(graph.rows, f"statistics/{name}", **parameters))
        figures.add(f"stats {name}, {setting.edges:,} relations, the first time", seconds, "s")


def _neighbours(graph: Graph, setting: Setting, figures: Figures) -> None:
    """Four neighbours of the heads and tails of a batch of edges, drawn from the cache and by one statement a batch."""
    from harmgraph.models.population.neighbours import read_neighbourhood

    seconds, _ = timed(partial(read_neighbourhood, graph, [SOURCE]))
    figures.add("neighbourhood, read from the graph", seconds, "s")
    seconds, around = timed(partial(read_neighbourhood, graph, [SOURCE]))
    figures.add("neighbourhood, kept on disk", seconds, "s")
    rng = np.random.default_rng(0)
    batches = []
    for _ in range(BATCHES):
        edges = rng.integers(len(around), size=BATCH)
        batches.append(sorted({around.keys[end] for end in (*around.head[edges], *around.tail[edges])}))
    texts = [[key.partition("/")[2] for key in keys] for keys in batches]
    seconds, _ = timed(partial(around.draw, texts[0], DRAWN, (0,)))
    figures.add("neighbours, first batch (DGL's graph is made)", seconds, "s")

    def cached() -> None:
        for number, names in enumerate(texts):
            assert around.draw(names, DRAWN, (number,))

    def plain() -> None:
        for keys in batches:
            assert graph.rows(PLAIN, keys=keys, source=SOURCE, drawn=DRAWN)

    ours, theirs = (median_seconds(work, 1 if setting.quick else 3) / BATCHES for work in (cached, plain))
    figures.add(f"neighbours of a batch of {BATCH}, from the cache", 1000 * ours, "ms")
    figures.add(f"neighbours of a batch of {BATCH}, plain Cypher", 1000 * theirs, "ms")
    figures.add("neighbours: plain Cypher / cache", theirs / ours, "x", "at least 20")


def _on_disk(figures: Figures, nodes: int, edges: int) -> None:
    """Bytes of the store, which the server has written completely once it is stopped."""
    server.stop()
    store = folder() / "data" / "databases" / "neo4j"
    left = {path: path.stat().st_size for path in store.rglob("*") if path.is_file()}
    figures.add("store, all of it", sum(left.values()) / 2**20, "MiB")
    figures.add("store, all of it, for each edge", sum(left.values()) / edges, "bytes")
    for name, patterns in STORE.items():
        size = sum(left.pop(path, 0) for pattern in patterns for path in store.glob(pattern))
        whole, each = ("node", nodes) if name in ("nodes", "indexes") else ("edge", edges)
        figures.add(f"store, {name}, for each {whole}", size / each, "bytes")
    figures.add("store, other files", sum(left.values()) / 2**20, "MiB")
