"""Streams the records of files into the graph: reads, drops duplicates, writes in batches, links, removes old records.

Loading the same files twice gives the same graph, also if the first import was killed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Import
from harmgraph.graph.server import space
from harmgraph.graph.writing.batches import Batch
from harmgraph.graph.writing.import_run import ImportRun, Outcome
from harmgraph.loader.formats.lines import sha256
from harmgraph.loader.loading import made_targets
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.loading.room import check_room
from harmgraph.loader.reading.plan import Plan, check, facts, import_id, printable
from harmgraph.loader.reading.process import Reader, ReadResult, batches, reading

HELD = 4  # batches read in advance, if the source is in the graph, to see whether the files are that short
COLLECT_EVERY = 100_000  # objects created between two garbage collections


@dataclass(frozen=True, slots=True)
class Replacement:
    """A load that would remove more than half of its source.

    Attributes:
        stood: triples, sentences and targets of the last complete import.
        lost: how many of them would be removed; a minimum if nothing is written yet.
        begun: whether the new records are already in the graph, beside the old ones, of which none is removed yet.
    """

    source: str
    stood: int
    lost: int
    begun: bool


Agree = Callable[[Replacement], None]
"""Called before anything is removed; raises an error to prevent it."""


def agreed(_: Replacement) -> None:
    """Agrees to every replacement."""


def check_standing(plan: Plan, source: Mapping[str, Any] | None) -> bool:
    """Checks that a load does not replace another source of the same name by mistake.

    Args:
        source: the source in the graph, see ``graph.contents.sources.find``.

    Returns:
        Whether the graph has a complete import, which a load without records must not replace.

    Raises:
        BadName: the source was loaded with another importer, or completely and now with ``limit``.
    """
    if source is None:
        return False
    before = str(source.get("importer") or "").partition("@")[0]
    if before not in ("", plan.importer.name):
        why = f"was loaded with the importer {before}: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    whole = source.get("state") == "complete"
    if whole and plan.limit and "limit" not in (source.get("options") or {}):
        why = "is complete and would lose what --limit leaves out: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    return whole


def dry_run(plan: Plan, *, read: Reader | None = None) -> LoadReport:
    """Reads the files and reports; writes nothing and needs no database.

    Args:
        read: reads the files; None to read them in this process.
    """
    started = time.monotonic()
    with read(plan) if read else nullcontext(batches(plan)) as items:
        result = next(item for item in items if isinstance(item, ReadResult))
    return summed_up(plan, result, "", started, dry=True)


def load(
    graph: Graph,
    plan: Plan,
    *,
    read: Reader = reading,
    agree: Agree = agreed,
    held: bool = False,
) -> LoadReport:
    """Loads the files under the plan's source name, and removes records of an earlier import that the files do not have.

    Args:
        read: reads the files; by default in a process beside this one.
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
    digests = [sha256(path, None) for path in plan.files]
    identity = import_id(plan, digests)
    schema_setup.apply(graph)
    with ExitStack() as stack:
        stack.enter_context(rarely_collected())
        if not held:
            stack.enter_context(graph.holding(purpose(plan)))
        before = sources.find(graph, plan.source)
        stands = check_standing(plan, before)
        made_targets.check(graph, plan)
        stood = sources.stood(before or {})
        # The same files remove nothing, so their number of records is not needed in advance.
        replaces = stands and before is not None and before.get("import_id") != identity
        mark = Import(plan.source, identity, sources.generation(graph, plan.source, identity))
        run = stack.enter_context(
            ImportRun(
                graph, mark, facts(plan, digests), properties=plan.carried, described=plan.described, phrase=phrase
            )
        )
        asked = False
        for batch in held_back(
            stack.enter_context(read(plan)),
            HELD if replaces else 0,
            keep_duplicates=plan.apart,
        ):
            if isinstance(batch, ReadResult):
                result = batch
                break
            if isinstance(batch, int):
                # The number of records in the files: at least stood - batch of the old records would be removed.
                if batch:
                    asked = _ask(agree, plan, stood, stood - batch, begun=False)
                continue
            run.write(batch)
        if stands and not result.tally.records:
            raise UnreadableFile(
                plan.paths[-1],
                f"has no records, so the source {plan.source!r} was not replaced",
                remedy="check the file and the options; 'harmgraph source drop' removes a source",
            )
        made = made_targets.make(graph, plan)
        outcome = run.complete(
            tally_of(result),
            summary_of(plan, digests),
            agree=None if asked else partial(_ask_of_loss, agree, plan),
            triples=plan.importer.gives == "triples",  # a list of targets has none
        )
        return replace(report_of(graph, plan, result, mark.import_id, started, outcome), made_targets=made)


def purpose(plan: Plan) -> str:
    """What a load tells other commands that want to change the graph."""
    return f"load {plan.importer.name} as {plan.source}"


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


def _ask(agree: Agree, plan: Plan, stood: int, lost: int, *, begun: bool) -> bool:
    """Asks if more than half would be removed; returns whether it asked."""
    if 2 * lost <= stood:
        return False
    agree(Replacement(plan.source, stood, lost, begun))
    return True


def _ask_of_loss(agree: Agree, plan: Plan, loss: sources.Loss) -> None:
    _ask(agree, plan, loss.stood, loss.lost, begun=True)


def joined(standing: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The distinct names of each type, those in the graph first."""
    return {
        kind: tuple(dict.fromkeys((*standing.get(kind, ()), *read.get(kind, ()))))
        for kind in sorted({*standing, *read})
    }


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Reduces garbage collection, which would take a tenth of a load: records have no reference cycles."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def summed_up(plan: Plan, result: ReadResult, identity: str, started: float, *, dry: bool) -> LoadReport:
    """The report without what is in the graph, which ``report_of`` adds."""
    tally = result.tally
    return LoadReport(
        source=plan.source,
        importer=plan.importer.name,
        files=tuple(printable(str(path)) for path in plan.paths),
        import_id=identity,
        read=tally.read,
        records=tally.records,
        duplicates=result.duplicates,
        skipped=dict(tally.skipped.most_common()),
        rejected=result.rejected,
        rejects=str(plan.rejects_path) if result.rejected else "",
        first_rejected=result.first_rejected,
        named=tally.names,
        names_kept=sum(result.names_kept.values()),
        names_unused=tuple(
            printable(str(path))
            for number, path in enumerate(plan.files)
            if number >= len(plan.paths) and not result.names_kept.get(number)
        ),
        seconds=round(time.monotonic() - started, 2),
        dry_run=dry,
        shared_types=joined({}, result.shared_types),
        exclude_lines=plan.exclusion.lines if plan.exclusion else 0,
        exclude_unmatched=plan.exclusion.lines - len(tally.matched) if plan.exclusion else 0,
    )


def tally_of(result: ReadResult) -> dict[str, Any]:
    """The numbers of the reading, as the ``Source`` node stores them."""
    return {
        "read": result.tally.read,
        "records": result.tally.records,
        "duplicates": result.duplicates,
        "rejected": result.rejected,
        "named": result.tally.names,
        "names_kept": sum(result.names_kept.values()),
        "skipped": dict(result.tally.skipped.most_common()),
    }


def summary_of(plan: Plan, digests: Sequence[str]) -> dict[str, Any]:
    """What the ``Source`` node stores about the files, for the next import."""
    return {"sha256": list(digests), "version": plan.version}


def report_of(
    graph: Graph, plan: Plan, result: ReadResult, identity: str, started: float, outcome: Outcome
) -> LoadReport:
    """The complete report, with what is in the graph now."""
    report = summed_up(plan, result, identity, started, dry=False)
    source = None if plan.importer.gives == "targets" else plan.source
    unlinked = graph.rows("link/unlinked_terms", source=plan.source) if outcome.counts.sentences else []
    unknown = graph.rows("link/unknown_parts", source=plan.source) if source is None else []
    return replace(
        report,
        in_graph=outcome.counts.total,
        added=outcome.added,
        removed=outcome.removed,
        unchanged=outcome.unchanged,
        names=outcome.links.names,
        about=outcome.links.about,
        entities=outcome.links.entities,
        kept_by_other_list=outcome.kept_by_other_list,
        called_by_language=outcome.called_by_language,
        shared_types=joined(outcome.shared_types, report.shared_types),
        unknown_parts=tuple(f"{row['part']} of {row['target']}" for row in unknown),
        no_target={row["term"]: row["statements"] for row in unlinked},
        no_target_terms=unlinked[0]["terms_in_all"] if unlinked else 0,
        no_target_statements=unlinked[0]["statements_in_all"] if unlinked else 0,
        named_statements=graph.rows("link/named_statements", source=source)[0]["statements"],
    )
