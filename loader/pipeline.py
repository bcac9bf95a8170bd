"""Streams the records of files into the graph: read, drop duplicates, write in batches, link, sweep.

The same files twice give the same graph; an import that was killed, run again, gives the graph of one that was not.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graph import linker, schema_setup, sources
from graph.connection import Graph
from graph.errors import BadName, UnreadableFile
from graph.home import home
from graph.progress import Progress, silent
from graph.records import Record, Rejection, Skip, Statement, Target, Triple
from graph.writer import Import, Writer
from loader.duplicates import Duplicates
from loader.importer import Importer
from loader.lines import open_lines, sha256
from loader.phrases import phrase
from loader.rejects import Rejects

MAX_SOURCE = 1_000  # bytes
TELL_EVERY = 2_000  # records between two signs of progress


@dataclass(frozen=True, slots=True)
class Plan:
    """What to load, and how.

    Attributes:
        source: the name it gets in the graph.
        version: version of the knowledge base, the importer's default where empty.
        options: the importer's own options, complete.
        limit: records to take at the most, 0 for all.
        max_rejects: share of the lines that may be rejected.
        rejects: file for rejected lines; one in harmgraph's folder where None.
        expect: fewest records that the files must give, so that a truncated file fails.
    """

    importer: Importer
    paths: tuple[Path, ...]
    source: str
    version: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    limit: int = 0
    keep_duplicates: bool = False
    max_rejects: float = 0.01
    rejects: Path | None = None
    expect: int = 0

    @property
    def rejects_path(self) -> Path:
        safe = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in self.source)
        return self.rejects or home() / "rejects" / f"{safe[:80]}.tsv"


@dataclass(frozen=True, slots=True)
class Report:
    """What a load did. ``read`` = ``records`` + ``rejected`` + all of ``skipped``.

    Attributes:
        read: lines read.
        records: triples, sentences or targets among them.
        duplicates: records that equal an earlier one of the same load.
        skipped: lines left out on purpose, by reason.
        rejected: lines that cannot be read; ``rejects`` is the file that has them.
        in_graph: what stands in the graph of this source afterwards.
        added, removed: against the import before this one.
        names, about: links to targets in the whole graph.
        no_target: annotated terms of this source that are no target, with their sentences, the commonest first.
        no_target_terms, no_target_statements: how many of them in all.
        kept_by_other_list: targets that another list brought first and that keep its category.
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


def read(plan: Plan, *, rejects: Rejects, progress: Progress = silent) -> Iterator[tuple[int, Record]]:
    """The records of all files with the number of their file, from 0; ``limit`` is honoured, rejections are written.

    Raises:
        UnreadableFile: a file that cannot be opened, or ends in the middle.
        TooManyRejects: more rejected lines than allowed.
    """
    taken = lines_read = 0
    options = plan.importer.chosen(plan.options)
    for number, path in enumerate(plan.paths):
        with open_lines(path) as lines:
            for record in plan.importer.read(lines, options):
                lines_read += 1
                if lines_read % TELL_EVERY == 0:
                    progress(f"reading {lines.name}", lines.position, lines.size)
                if isinstance(record, Rejection):
                    rejects.add(record)
                rejects.check(lines_read)
                yield number, record
                if not isinstance(record, Rejection | Skip):
                    taken += 1
                    if plan.limit and taken >= plan.limit:
                        return
            progress(f"reading {lines.name}", lines.size, lines.size)


def check(plan: Plan) -> None:
    """Looks whether the plan can be carried out at all, before anything is touched.

    Raises:
        BadName: a source name that cannot be stored, or a rejects file that is one of the files to load.
    """
    if not plan.source.strip() or printable(plan.source) != plan.source or len(plan.source.encode()) > MAX_SOURCE:
        why = f"cannot be stored: name it with --source, {MAX_SOURCE:,} bytes of UTF-8 at the most"
        raise BadName("source", printable(plan.source), why)
    if (
        plan.rejects
        and plan.rejects.exists()
        and any(path.exists() and path.samefile(plan.rejects) for path in plan.paths)
    ):
        raise BadName("rejects file", str(plan.rejects), "is one of the files to load")


def check_standing(graph: Graph, plan: Plan) -> bool:
    """A load replaces what stands under its source name; one that would lose it by mistake is refused.

    Returns:
        Whether a complete import stands, which a load without any record must not replace.

    Raises:
        BadName: the source was loaded by another importer, or whole and now with ``limit``.
    """
    for source in sources.every(graph):
        if source["name"] != plan.source:
            continue
        before = str(source.get("importer") or "").partition("@")[0]
        if before not in ("", plan.importer.name):
            why = f"was loaded by the importer {before}: choose another name with --source, or drop it first"
            raise BadName("source", plan.source, why)
        whole = source.get("state") == "complete"
        if whole and plan.limit and "limit" not in (source.get("options") or {}):
            why = "stands whole and would lose what --limit leaves out: choose another name with --source, or drop it first"
            raise BadName("source", plan.source, why)
        return whole
    return False


def printable(name: str) -> str:
    """The name of a file or of what it holds; bytes that are no UTF-8 are written as ``\\xff``."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def rejects_of(plan: Plan) -> Rejects:
    """The file of rejected lines of a plan.

    Raises:
        BadName: as ``check``.
    """
    check(plan)
    return Rejects(plan.rejects_path, plan.max_rejects, plan.source)


def kept(
    plan: Plan, tally: Tally, *, rejects: Rejects, duplicates: Duplicates, progress: Progress
) -> Iterator[tuple[Triple | Statement | Target, str]]:
    """The records to write, each with the id that stands in where it has none of its own: empty, or its line.

    Without ``keep_duplicates`` those that repeat a recent one are left out. At the end it is checked that not too many
    lines were rejected and that there were as many records as expected.

    Raises:
        UnreadableFile, TooManyRejects: the files are at fault.
    """
    for number, record in read(plan, rejects=rejects, progress=progress):
        tally.note(record)
        if isinstance(record, Rejection | Skip):
            continue
        repeated = duplicates.seen(_identity(record), _content(record))
        if plan.keep_duplicates:
            yield record, f"{number}:{record.line}" if number else str(record.line)
        elif not repeated:
            yield record, ""
    rejects.check(tally.read, last=True)
    _expected(plan, tally)


def dry_run(plan: Plan, *, progress: Progress = silent) -> Report:
    """Reads and reports; nothing is written and no database is needed."""
    started = time.monotonic()
    tally = Tally()
    with rejects_of(plan) as rejects, Duplicates() as duplicates:
        for _ in kept(plan, tally, rejects=rejects, duplicates=duplicates, progress=progress):
            pass
        return summed_up(plan, tally, rejects, duplicates.count(), "", started, dry=True)


def load(graph: Graph, plan: Plan, *, progress: Progress = silent) -> Report:
    """Loads the files under the plan's source name and removes what an earlier import of it had and this one has not.

    Raises:
        UnreadableFile, TooManyRejects: the files are at fault; what stood before still stands.
        Busy: another command is changing the graph.
        GraphError: the database; running the same command again is safe.
    """
    started = time.monotonic()
    check(plan)
    digests = [sha256(path, None) for path in plan.paths]
    identity = import_id(plan, digests)
    schema_setup.apply(graph)
    with ExitStack() as stack:
        stack.enter_context(graph.holding(f"load {plan.importer.name} as {plan.source}"))
        stands = check_standing(graph, plan)
        mark = Import(plan.source, identity, sources.generation(graph, plan.source, identity))
        rejects = stack.enter_context(rejects_of(plan))
        duplicates = stack.enter_context(Duplicates())
        writer = stack.enter_context(Writer(graph, mark, plan.importer.properties, phrase))
        tally = Tally()
        begun = replaced = False
        for record, assertion in kept(plan, tally, rejects=rejects, duplicates=duplicates, progress=progress):
            if not begun and tally.read >= _FIRST_WRITE:
                begun, replaced = True, sources.begin(graph, mark, facts(plan, digests))
            writer.add(record, assertion)
        if stands and not tally.records:
            raise UnreadableFile(
                plan.paths[-1],
                f"gave no record, so the source {plan.source!r} was not replaced",
                remedy="check the file and the options; 'harmgraph source drop' removes a source",
            )
        if not begun:
            replaced = sources.begin(graph, mark, facts(plan, digests))
        progress("writing", 0)
        writer.flush()
        removed = 0
        if replaced:
            progress("removing what the earlier import left", 0)
            removed = sources.sweep(graph, mark)
        progress("linking targets", 0)
        links = linker.link(graph)
        report = summed_up(plan, tally, rejects, duplicates.count(), mark.import_id, started, dry=False)
        # A list of targets has no triples; what another import of its name had was swept.
        counts = sources.count(graph, mark, triples=plan.importer.gives == "triples")
        others = writer.kept_by_other_list
        return finish(graph, mark, plan, report, counts, links, digests, removed=removed, kept_by_other_list=others)


_FIRST_WRITE = 1_000  # a bad beginning is seen before the source is touched; the writer's batches are larger


@dataclass(slots=True)
class Tally:
    """Lines read so far, records among them, and those left out by reason."""

    read: int = 0
    records: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def note(self, record: Record) -> None:
        """Counts a line."""
        self.read += 1
        if isinstance(record, Skip):
            self.skipped[record.reason] += 1
        elif not isinstance(record, Rejection):
            self.records += 1


def _identity(record: Triple | Statement | Target) -> str:
    if isinstance(record, Triple):
        return "\x1f".join((record.head.key, record.type, record.tail.key, record.assertion))
    if isinstance(record, Statement):
        return "\x1f".join((record.term, record.text))
    return record.name


def _content(record: Triple | Statement | Target) -> str:
    """What a record says beside what identifies it; ends by another spelling are one record."""
    if isinstance(record, Target):
        return "\x1f".join((record.category, *record.names))
    return str(dict(record.properties)) if record.properties else ""


def import_id(plan: Plan, digests: Sequence[str]) -> str:
    """Digest of all that decides what an import writes: the same load has the same id."""
    facts = [
        plan.source,
        plan.version,
        plan.importer.name,
        plan.importer.revision,
        plan.importer.chosen(plan.options),
        plan.limit,
        plan.keep_duplicates,
        list(digests),
    ]
    return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8).hexdigest()


def facts(plan: Plan, digests: Sequence[str]) -> dict[str, Any]:
    """What the ``Source`` says of the import."""
    about = plan.importer.about
    options = plan.importer.chosen(plan.options)
    if plan.limit:
        options["limit"] = plan.limit
    if plan.keep_duplicates:
        options["keep_duplicates"] = True
    return {
        "version": plan.version or about.version,
        "licence": about.licence,
        "url": about.home,
        "sha256": list(digests),
        "files": [printable(path.name) for path in plan.paths],
        "importer": f"{plan.importer.name}@{plan.importer.revision}",
        "options": json.dumps(options, sort_keys=True),
    }


def _expected(plan: Plan, tally: Tally) -> None:
    if tally.records < plan.expect:
        raise UnreadableFile(
            plan.paths[-1],
            f"{tally.records:,} records where at least {plan.expect:,} are expected",
            line=tally.read,
            remedy="the file may be truncated: fetch it again, or lower --expect",
        )


def summed_up(
    plan: Plan, tally: Tally, rejects: Rejects, repeated: int, identity: str, started: float, *, dry: bool
) -> Report:
    """The report of what was read; what stands in the graph is for ``finish``."""
    return Report(
        source=plan.source,
        importer=plan.importer.name,
        files=tuple(printable(str(path)) for path in plan.paths),
        import_id=identity,
        read=tally.read,
        records=tally.records,
        duplicates=repeated,
        skipped=dict(tally.skipped.most_common()),
        rejected=rejects.count,
        rejects=str(rejects.path) if rejects.count else "",
        seconds=round(time.monotonic() - started, 2),
        dry_run=dry,
    )


def finish(
    graph: Graph,
    mark: Import,
    plan: Plan,
    report: Report,
    counts: sources.Counts,
    links: linker.Links,
    digests: Sequence[str],
    *,
    removed: int = 0,
    kept_by_other_list: int = 0,
) -> Report:
    """Marks the source as complete and completes the report with what stands in the graph now."""
    kept_facts = {
        "read": report.read,
        "records": report.records,
        "duplicates": report.duplicates,
        "rejected": report.rejected,
        "skipped": dict(report.skipped),
        "relations": dict(sorted(counts.relations.items())),
        "statements": counts.statements,
        "targets": counts.targets,
    }
    summary = kept_facts | {"import_id": mark.import_id, "sha256": list(digests), "version": plan.version}
    sources.finish(graph, mark, kept_facts, summary)
    unlinked = graph.rows("link/unlinked_terms", source=plan.source) if counts.statements else []
    return replace(
        report,
        in_graph=counts.total,
        added=counts.added,
        removed=removed,
        names=links.names,
        about=links.about,
        no_target={row["term"]: row["statements"] for row in unlinked},
        no_target_terms=unlinked[0]["terms_in_all"] if unlinked else 0,
        no_target_statements=unlinked[0]["statements_in_all"] if unlinked else 0,
        kept_by_other_list=kept_by_other_list,
    )
