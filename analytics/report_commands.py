"""``harmgraph report``."""

from __future__ import annotations

from pathlib import Path

import click

from graph.command_line import verbose_option


@click.command()
@click.option(
    "--source",
    "sources",
    multiple=True,
    help="Name of a source; may be given again.  [default: every source with statements]",
)
@click.option("--measure", default="sentiment", show_default=True, help="Harm measure.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="harmgraph-report",
    show_default=True,
    help="Folder to write to.",
)
@verbose_option
def report(sources: tuple[str, ...], measure: str, out: Path) -> None:
    """Write the HTML report of one or more sources. It quotes what the sources say, offensive or not."""
    from analytics.report import write
    from graph import sources as loaded
    from graph.connection import Graph
    from graph.errors import InputError

    with Graph.open() as graph:
        chosen = list(sources) or [
            facts["name"]
            for facts in loaded.every(graph)
            if facts.get("state") == "complete" and not facts["counts"].get("targets")
        ]
        if not chosen:
            raise InputError("nothing is loaded", remedy="load a knowledge base first ('harmgraph load --list')")
        page = write(graph, chosen, out, measure=measure)
    click.echo(page)
