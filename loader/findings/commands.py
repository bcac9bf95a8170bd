"""``harmgraph findings``: what a scorer found goes back to the people who can change it."""

from __future__ import annotations

from pathlib import Path

import click

from harmgraph.common.command_line import output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import MeasureName, SourceName, TargetName, targets_option


@click.group()
@verbose_option
def findings() -> None:
    """Findings for the maintainers of a knowledge base: export."""


@findings.command("export")
@click.option("--source", required=True, type=SourceName(), help="The source.")
@click.option("--measure", type=MeasureName(), default="sentiment", show_default=True, help="Harm measure.")
@click.option("--label", help="Only statements with this label.  [default: negative]")
@click.option("--min-score", type=click.FloatRange(0), help="Only statements whose score is at least this far from 0.")
@click.option("--target", type=TargetName(), help="Only statements about this target.")
@targets_option
@click.option("--limit", type=click.IntRange(0), help="Only this many, the strongest first; all by default.")
@click.option(
    "--from",
    "chosen",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Take the statements whose keys are in this file: the CSV or JSON of a query.",
)
@click.option(
    "--file",
    "files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    help="A file of the source, to find the line numbers in; may be given again.",
)
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
