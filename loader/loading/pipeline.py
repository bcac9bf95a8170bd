"""Streams the records of files into the graph: reads, drops duplicates, writes in batches, links, removes old records.

Loading the same files twice gives the same graph, also if the first import was killed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Import
from harmgraph.graph.server import space
from harmgraph.graph.writing.batches import Batch
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.loader.formats.lines import sha256
from harmgraph.loader.loading import made_targets
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.loading.replacement import Agree, Asking, Before, agreed
from harmgraph.loader.loading.room import check_room
from harmgraph.loader.loading.summary import report_of, summary_of, summed_up, tally_of
from harmgraph.loader.reading.cores import reading_on_cores
from harmgraph.loader.reading.plan import Plan, check, facts, import_id
from harmgraph.loader.reading.process import Reader, ReadResult, batches

HELD = 4  # batches read in advance, if the source is in the graph, to see whether the files are that short
COLLECT_EVERY = 100_000  # objects created between two garbage collections


def dry_run(plan: Plan, *, read: Reader | None = None) -> LoadReport:
    """Reads the files and reports; writes nothing and needs no database.

    Args:
        read: reads the files; None to read them in this process.
    """
    started = time.monotonic()
    with rarely_collected(), read(plan) if read else nullcontext(batches(plan)) as items:
        result = next(item for item in items if isinstance(item, ReadResult))
    return summed_up(plan, result, "", started, dry=True)


def load(
    graph: Graph,
    plan: Plan,
    *,
    read: Reader = reading_on_cores,
    agree: Agree = agreed,
    held: bool = False,
) -> LoadReport:
    """Loads the files under the plan's source name, and removes records of an earlier import that the files do not have.

    Args:
        read: reads the files; by default in processes beside this one, several for large files.
        agree: called if more than half of the source would be removed. For small files it is called before anything is
            written, otherwise before the removal. In that case the source is marked as loading and has both the old and
            the new records, until this load, or the load of the earlier file, is run again.
        held: whether the caller holds the lock of commands that write (``graph.holding``); otherwise this takes it.

    Raises:
        UnreadableFile, TooManyRejects: the files cannot be read, or have too many rejected lines; the old records remain.
        Busy: another command is changing the graph.
        NoSpace: the disk of the embedded server does not have enough space.
        GraphError: the database failed; it is safe to run the same command again.
    """
    started = time.monotonic()
    check(plan)
    # Loading a source again needs no new space, and a dropped source has left its space in the store.
    if graph.address.embedded and sources.find(graph, plan.source) is None:
        check_room(plan, reusable=space.store_bytes())
    digests = [sha256(path) for path in plan.files]
    schema_setup.apply(graph)
    with rarely_collected(), nullcontext() if held else graph.holding(plan.purpose):
        before = Before.of(graph, plan, import_id(plan, digests))
        made_targets.check(graph, plan)
        asking = Asking(agree, plan.source, before.stood)
        with _run(graph, plan, before, digests) as run, read(plan) as items:
            result = _written(run, items, plan, before, asking)
            before.check_replaced_by(result.tally.records, plan)
            made = made_targets.make(graph, plan)
            outcome = run.complete(
                tally_of(result),
                summary_of(plan, digests),
                agree=None if asking.asked else asking.of_loss,
                triples=plan.importer.gives == "triples",  # a list of targets has none
            )
        report = report_of(graph, plan, result, before.identity, started, outcome)
        return replace(report, made_targets=made)


def _run(graph: Graph, plan: Plan, before: Before, digests: Sequence[str]) -> ImportRun:
    """The writing of this load into the graph."""
    mark = Import(plan.source, before.identity, sources.generation(graph, plan.source, before.identity))
    return ImportRun(
        graph, mark, facts(plan, digests), properties=plan.carried, described=plan.described, phrase=phrase
    )


def _written(
    run: ImportRun, items: Iterator[Batch | ReadResult], plan: Plan, before: Before, asking: Asking
) -> ReadResult:
    """Writes what is read, and returns what the reading found.

    Of short files it first asks whether what they lack may go, before anything is written.
    """
    for item in held_back(items, HELD if before.is_replaced else 0, keep_duplicates=plan.apart):
        if isinstance(item, ReadResult):
            return item
        if isinstance(item, Batch):
            run.write(item)
        elif item:  # the number of records in the files: at least all others of the old ones would be removed
            asking.ask(before.stood - item, begun=False)
    raise AssertionError("the reading has no end")


def held_back(
    read: Iterator[Batch | ReadResult], count: int, *, keep_duplicates: bool = False
) -> Iterator[Batch | ReadResult | int]:
    """The items of ``read``; if there are at most ``count`` batches, their number of records comes first."""
    waiting: list[Batch | ReadResult] = []
    for item in read:
        waiting.append(item)
        if len(waiting) > count or isinstance(item, ReadResult):
            break
    if count and waiting and isinstance(waiting[-1], ReadResult):
        yield waiting[-1].tally.records - (0 if keep_duplicates else waiting[-1].duplicates)
    yield from waiting
    yield from read


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Reduces garbage collection, which would take a tenth of a load: records have no reference cycles."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
