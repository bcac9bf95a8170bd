"""``harmgraph findings``: what a scorer found goes back to the people who can change it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harmgraph.common.command_line import (
    Commands,
    annotations_option,
    output_option,
    progress_option,
    sarif_option,
    together,
    verbose_option,
)
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import MeasureName, SourceName, TargetName, targets_option

if TYPE_CHECKING:
    from harmgraph.common.ci.code_results import CodeResult

NEW = 3
"""Exit code of ``findings known --fail-on-new`` where there is a new one; of jobs it means an exceeded threshold."""


_SOURCE = click.option("--source", required=True, type=SourceName(), help="The source.")
_MEASURE = click.option("--measure", type=MeasureName(), default="sentiment", show_default=True, help="Harm measure.")
_LABEL = click.option("--label", default="negative", show_default=True, help="Only statements with this label.")
_MIN_SCORE = click.option(
    "--min-score", type=click.FloatRange(0), help="Only statements whose score is at least this far from 0."
)
_TARGET = click.option("--target", type=TargetName(), help="Only statements about this target.")
_LIMIT = click.option("--limit", type=click.IntRange(0), help="Only this many, the strongest first; all by default.")
_FILE = click.option(
    "--file",
    "files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    help="A file of the source, to find the line numbers in; may be given again.",
)
_FOR_CI = together(_FILE, sarif_option, annotations_option, progress_option)


@click.group(cls=Commands)
@verbose_option
def findings() -> None:
    """Findings for the maintainers of a knowledge base: export, list, known."""


@findings.command("export")
@_SOURCE
@_MEASURE
@click.option("--label", help="Only statements with this label.  [default: negative]")
@_MIN_SCORE
@_TARGET
@targets_option
@_LIMIT
@click.option(
    "--from",
    "chosen",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Take the statements whose keys are in this file: the CSV or JSON of a query.",
)
@_FILE
@click.option("--out", type=FileToWrite(), required=True, help="File to write.")
@progress_option
@output_option
@verbose_option
def export_command(
    source: str,
    measure: str,
    label: str | None,
    min_score: float | None,
    target: str | None,
    targets: tuple[str, ...],
    limit: int | None,
    chosen: Path | None,
    files: tuple[Path, ...],
    out: Path,
    progress: bool,
    output: str,
) -> None:
    """Write findings in the form in which the knowledge base's maintainers take corrections.

    'harmgraph load ... --exclude' takes the same file and leaves out exactly these statements. See docs/findings.md.
    """
    if chosen and any(value is not None for value in (label, min_score, target, limit)):
        raise click.UsageError("--from chooses by keys; --label, --min-score, --target and --limit by labels.")
    from dataclasses import asdict

    from harmgraph.common.errors import BadName
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.findings.choosing import FindingChoice, read_keys
    from harmgraph.loader.findings.export import export

    read = (*files, chosen) if chosen else files
    if out.exists() and any(path.exists() and path.samefile(out) for path in read):
        raise BadName("file to write", str(out), "is one of the files to read: choose another name with --out")
    keys = read_keys(chosen) if chosen else None
    choice = FindingChoice(measure, label or "negative", min_score, target, limit or 0)
    with Graph.open() as graph, graph.about(targets), bar(progress):
        exported = export(graph, source, out, choice, keys=keys, files=files)
    if output == "table":
        rows: dict[str, object] = {
            "form": exported.form,
            "findings": exported.findings,
            "handed back": exported.handed_back,
            "lines": exported.lines,
        }
        rows |= {f"not handed back: {reason}": count for reason, count in exported.left.items()}
        if chosen:
            rows["keys without a statement"] = exported.absent
        show_one(rows, output, title=f"findings in {source}")
    else:
        show_one({**asdict(exported), "out": str(out)}, output)
    if not exported.findings:
        what = (
            f"no statement of {source} about a target is {choice.label} by {measure}" if keys is None else "no key fits"
        )
        click.echo(f"harmgraph: warning: {what}; {out} leaves nothing out", err=True)
    click.echo(f"written to {out}: {exported.taken}", err=True)


@findings.command("list")
@_SOURCE
@_MEASURE
@_LABEL
@_MIN_SCORE
@_TARGET
@targets_option
@_LIMIT
@_FOR_CI
@output_option
@verbose_option
def list_command(
    source: str,
    measure: str,
    label: str,
    min_score: float | None,
    target: str | None,
    targets: tuple[str, ...],
    limit: int | None,
    files: tuple[Path, ...],
    sarif: Path | None,
    annotations: str | None,
    progress: bool,
    output: str,
) -> None:
    """List findings with their ids.

    The same statement has the same id in the next release. --output csv writes a list for 'findings known'.
    """
    from harmgraph.common.ci.github import commands_stopped
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.findings.choosing import FindingChoice
    from harmgraph.loader.findings.code_results import finding_places, listed_results
    from harmgraph.loader.findings.known import listed

    with Graph.open() as graph, graph.about(targets), bar(progress):
        found = listed(graph, source, FindingChoice(measure, label, min_score, target, limit or 0))
        places_of = finding_places(graph, source, files, found)
    _for_ci(source, listed_results(found, places_of), sarif, annotations)
    rows = [finding.row() | {"place": _first(places_of(finding))} for finding in found]
    columns: tuple[str, ...] = (
        "finding",
        "statement",
        "measure",
        "label",
        "score",
        "by",
        "head",
        "type",
        "tail",
        "assertion",
        "sentence",
    )
    shown: tuple[str, ...] = ("finding", "statement", "score") if output == "table" else columns
    shown += ("place",) if files else ()
    with commands_stopped(annotations):
        show(
            [{name: row[name] for name in shown} for row in rows], output, columns=shown, title=f"{label} by {measure}"
        )
        if not rows:
            click.echo(f"no statement of {source} about a target is {label} by {measure}", err=True)


@findings.command("known")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_SOURCE
@_MEASURE
@_LABEL
@_MIN_SCORE
@click.option("--target", type=TargetName(), help="Only new statements about this target.")
@targets_option
@click.option("--fail-on-new", is_flag=True, help="Exit code 3 if there is a new finding.")
@_FOR_CI
@output_option
@verbose_option
@click.pass_context
def known_command(
    ctx: click.Context,
    file: Path,
    source: str,
    measure: str,
    label: str,
    min_score: float | None,
    target: str | None,
    targets: tuple[str, ...],
    fail_on_new: bool,
    files: tuple[Path, ...],
    sarif: Path | None,
    annotations: str | None,
    progress: bool,
    output: str,
) -> None:
    """Show only findings that are new, changed or resolved since FILE.

    FILE is a list that somebody has looked at: what 'findings list' prints as CSV or JSON, or what 'findings export' wrote. A
    finding has changed if its statement now has another label, or a score on the other side of 0. It is resolved if no such
    statement about a target stands any longer.
    """
    from harmgraph.common.ci.github import commands_stopped
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.findings.choosing import FindingChoice
    from harmgraph.loader.findings.code_results import finding_places, known_results
    from harmgraph.loader.findings.known import read_known, since

    known = read_known(file)
    with Graph.open() as graph, graph.about(targets), bar(progress):
        found = since(graph, source, known, FindingChoice(measure, label, min_score, target))
        standing = [*(change.now for change in found.changes if change.now), *found.kept]
        places_of = finding_places(graph, source, files, standing)
    _for_ci(source, known_results(found, places_of, fails=fail_on_new), sarif, annotations)
    rows = [change.row() | {"place": _first(places_of(change.now)) if change.now else None} for change in found.changes]
    columns: tuple[str, ...] = ("state", "finding", "statement", "label_before", "score_before", "label", "score")
    columns += ("place",) if files else ()
    counts = found.counts
    told = ", ".join(f"{counts.get(state, 0):,} {state}" for state in ("new", "changed", "resolved"))
    with commands_stopped(annotations):
        if output != "table" or rows:
            title, keys = f"since {file.name}", ("state", "finding")
            show(rows, output, columns=columns, title=title, keys=keys, first=("statement",))
        click.echo(f"{told}, {found.unchanged:,} as in {file.name}", err=True)
        if found.others:
            others = f"{found.others:,} findings of {file.name} are of another measure and were not looked at"
            click.echo(others, err=True)
    if fail_on_new and counts.get("new"):
        ctx.exit(NEW)


def _for_ci(source: str, results: Sequence[CodeResult], sarif: Path | None, annotations: str | None) -> None:
    from harmgraph.common.ci.writing import write_results

    write_results(f"harmgraph: findings in {source}", results, sarif=sarif, annotations=annotations)


def _first(places: Sequence[object]) -> str | None:
    return str(places[0]) if places else None
