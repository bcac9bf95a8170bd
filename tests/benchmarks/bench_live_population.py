"""The populator ``graph`` with neighbours drawn in Neo4j, from an ASER-like graph and one of a tenth: time and memory.

The texts of the training triples are nodes of the graph: they have as many neighbours as the others.
"""

from __future__ import annotations

from pathlib import Path

from harmgraph.graph.server import server
from harmgraph.models.population.examples import read_file
from tests.benchmarks.aser_database import EDGES_A_NODE, write_database
from tests.benchmarks.figures import Figures
from tests.benchmarks.setting import Setting
from tests.benchmarks.watched import watched

GRAPH, TRIPLES = "aser", "atomic"


def bench(setting: Setting, figures: Figures) -> None:
    """``population train`` live on both graphs, and in memory on both."""
    if setting.data is None:
        print("  left out: the real data is not here")
        return
    parts = ("test",) if setting.quick else ("valid", "test")
    atomic = [str(setting.data / "atomic" / f"{part}.preprocessed.txt.gz") for part in parts]
    judged = setting.data / "ckbp" / "evaluation_set.csv"
    events = setting.folder / "events"
    server.reset()
    watched("load", "atomic", *atomic, "--source", TRIPLES)
    made = ("population", "data", "--source", TRIPLES, "--negatives", "matched", "--evaluation", str(judged))
    watched(*made, "--out", str(events))
    texts = sorted(_texts(events))
    figures.add("texts of the triples", len(texts), "")
    peaks: dict[tuple[str, int], float] = {}
    # With fewer edges a text would have fewer neighbours, and that is not the size of the graph.
    few = max(setting.few, EDGES_A_NODE * len(texts))
    for edges in (few, setting.edges):
        database, data = setting.folder / f"aser-{edges}.db", setting.folder / f"data-{edges}"
        write_database(database, edges, texts)
        server.reset()
        loaded = watched("load", "aser", str(database), "--source", GRAPH, "--as-written", "--bulk")
        figures.add(f"{edges:,} edges: load --bulk", loaded.seconds, "s")
        database.unlink()
        watched("load", "atomic", *atomic, "--source", TRIPLES)
        watched(*made, "--graph", GRAPH, "--out", str(data))
        for subgraphs in ("live", "cached"):
            name = f"{subgraphs}-{edges}"
            options = ("--model", "graph", "--epochs", "1", "--subgraphs", subgraphs)
            done = watched("population", "train", name, "--data", str(data), *options)
            peaks[subgraphs, edges] = done.peak
            figures.add(f"{edges:,} edges: train, {subgraphs}", done.seconds, "s")
            figures.add(f"{edges:,} edges: memory of the client, {subgraphs}", done.peak, "MiB")
            done = watched("population", "eval", name, "--file", str(judged))
            figures.add(f"{edges:,} edges: eval, {subgraphs}", done.seconds, "s")
    for subgraphs in ("live", "cached"):
        ratio = peaks[subgraphs, setting.edges] / peaks[subgraphs, few]
        figures.add(
            f"memory, {setting.edges:,} / {few:,} edges, {subgraphs}",
            ratio,
            "x",
            "at most 1.3" if subgraphs == "live" else "",
        )


def _texts(folder: Path) -> set[str]:
    """The heads and tails of a folder of training data."""
    examples = (each for name in ("train", "valid", "test") for each in read_file(folder / f"{name}.tsv"))
    return {text for each in examples for text in (each.head, each.tail)}
