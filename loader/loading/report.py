"""Prints the report of a load."""

from __future__ import annotations

import click

from harmgraph.common.errors import below
from harmgraph.loader.loading.load_report import LoadReport


def show_report(report: LoadReport, output: str) -> None:
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


def _show(report: LoadReport, output: str) -> None:
    report.show(output)
    if output == "table" and report.rejects:
        click.echo(f"rejected lines, with line number and reason: {report.rejects}", err=True)
        click.echo(below(report.first_rejected), err=True)
