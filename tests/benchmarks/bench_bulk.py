"""``load --bulk`` against ``load triples``, stage by stage; ``--edges 5000000`` is the size that is wanted."""

from __future__ import annotations

import resource
import time

from harmgraph.common.progress import receiver
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.loader.loading import bulk, default_targets, pipeline
from tests.benchmarks.bench_load import plan_of
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh


class Stages:
    """Seconds from each word of progress to the next; a stage is named by its first word."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage = "starting"
        self._since = time.monotonic()

    def __call__(self, stage: str, done: int, total: int | None = None) -> None:
        now, name = time.monotonic(), stage.split(maxsplit=1)[0]
        if name != self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0) + now - self._since
            self._stage, self._since = name, now


def bench(setting: Setting, figures: Figures) -> None:
    """Over Bolt on a server that is warm from a small load, then offline with all that belongs to it; equal digests."""
    warm, path = setting.folder / "warm.tsv", setting.folder / f"bulk-{setting.edges}.tsv"
    write_triples(warm, setting.few)
    write_triples(path, setting.edges)
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, plan_of(warm))
        graph.autocommit("schema/wipe")
        default_targets.ensure(graph)
        over_bolt, _ = timed(lambda: pipeline.load(graph, plan_of(path)))
        expected = digest(graph)
        graph.autocommit("schema/wipe")
    stages, before = Stages(), _processor_seconds()
    with receiver(stages):
        offline, report = timed(lambda: bulk.load_in_bulk(plan_of(path)))
    stages("end", 0)
    figures.add(f"{report.records:,} edges: load triples", report.records / over_bolt, "edges/s")
    figures.add(f"{report.records:,} edges: load --bulk, all of it", report.records / offline, "edges/s")
    figures.add(f"{report.records:,} edges: load --bulk / load triples", over_bolt / offline, "x", "at least 3")
    figures.add("load --bulk: processor time of client, reader and importer", _processor_seconds() - before, "s")
    for name, seconds in stages.seconds.items():
        figures.add(f"load --bulk: {name}", seconds, "s")
    with Graph.open() as graph:
        figures.add("same digest (1: yes)", float(digest(graph) == expected), "")


def _processor_seconds() -> float:
    """Of this process and of its children that have ended; the server is none of them."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)
