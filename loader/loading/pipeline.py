"""Streams the records of files into the graph: read, drop duplicates, write in batches, link, sweep.

The same files twice give the same graph; an import that was killed, run again, gives the graph of one that was not.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from harmgraph.graph import schema_setup
from harmgraph.graph.common.errors import BadName, UnreadableFile
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Import
from harmgraph.graph.server import space
from harmgraph.graph.writing.batches import Batch
from harmgraph.graph.writing.import_run import ImportRun, Outcome
from harmgraph.loader.formats.lines import sha256
from harmgraph.loader.loading.phrases import phrase
from harmgraph.loader.loading.room import check_room
from harmgraph.loader.reading.plan import Plan, check, facts, import_id, printable
from harmgraph.loader.reading.process import ReadResult, batches, reading

HELD = 4  # batches that wait, where something stands, to see whether the files end with them
COLLECT_EVERY = 100_000  # objects made between two searches for garbage


@dataclass(frozen=True, slots=True)
class Report:
    """What a load did.

    Where each line gives one record, ``read`` = ``records`` + ``named`` + ``rejected`` + all of ``skipped``; a line may
    give several, and then ``skipped`` and ``rejected`` count parts of lines too.

    Attributes:
        read: lines read.
        records: triples, sentences or targets among them.
        duplicates: records that equal an earlier one of the same load.
        skipped: lines left out on purpose, by reason.
        rejected: lines and parts of lines that cannot be read; ``rejects`` is the file that has them. What ``max_rejects``
            allows is a share of lines, in which a line with several such parts is one.
        in_graph: what stands in the graph of this source afterwards.
        added, removed: against the import before this one.
        names, about, entities: links of concepts, sentences and entities to targets in the whole graph.
        named: names and descriptions that the files give to entities, and labels of relations.
        names_kept: how many of these are of what stands in a triple; the others are not kept.
        names_unused: files named by options, such as ``names``, of which none is kept.
        no_target: annotated terms of this source that are no target, with their sentences, the commonest first.
        no_target_terms, no_target_statements: how many of them in all.
        kept_by_other_list: targets that another list of the same language brought first and that keep its category.
        called_by_language: targets called by their language, such as ``chef (de)``: a list of another language has a chef.
        named_statements: statements that name a target, of this source; of all sources where it is a list of targets.
        shared_types: names of relations by the type that they give, where these are no spellings of one.
    """

    source: str
    importer: str
    files: tuple[str, ...]
    import_id: str
    read: int
    records: int
    duplicates: int
    skipped: Mapping[str, int]
    rejected: int
    rejects: str
    seconds: float
    dry_run: bool
    in_graph: int = 0
    added: int = 0
    removed: int = 0
    names: int = 0
    about: int = 0
    no_target: Mapping[str, int] = field(default_factory=dict)
    no_target_terms: int = 0
    no_target_statements: int = 0
    kept_by_other_list: int = 0
    entities: int = 0
    named: int = 0
    names_kept: int = 0
    names_unused: tuple[str, ...] = ()
    named_statements: int = 0
    called_by_language: tuple[str, ...] = ()
    shared_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a load is about to lose of what stands under its source name: more than half.

    Attributes:
        stood: triples, sentences and targets that the last complete import has.
        lost: how many of them would go; where nothing is written yet, at least so many.
        begun: whether what the files give was written already, beside what stood; nothing is removed yet.
    """

    source: str
    stood: int
    lost: int
    begun: bool


Agree = Callable[[Replacement], None]
"""Called before anything is removed; raises where it is not to be."""


def agreed(_: Replacement) -> None:
    """Whatever is replaced is meant."""


def check_standing(plan: Plan, source: Mapping[str, Any] | None) -> bool:
    """A load replaces what stands under its source name; one that would lose it by mistake is refused.

    Args:
        source: what stands, see ``graph.contents.sources.find``.

    Returns:
        Whether a complete import stands, which a load without any record must not replace.

    Raises:
        BadName: the source was loaded by another importer, or whole and now with ``limit``.
    """
    if source is None:
        return False
    before = str(source.get("importer") or "").partition("@")[0]
    if before not in ("", plan.importer.name):
        why = f"was loaded by the importer {before}: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    whole = source.get("state") == "complete"
    if whole and plan.limit and "limit" not in (source.get("options") or {}):
        why = "stands whole and would lose what --limit leaves out: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    return whole


def dry_run(plan: Plan, *, progress: Progress = silent) -> Report:
    """Reads and reports; nothing is written and no database is needed."""
    started = time.monotonic()
    result = next(item for item in batches(plan, progress=progress) if isinstance(item, ReadResult))
    return summed_up(plan, result, "", started, dry=True)


def load(graph: Graph, plan: Plan, *, agree: Agree = agreed, progress: Progress = silent) -> Report:
    """Loads the files under the plan's source name and removes what an earlier import of it had and this one has not.

    Args:
        agree: called where more than half of what stands would be removed: before anything is written where the files are
            so small that it is known by then, otherwise before the removal. The source is then marked as loading, holds
            both what stood and what is new, and the same load, or that of the earlier file, ends it.

    Raises:
        UnreadableFile, TooManyRejects: the files are at fault; what stood before still stands.
        Busy: another command is changing the graph.
        NoSpace: the disk of the embedded server has no room for it, or no more.
        GraphError: the database; running the same command again is safe.
    """
    started = time.monotonic()
    check(plan)
    # What stands needs no room again, and what was dropped left its room in the store.
    if graph.address.embedded and sources.find(graph, plan.source) is None:
        check_room(plan, reusable=space.store_bytes())
    digests = [sha256(path, None) for path in plan.files]
    identity = import_id(plan, digests)
    schema_setup.apply(graph)
    with ExitStack() as stack:
        stack.enter_context(rarely_collected())
        stack.enter_context(graph.holding(f"load {plan.importer.name} as {plan.source}"))
        before = sources.find(graph, plan.source)
        stands = check_standing(plan, before)
        stood = sources.stood(before or {})
        # The same files again remove nothing, so nothing has to wait until it is known how much they give.
        replaces = stands and before is not None and before.get("import_id") != identity
        mark = Import(plan.source, identity, sources.generation(graph, plan.source, identity))
        run = stack.enter_context(
            ImportRun(
                graph,
                mark,
                facts(plan, digests),
                properties=plan.carried,
                described=plan.described,
                phrase=phrase,
                progress=progress,
            )
        )
        asked = False
        for batch in held_back(
            stack.enter_context(reading(plan, progress=progress)),
            HELD if replaces else 0,
            keep_duplicates=plan.keep_duplicates,
        ):
            if isinstance(batch, ReadResult):
                result = batch
                break
            if isinstance(batch, int):
                # All that the files give. Where all of it stood before, so many of the others go, and else more.
                if batch:
                    asked = _ask(agree, plan, stood, stood - batch, begun=False)
                continue
            run.write(batch)
        if stands and not result.tally.records:
            raise UnreadableFile(
                plan.paths[-1],
                f"gave no record, so the source {plan.source!r} was not replaced",
                remedy="check the file and the options; 'harmgraph source drop' removes a source",
            )
        outcome = run.complete(
            tally_of(result),
            summary_of(plan, digests),
            agree=None if asked else partial(_ask_of_loss, agree, plan),
            triples=plan.importer.gives == "triples",  # a list of targets has none; what another import had was swept
        )
        return report_of(graph, plan, result, mark.import_id, started, outcome)


def held_back(
    read: Iterator[Batch | ReadResult], count: int, *, keep_duplicates: bool = False
) -> Iterator[Batch | ReadResult | int]:
    """What was read; where it ends with the first ``count`` batches, the number of their records comes before them."""
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
    """Asks where more than half goes; whether it asked."""
    if 2 * lost <= stood:
        return False
    agree(Replacement(plan.source, stood, lost, begun))
    return True


def _ask_of_loss(agree: Agree, plan: Plan, loss: sources.Loss) -> None:
    _ask(agree, plan, loss.stood, loss.lost, begun=True)


def joined(standing: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The names of each type, each once: those of the graph first."""
    return {
        kind: tuple(dict.fromkeys((*standing.get(kind, ()), *read.get(kind, ()))))
        for kind in sorted({*standing, *read})
    }


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Records hold no cycles and many wait at once: looking for cycles among them takes a tenth of a load."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def summed_up(plan: Plan, result: ReadResult, identity: str, started: float, *, dry: bool) -> Report:
    """The report of what was read; what stands in the graph is for ``finish``."""
    tally = result.tally
    return Report(
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
    )


def tally_of(result: ReadResult) -> dict[str, Any]:
    """What was read, as it is kept at the source."""
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
    """What the next import of the source will know of this one's files."""
    return {"sha256": list(digests), "version": plan.version}


def report_of(graph: Graph, plan: Plan, result: ReadResult, identity: str, started: float, outcome: Outcome) -> Report:
    """What was read, with what stands in the graph now."""
    report = summed_up(plan, result, identity, started, dry=False)
    source = None if plan.importer.gives == "targets" else plan.source
    unlinked = graph.rows("link/unlinked_terms", source=plan.source) if outcome.counts.statements else []
    return replace(
        report,
        in_graph=outcome.counts.total,
        added=outcome.counts.added,
        removed=outcome.removed,
        names=outcome.links.names,
        about=outcome.links.about,
        entities=outcome.links.entities,
        kept_by_other_list=outcome.kept_by_other_list,
        called_by_language=outcome.called_by_language,
        shared_types=joined(outcome.shared_types, report.shared_types),
        no_target={row["term"]: row["statements"] for row in unlinked},
        no_target_terms=unlinked[0]["terms_in_all"] if unlinked else 0,
        no_target_statements=unlinked[0]["statements_in_all"] if unlinked else 0,
        named_statements=graph.rows("link/named_statements", source=source)[0]["statements"],
    )
