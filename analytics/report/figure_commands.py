"""``harmgraph figure``: one figure alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harmgraph.analytics.report.commands import people_labels, what_options
from harmgraph.graph.common.command_line import Member, output_option, verbose_option

if TYPE_CHECKING:
    from harmgraph.analytics.drawing.drawing import Drawing
    from harmgraph.analytics.drawing.numbers import Numbers, Subject


def _figure_names() -> tuple[str, ...]:
    from harmgraph.analytics.drawing.drawing import figures

    return figures.names()


@click.command()
@click.argument("name", required=False, type=Member("figure", _figure_names))
@click.option("--list", "listing", is_flag=True, help="List the figures.")
@what_options
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; its ending is .svg, .png or .pdf."
)
@output_option
@verbose_option
def figure(
    name: str | None,
    listing: bool,
    sources: tuple[str, ...],
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
    from harmgraph.analytics.drawing.drawing import figures, in_order
    from harmgraph.graph.common.output import show

    if listing:
        rows = [
            {"figure": drawing.name, "what": drawing.title, "of": drawing.scope.value, "after": drawing.paper}
            for drawing in in_order()
        ]
        show(rows, output)
        return
    if name is None or out is None:
        raise click.UsageError(
            "Name a figure ('harmgraph figure --list') and the file: harmgraph figure NAME --out FILE.svg"
        )
    from harmgraph.analytics.drawing.numbers import Numbers, chosen_measures, chosen_sources
    from harmgraph.analytics.drawing.renderer import render_figure
    from harmgraph.graph.common.whole_file import write_whole
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.plotting.canvas import FORMATS, rendered

    kind = out.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise click.UsageError(f"{out} ends in none of {', '.join('.' + form for form in FORMATS)}.")
    drawing = figures.get(name)
    ratings = people_labels(human_sentences, human_labels, human_csv)
    with Graph.open() as graph:
        numbers = Numbers(graph, min_support=min_support, resamples=resamples, seed=seed, ratings=ratings)
        chosen = chosen_sources(graph, sources)
        subject = _subject(drawing, numbers, chosen, chosen_measures(numbers, chosen, measures))
        rendered_figure = render_figure(drawing, numbers, subject)
        content = rendered(rendered_figure, kind, title=drawing.title, alt=drawing.alt(numbers, subject))
    write_whole(out, content, remedy="choose another file with --out")
    click.echo(out)


def _subject(drawing: Drawing, numbers: Numbers, sources: tuple[str, ...], measures: tuple[str, ...]) -> Subject:
    """The subject to draw.

    Raises:
        InputError: the figure needs one source or two, and a different number was chosen.
    """
    from harmgraph.analytics.drawing.drawing import Scope
    from harmgraph.analytics.drawing.numbers import Subject
    from harmgraph.graph.common.errors import InputError

    wanted = 2 if drawing.scope is Scope.PAIR else 1
    of = f"{drawing.name} needs {drawing.scope.value}"
    if drawing.scope is not Scope.REPORT and len(sources) != wanted:
        several = f"{len(sources)} sources: {', '.join(sources)}"
        raise InputError(
            f"{of}, and there are {several}" if len(sources) > 1 else f"{of}, and there is one",
            remedy="name them with --source",
        )
    subject = next(iter(drawing.subjects(numbers, sources, measures)), None)
    return subject or Subject(sources, measures[:1])
