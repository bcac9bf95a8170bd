"""Neighbourhoods a second, read from the live graph and drawn in memory, beside DGL, PyTorch Geometric and a statement a seed."""

from __future__ import annotations

import importlib.util
import random
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import torch

from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import bulk
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.extra import needed
from harmgraph.models.subgraph.cached_neighbours import CachedNeighbours
from harmgraph.models.subgraph.live_neighbours import LiveNeighbours
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.subgraph import Subgraph
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh
from tests.benchmarks.watched import watched

FANOUTS = (10, 10)
BATCH = 512
SEED = 20260101
CHUNK = 100_000
WHOLE = 1_000_000
ONE = (
    "MATCH (n:Concept|Entity {key: $key})-[r]-(o) WHERE r.source = $source "
    "RETURN type(r) AS relation, startNode(r) = n AS inverse, o.key AS other"
)


def write_hubs(path: Path, edges: int) -> None:
    """Triples over a third as many entities: a tenth of them lead to one hub, the others' heads and tails follow power laws."""
    rng = np.random.default_rng(SEED)
    entities, hub = edges // 3, edges // 10
    size = edges - hub
    heads = np.concatenate([(entities * rng.random(size) ** 3).astype(np.int64), rng.permutation(entities)[:hub]])
    tails = np.concatenate([(entities * rng.random(size) ** 1.5).astype(np.int64), np.full(hub, entities)])
    kinds = np.concatenate([(50 * rng.random(size) ** 2).astype(np.int64), np.full(hub, 50)])
    order = rng.permutation(edges)
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, edges, CHUNK):
            part = order[start : start + CHUNK]
            rows = zip(heads[part].tolist(), kinds[part].tolist(), tails[part].tolist(), strict=True)
            file.write("".join(f"e{head}\trelation{kind:02d}\te{tail}\n" for head, kind, tail in rows))


def bench(setting: Setting, figures: Figures) -> None:
    """Loads the graph in bulk, then measures."""
    path = setting.folder / f"hubs-{setting.edges}.tsv"
    write_hubs(path, setting.edges)
    fresh()
    bulk.load_in_bulk(Plan(importers.get("triples"), (path,), "hubs"))
    with Graph.open() as graph:
        measure(graph, "hubs", figures, quick=setting.quick)
    train("hubs", figures, whole=setting.edges <= WHOLE)


def train(source: str, figures: Figures, *, whole: bool) -> None:
    """Time and memory of whole commands, of ten steps of 256 triples.

    Args:
        whole: whether messages are passed over the whole graph too, which takes memory for each edge and column.
    """
    given = [
        "--source",
        source,
        "--encoder",
        "sage",
        "--model",
        "distmult",
        "--dim",
        "32",
        "--layers",
        "2",
        "--batch",
        "256",
    ]
    short = [
        "--epochs",
        "1",
        "--epoch-triples",
        "2560",
        "--valid-share",
        "0",
        "--test-share",
        "0",
        "--threads",
        "1",
        "--again",
    ]
    drawn = ["--fanout", "10,10", "--negatives", "256"]
    ways = {"live": [*drawn, "--subgraphs", "live"], "cached": drawn} | ({"whole graph": []} if whole else {})
    for name, more in ways.items():
        took = watched("embed", "train", "bench", *given, *short, *more)
        figures.add(f"embed train, ten steps, {name}: memory", took.peak, "MiB")
        figures.add(f"embed train, ten steps, {name}: the whole command", took.seconds, "s")
    for way in ("live", "cached"):
        took = watched(
            *("embed", "encode", "bench", "--source", source, "--as", "vectors", "--again"), "--subgraphs", way
        )
        figures.add(f"embed encode, {way}: memory", took.peak, "MiB")
        figures.add(f"embed encode, {way}: the whole command", took.seconds, "s")


def measure(graph: Graph, source: str, figures: Figures, *, quick: bool = False) -> None:
    """The median batch of some. What is live comes first, so that the process has not read the graph."""
    batches = 3 if quick else 10
    before = _peak()
    seconds, live = timed(lambda: LiveNeighbours(graph, source))
    figures.add("live: where the edges are, once", seconds, "s")
    keys = _keys(graph, source, BATCH * (batches + 2))
    parts = [keys[start : start + BATCH] for start in range(0, len(keys), BATCH)]
    rates = {"live": _rate(parts, lambda part, number: len(live.around(part, FANOUTS, [number])))}
    figures.add("live: memory that it took here", _peak() - before, "MiB")
    hub = graph.driver.execute_query(
        "MATCH (n:Concept) WITH n ORDER BY COUNT { (n)--() } DESC LIMIT 1 RETURN n.key AS key, COUNT { (n)--() } AS degree",
        database_=graph.address.database,
    ).records[0]
    few = [timed(partial(live.around, [hub["key"]], (10,), [number]))[0] for number in range(12)][2:]
    figures.add(f"live: ten edges of a hub of {hub['degree']:,}", 1000 * float(np.median(few)), "ms")
    whole = LiveNeighbours(graph, source, hub=2**60)
    figures.add(
        "the same, where all its edges are read", timed(lambda: whole.around([hub["key"]], (10,), [1]))[0] * 1000, "ms"
    )
    rates["execute_query a seed, drawn here"] = (
        _rate(parts[:2], lambda part, _: _naive(graph, source, part[:8])) * 8 / BATCH
    )

    seconds, subgraph = timed(lambda: read_subgraph(graph, source, shares=(0.0, 0.0)))
    figures.add("cached: reading the graph, or the copy on disk", seconds, "s")
    seconds, cached = timed(lambda: CachedNeighbours(subgraph))
    figures.add("cached: sorting the edges", seconds, "s")
    figures.add("cached: memory that it took here, at its peak", _peak() - before, "MiB")
    rates["cached"] = _rate(parts, lambda part, number: len(cached.around(part, FANOUTS, [number])))
    for name, blocks in loaders(subgraph, parts):
        rates[name] = _median(blocks)
    figures.add("batches a second: seeds in a batch", BATCH, "")
    for name, rate in rates.items():
        figures.add(f"{name}, fan-out {FANOUTS}", rate, "batches/s")
    for name, rate in rates.items():
        if name != "live":
            figures.add(f"live / {name}", rates["live"] / rate, "x")


def loaders(subgraph: Subgraph, parts: list[list[str]]) -> Iterator[tuple[str, Iterator[object]]]:
    """What DGL and PyTorch Geometric draw of the same graph in memory, where they are installed."""
    ids = torch.tensor([[subgraph.entity_ids[key] for key in part] for part in parts if len(part) == BATCH])
    if importlib.util.find_spec("dgl"):
        dgl = needed("dgl")
        torch.set_num_threads(1)  # DGL's threads wait for each other where the machine is busy
        graph = dgl.add_reverse_edges(subgraph.dgl(), copy_edata=True)
        graph.create_formats_()
        sampler = dgl.dataloading.NeighborSampler(list(FANOUTS))
        yield "dgl.dataloading.NeighborSampler", (sampler.sample_blocks(graph, part) for part in ids)
    # Without one of these its loader only says that it needs one.
    if any(importlib.util.find_spec(name) for name in ("pyg_lib", "torch_sparse")):
        from torch_geometric.loader import NeighborLoader
        from torch_geometric.transforms import ToUndirected

        data = ToUndirected()(subgraph.pyg())
        loader = NeighborLoader(data, list(FANOUTS), input_nodes=ids.flatten(), batch_size=BATCH)
        yield "torch_geometric NeighborLoader", iter(loader)


def _keys(graph: Graph, source: str, count: int) -> list[str]:
    """Keys of heads, drawn by the ids of nodes."""
    found = graph.driver.execute_query(
        "UNWIND $ids AS id MATCH (n:Concept) WHERE id(n) = id AND EXISTS { (n)-[r]-() WHERE r.source = $source } "
        "RETURN n.key AS key",
        ids=random.Random(SEED).sample(range(graph.rows("subgraph/size")[0]["ends"]), 2 * count),
        source=source,
        database_=graph.address.database,
    ).records
    return [record["key"] for record in found][:count]


def _naive(graph: Graph, source: str, seeds: list[str]) -> int:
    """A statement for each entity, of whose edges some are drawn here."""
    edges, near = 0, list(seeds)
    for fanout in FANOUTS:
        reached: set[str] = set()
        for key in near:
            records = graph.driver.execute_query(ONE, key=key, source=source, database_=graph.address.database).records
            drawn = random.Random(key).sample(records, min(fanout, len(records)))
            edges += len(drawn)
            reached |= {record["other"] for record in drawn}
        near = sorted(reached)
    return edges


def _rate(parts: list[list[str]], work: Callable[[list[str], int], int]) -> float:
    """Batches a second, by the median of those after the first two, or of all if there are no more."""

    def each() -> Iterator[object]:
        for number, part in enumerate(parts):
            yield work(part, number)

    return _median(each())


def _median(batches: Iterator[object]) -> float:
    seconds: list[float] = []
    started = time.perf_counter()
    for _ in batches:
        now = time.perf_counter()
        seconds.append(now - started)
        started = now
    return 1 / float(np.median(seconds[2:] or seconds))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
