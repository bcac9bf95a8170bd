"""``harmgraph stats side_by_side``: does a model repeat its knowledge base, target by target?"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.statistics.computed_statistic import Computed
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.analytics.statistics.table import measure_option, records, show_rows, top_option
from harmgraph.common.command_line import output_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.common.output import heading
from harmgraph.graph.commands.name_types import SourceName, targets_option

if TYPE_CHECKING:
    import pandas

    from harmgraph.graph.connection import Graph

TWO = 2


@click.command("side_by_side", short_help="O- and O+ in two sources: rank correlation")
@click.option(
    "--source",
    "sources",
    type=SourceName(),
    multiple=True,
    help="Give it twice: the source that was learnt, then the source of what is said.",
)
@measure_option
@click.option(
    "--min-support",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Fewest statements that a target must have in both.",
)
@click.option(
    "--by",
    type=click.Choice(("category", "target")),
    default="category",
    show_default=True,
    help="What a row is.",
)
@click.option(
    "--side",
    type=click.Choice(("o_minus", "o_plus")),
    default="o_minus",
    show_default=True,
    help="Which share the figure shows.",
)
@click.option("--figure", type=FileToWrite(), help="Draw the targets with their names: .svg, .png, .pdf.")
@targets_option
@top_option
@output_option
@verbose_option
def command(
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    measure: str,
    min_support: int,
    by: str,
    side: str,
    figure: Path | None,
    top: int,
    output: str,
) -> None:
    """O- and O+ of each target in two sources, and their rank correlation.

    Does a model repeat its knowledge base, target by target? It shows Spearman's correlation over the targets that both sources
    speak of, for all of them and per category. Its 95 % interval is that of Bonett and Wright (2000).

    Mehrabi et al. 2021, equations 1 and 2
    """
    from harmgraph.analytics.statistics.comparison.side_by_side import side_by_side, write_figure
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.graph.connection import Graph

    if len(sources) != TWO:
        raise click.UsageError("give --source twice: --source KB --source GENERATIONS")
    source, other = sources
    check_ending(figure)
    with Graph.open() as graph, graph.about(targets):
        result = side_by_side(graph, source, other, measure, min_support=min_support)
    if figure:
        write_figure(figure, result, side)
    frame = result.correlations if by == "category" else result.targets
    rows = records(frame)
    show_rows(
        rows,
        top,
        output,
        columns=list(frame.columns),
        title=f"{source} and {other} by {measure}",
        keys=(by,),
        first=("targets", "o_minus_spearman", "o_plus_spearman") if by == "category" else ("o_minus", "other_o_minus"),
        headings=_headings(frame.columns, source, other),
    )


def _headings(columns: Collection[str], source: str, other: str) -> dict[str, str]:
    """The headings of the columns that there are for both sources, with their names."""
    theirs = {name: name.removeprefix("other_") for name in columns if name.startswith("other_")}
    return {name: f"{source} {heading(name)}" for name in theirs.values()} | {
        name: f"{other} {heading(own)}" for name, own in theirs.items()
    }


def frame(graph: Graph, source: str, other: str, *, by: str = "category", **parameters: Any) -> pandas.DataFrame:
    """The table by category or target; see ``comparison.side_by_side.side_by_side``."""
    from harmgraph.analytics.statistics.comparison.side_by_side import side_by_side

    result = side_by_side(graph, source, other, **parameters)
    return result.targets if by == "target" else result.correlations


CITES = "Mehrabi et al. 2021, equations 1 and 2; Bonett and Wright 2000"
CORRELATED = {
    f"{side}_spearman{end}": "float|null" for side in ("o_minus", "o_plus") for end in ("", "_low", "_high")
} | {f"{of}{side}_mean": "float" for side in ("o_minus", "o_plus") for of in ("", "other_")}
OF_CATEGORY = {"category": "string", "targets": "int", "n": "int", "other_n": "int", **CORRELATED}
OF_TARGET = {column.name: column.type for column in statistic("compare").columns}
STATISTIC = Computed("side_by_side", "comparison", CITES, command, frame, rows=(OF_CATEGORY, OF_TARGET))
