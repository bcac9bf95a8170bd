"""``harmgraph stats retrained``: does it help to filter what a model learns from?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.statistics.computed_statistic import Computed
from harmgraph.analytics.statistics.table import max_unlabelled_option, measure_option, records, show_rows, top_option
from harmgraph.common.command_line import output_option, progress_option, verbose_option
from harmgraph.graph.commands.name_types import CategoryName, SourceName, targets_option

if TYPE_CHECKING:
    import pandas

    from harmgraph.graph.connection import Graph

SAVES = ("neutral_mean", "neutral_variance", "word_perplexity", "known_percent", "removed_percent")


@click.command("retrained", short_help="Does it help to filter what a model learns")
@click.argument("first", type=SourceName())
@click.argument("other", type=SourceName())
@click.option(
    "--also", type=SourceName(), multiple=True, help="Another source of a model's statements, shown beside them."
)
@measure_option
@click.option(
    "--category", type=CategoryName(), help="Only this category of targets.  [default: all targets, then each category]"
)
@click.option(
    "--min-support",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out targets of which a model has fewer statements.",
)
@click.option(
    "--resamples", type=click.IntRange(0), default=2_000, show_default=True, help="Resamples for the intervals."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the resamples.")
@click.option("--save", is_flag=True, help="Save the changes as Run and Measurement nodes.")
@targets_option
@top_option
@max_unlabelled_option
@progress_option
@output_option
@verbose_option
def command(
    first: str,
    other: str,
    targets: tuple[str, ...],
    also: tuple[str, ...],
    save: bool,
    top: int,
    max_unlabelled: float | None,
    progress: bool,
    output: str,
    **chosen: Any,
) -> None:
    """Compare what models say that learnt from OTHER with what models say that learnt from FIRST.

    NSM and NSV (NRM and NRV of regard) are mean and variance, over the targets, of the share of neutral statements in percent.
    Three more numbers show the cost: perplexity per word on the held-out part of FIRST, the share of statements that FIRST
    has, and the share that FIRST has and OTHER lacks. Intervals are over models and targets. p is exact: over all ways to
    divide the models into two groups.

    Mehrabi et al. 2021, table 7 and section 4.3
    """
    from harmgraph.analytics.statistics.comparison.retrained import retrained, saved
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph, graph.about(targets):
        with bar(progress):
            result = retrained(graph, first, other, also=also, **chosen)
        part = result.unlabelled()
        part.check(max_unlabelled)
        if save:
            run = saved(graph, result, {"first": first, "other": other, "also": list(also), **chosen})
            click.echo(f"saved as run {run}", err=True)
    rows = records(result.frame)
    show_rows(
        rows,
        top,
        output,
        columns=list(result.frame.columns),
        title=f"Models that learnt from {first} and from {other}, by {chosen['measure']}",
        keys=("category", "number"),
        first=("first", "other", "change", "change_low", "change_high", "p"),
        digits=dict.fromkeys(("first", "other", "change", "change_low", "change_high", *also), 2) | {"p": 3},
    )
    for remark in result.remarks():
        click.echo(remark, err=True)
    if part.unlabelled:
        click.echo(
            f"{part.unlabelled:,} of {part.n:,} {part.what} have no label of {chosen['measure']} and count as not "
            "neutral: run 'harmgraph label' first",
            err=True,
        )


def frame(graph: Graph, first: str, other: str, measure: str = "sentiment", **parameters: Any) -> pandas.DataFrame:
    """The table; see ``comparison.retrained.retrained``."""
    from harmgraph.analytics.statistics.comparison.retrained import retrained

    return retrained(graph, first, other, measure, **parameters).frame


NUMBERS = dict.fromkeys(("first", "other", "change", "change_low", "change_high", "p"), "float|null")
MODELS = {"first_models": "int", "other_models": "int", "targets": "int|null"}
ROW = {"category": "string", "number": "string", **NUMBERS, **MODELS}
STATISTIC = Computed(
    "retrained", "models", "Mehrabi et al. 2021, table 7 and section 4.3", command, frame, SAVES, (ROW,)
)
