"""``harmgraph filter``: the statements without a harm label, as a file or as a new source."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.filtering.filter import FORMATS
from harmgraph.common.command_line import output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import MeasureName, SourceName

if TYPE_CHECKING:
    from harmgraph.analytics.filtering.filter import Filtered

SHOWN = 15


def _listed(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not names:
        raise click.BadParameter("name at least one")
    return names


def _each(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The names without repetitions; a value may have several, separated by commas, as the option's old name took them."""
    return _listed(context, option, ",".join(values))


@click.command(name="filter")
@click.option("--source", required=True, type=SourceName(), help="The source to filter.")
@click.option(
    "--measure",
    "measures",
    type=MeasureName(),
    multiple=True,
    default=("sentiment",),
    show_default=True,
    callback=_each,
    help="Harm measure; may be given again.",
)
@click.option(
    "--keep", default="neutral", show_default=True, callback=_listed, help="Labels to keep, separated by commas."
)
@click.option("--out", type=FileToWrite(), help="File to write.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="Format of the file; triples or genericskb by default."
)
@click.option("--into", type=SourceName(), help="Write the result into the graph, as a source of this name.")
@progress_option
@output_option
@verbose_option
def filter_command(
    source: str,
    measures: tuple[str, ...],
    keep: tuple[str, ...],
    out: Path | None,
    form: str | None,
    into: str | None,
    progress: bool,
    output: str,
) -> None:
    """Keep only the statements that are neutral by every given measure.

    Statements without a target and without a label are kept, and counted. 'harmgraph label SCORER --all' labels them too.
    Mehrabi et al. 2021, section 4.3.
    """
    if not out and not into:
        raise click.UsageError("Give --out FILE, --into NAME or both.")
    from harmgraph.analytics.filtering.filter import FilteredStatement, filtered, line_of
    from harmgraph.analytics.filtering.source import keep_as
    from harmgraph.common.progress import bar
    from harmgraph.common.whole_file import written
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph, bar(progress):
        if out:
            with written(out) as file:

                def take(row: FilteredStatement) -> None:
                    file.write(line_of(row, form or ("triples" if row.relation else "genericskb")) + "\n")

                result = filtered(graph, source, measures, keep, take)
        else:
            result = filtered(graph, source, measures, keep, lambda row: None)
        if into:
            keep_as(graph, into, source, measures, keep)
    _show(result, source, out, into, output)


def _show(result: Filtered, source: str, out: Path | None, into: str | None, output: str) -> None:
    from harmgraph.common.output import show, show_one

    if output == "json":
        show_one({**asdict(result), "out": str(out) if out else None, "into": into}, output)
        return
    summary: dict[str, Any] = {
        "before": result.before,
        "kept": result.kept,
        "removed": result.before - result.kept,
        "kept_without_label": result.unlabelled,
        "targets_before": len(result.targets),
        "targets_lost": len(result.lost),
    }
    for measure, (before, after) in result.neutral.items():
        for name in ("mean", "variance"):
            summary[f"neutral_{measure}_{name}_before"] = getattr(before, name)
            summary[f"neutral_{measure}_{name}_after"] = getattr(after, name)
    if output != "table":
        show_one(summary, output)
        return
    show_one({name.replace("_", " "): value for name, value in summary.items()}, output, title=f"{source}, filtered")
    for title, counts in (("relation", result.relations), ("target", result.targets)):
        lost_most = sorted(counts.items(), key=lambda item: item[1][1] - item[1][0])
        rows = [
            {
                title: name,
                "before": before,
                "kept": kept,
                "removed": before - kept,
                "removed_percent": _percent(before, kept),
            }
            for name, (before, kept) in lost_most
            if name
        ]
        if rows:
            more = f", the {SHOWN} that lost most of {len(rows):,}" if len(rows) > SHOWN else ""
            show(rows[:SHOWN], output, title=f"by {title}{more}")
    if result.lost:
        click.echo(
            f"no statement is left of: {', '.join(result.lost[:SHOWN])}" + (" ..." if len(result.lost) > SHOWN else "")
        )


def _percent(before: int, kept: int) -> float:
    return 100 * (before - kept) / before
