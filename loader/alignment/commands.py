"""``harmgraph align``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from harmgraph.common.command_line import output_option, progress_option, verbose_option
from harmgraph.graph.commands.name_types import SourceName


@click.command()
@click.argument("source", type=SourceName())
@click.option("--to", type=SourceName(), help="Source whose events decide between two forms of a tail, such as aser.")
@click.option("--into", "name", help="Name of the aligned source.  [default: SOURCE-aligned]")
@click.option(
    "--longest",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Leave out events of more words; 0 keeps all.",
)
@progress_option
@output_option
@verbose_option
def align(source: str, to: str | None, name: str | None, longest: int, progress: bool, output: str) -> None:
    """Write a source as another source whose nodes are events in the common form.

    Events that 'load' aligned are taken as they are. ConceptNet's, and those loaded with --as-written, are aligned now. Tails of
    xWant, oWant and xNeed can begin with 'want to' or 'need to', or not. With --to, the form that the other source has is kept;
    otherwise, the longer one.
    """
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.alignment.align import ALIGNED, align_source

    with Graph.open() as graph, bar(progress):
        report = align_source(graph, source, name or f"{source}-{ALIGNED}", to=to, longest=longest)
    row: dict[str, Any] = asdict(report)
    if output == "table":
        row |= {f"left out: {reason}": count for reason, count in row.pop("left_out").items()}
    show_one(row, output, title=f"aligned {source}")
