"""Writes results where the options ``--sarif`` and ``--annotations`` say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from harmgraph.common.ci.code_results import CodeResult
from harmgraph.common.ci.github import append_summary, summary, workflow_commands
from harmgraph.common.ci.sarif import sarif as as_sarif
from harmgraph.common.whole_file import write_whole


def write_results(
    title: str,
    results: Sequence[CodeResult],
    *,
    sarif: Path | None,
    annotations: str | None,
    more: Iterable[str] = (),
) -> None:
    """Writes the file and prints the annotations, and adds to the summary of the step.

    Args:
        sarif: the file; None for none.
        annotations: ``github``, or None for neither annotations nor a summary.
        more: lines of Markdown for the summary.

    Raises:
        NoSpace: a file cannot be written.
    """
    if sarif:
        write_whole(sarif, as_sarif(results).encode())
        if results and not any(result.places for result in results):
            click.echo("harmgraph: the findings have no lines: name the files of the source with --file", err=True)
    if annotations:
        for line in workflow_commands(results):
            click.echo(line, err=True)
        append_summary(summary(title, results, more))
