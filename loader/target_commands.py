"""``harmgraph target``: the groups that can be harmed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph.command_line import output_option, verbose_option
from graph.name_types import CategoryName, SourceName


@click.group()
@verbose_option
def target() -> None:
    """Groups that can be harmed: list, load."""


@target.command("list")
@click.option("--category", type=CategoryName(), help="One category only.")
@output_option
@verbose_option
def list_targets(category: str | None, output: str) -> None:
    """All targets with their category, aliases, and how many concepts, sentences and entities mean them."""
    from graph.connection import Graph
    from graph.output import show
    from loader.default_targets import ensure

    with Graph.open() as graph:
        ensure(graph)
        rows = graph.rows("explore/targets", category=category, limit=1_000_000)
    show(
        rows,
        output,
        columns=["target", "category", "language", "aliases", "concepts", "statements", "entities", "source"],
        first=("category", "source"),
    )


@target.command("load")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--source", type=SourceName(), help="Name of the list in the graph.  [default: the file's]")
@click.option("--language", default="en", show_default=True, help="Language of the names.")
@click.option("--header/--no-header", default=None, help="Whether the first line names the columns and is left out.")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask where more than half of the list would be removed.")
@output_option
@click.pass_context
@verbose_option
def load_targets(ctx: click.Context, /, file: Path, **given: Any) -> None:
    """Load a list of targets, name,category[,alias...]: the same as 'harmgraph load targets FILE'."""
    from loader.commands import load

    command = load.get_command(ctx, "targets")
    assert command is not None
    ctx.invoke(command, files=(file,), max_rejects=0.01, **given)
