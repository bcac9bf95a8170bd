"""What a load says of itself: its report, and what the ``Source`` node keeps."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.writing.import_run import ImportOutcome
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.plan import Plan, printable
from harmgraph.loader.reading.process import ReadResult


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
    graph: Graph, plan: Plan, result: ReadResult, identity: str, started: float, outcome: ImportOutcome
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


def joined(standing: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The distinct names of each type, those in the graph first."""
    return {
        kind: tuple(dict.fromkeys((*standing.get(kind, ()), *read.get(kind, ()))))
        for kind in sorted({*standing, *read})
    }
