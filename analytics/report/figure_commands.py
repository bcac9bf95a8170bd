"""``harmgraph figure``: one figure alone."""

from __future__ import annotations

from pathlib import Path

import click

from harmgraph.analytics.report.commands import people_labels, what_options
from harmgraph.common.command_line import Member, output_option, verbose_option
from harmgraph.common.errors import InputError
from harmgraph.common.files_to_write import FileToWrite


def _figure_names() -> tuple[str, ...]:
    from harmgraph.analytics.drawing.drawing import figures

    return figures.names()


@click.command()
@click.argument("name", required=False, type=Member("figure", _figure_names))
@click.option("--list", "listing", is_flag=True, help="List the figures.")
@what_options
@click.option("--out", type=FileToWrite(), help="File to write; its ending is .svg, .png or .pdf.")
@output_option
@verbose_option
def figure(
    name: str | None,
    listing: bool,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    measures: tuple[str, ...],
    min_support: int,
    resamples: int,
    seed: int,
    human_sentences: Path | None,
    human_labels: Path | None,
    human_csv: Path | None,
    out: Path | None,
    output: str,
) -> None:
    """Draw one figure of the report into a file.

    It may quote statements of the sources, including offensive ones.
    """
    from harmgraph.analytics.drawing.drawing import in_order
    from harmgraph.common.output import show_list

    if listing:
        rows = [
            {"figure": drawing.name, "what": drawing.title, "of": drawing.scope.value, "after": drawing.paper}
            for drawing in in_order()
        ]
        show_list(rows, output, line=("figure", "what"), group="of", then="after")
        return
    if name is None or out is None:
        raise click.UsageError(
            "Name a figure ('harmgraph figure --list') and the file: harmgraph figure NAME --out FILE.svg"
        )
    from harmgraph.analytics.report.figure import figure as drawn
    from harmgraph.common.plotting.canvas import file_kind
    from harmgraph.graph.connection import Graph

    try:
        file_kind(out)
    except InputError as error:
        raise click.UsageError(str(error)) from error
    ratings = people_labels(human_sentences, human_labels, human_csv)
    with Graph.open() as graph, graph.about(targets):
        picture = drawn(
            graph,
            name,
            sources=sources,
            measures=measures,
            min_support=min_support,
            resamples=resamples,
            seed=seed,
            ratings=ratings,
        )
    picture.save(out)
    click.echo(out)
