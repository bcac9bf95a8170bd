"""Prints the report of a load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from harmgraph.common.errors import below
from harmgraph.common.output import show_one
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.pipeline import Report

SHOWN = 8  # maximum names in a row


def show_report(report: Report, output: str) -> None:
    """Prints the report, as JSON or CSV with all fields, or as a table without empty ones; prints warnings on stderr."""
    _show(report, output)
    if not report.records:
        stands = "" if report.dry_run else f", and the source {report.source!r} is empty"
        message = f"no records in {', '.join(report.files)}{stands}; check the file, the importer and the options"
        click.echo(f"harmgraph: warning: {message}", err=True)
        return
    for path in report.names_unused:
        message = f"{path} names nothing in a triple; does this file of names belong to these triples?"
        click.echo(f"harmgraph: warning: {message}", err=True)


def _show(report: Report, output: str) -> None:
    if output != "table":
        show_one(asdict(report), output)
        return
    read = "rows read" if importers.get(report.importer).reads == "database" else "lines read"
    rows: dict[str, Any] = {read: report.read, "records": report.records, "duplicates": report.duplicates}
    if report.named:
        rows["names of entities and relations"] = report.named
        rows["names kept, because they occur in a triple"] = report.names_kept
    rows |= {f"skipped: {reason}": count for reason, count in report.skipped.items()}
    rows["rejected"] = report.rejected
    if report.exclude_lines:
        rows["lines of the exclude file"] = report.exclude_lines
        rows["lines of it that left nothing out"] = report.exclude_unmatched
    if not report.dry_run:
        rows |= {"in the graph": report.in_graph, "added": report.added, "removed": report.removed}
        rows |= {"unchanged": "the same files stood already"} if report.unchanged else {}
        rows |= {"concepts that name a target (all sources)": report.names}
        whose = " (all sources)" if importers.get(report.importer).gives == "targets" else ""
        rows |= {f"statements that name a target{whose}": report.named_statements}
    if report.entities:
        rows["entities that name a target (all sources)"] = report.entities
    if report.kept_by_other_list:
        rows["targets that keep another category"] = report.kept_by_other_list
    if report.made_targets:
        rows["targets that were made, as no list had them"] = _some(report.made_targets)
    if report.unknown_parts:
        rows["parts that are no target, so that they are not linked"] = _some(report.unknown_parts)
    if report.called_by_language:
        rows["named with their language, as another list has the name"] = _some(report.called_by_language)
    if report.shared_types:
        rows["relations with different names and the same type"] = _some(
            [f"{kind}: {', '.join(names)}" for kind, names in report.shared_types.items()], "; "
        )
    if report.no_target_terms:
        shown = ", ".join(f"{term} {count:,}" for term, count in list(report.no_target.items())[:SHOWN])
        more = ", ..." if report.no_target_terms > SHOWN else ""
        rows["sentences whose term is not a target"] = f"{report.no_target_statements:,} ({shown}{more})"
    rows["seconds"] = report.seconds
    verb = "would load" if report.dry_run else "loaded"
    show_one(rows, output, title=f"{verb} {', '.join(report.files)} as {report.source}")
    if report.rejects:
        click.echo(f"rejected lines, with line number and reason: {report.rejects}", err=True)
        click.echo(below(report.first_rejected), err=True)


def _some(names: Sequence[str], between: str = ", ") -> str:
    """The number of names, and the first of them."""
    more = f"{between}..." if len(names) > SHOWN else ""
    return f"{len(names):,} ({between.join(names[:SHOWN])}{more})"
