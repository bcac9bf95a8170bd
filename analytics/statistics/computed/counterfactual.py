"""``harmgraph stats counterfactual``: how differently a model speaks of the values of an attribute."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.counterfactual.fairness_columns import HEADINGS as FAIRNESS_HEADINGS
from harmgraph.analytics.statistics.computed_statistic import Computed
from harmgraph.analytics.statistics.table import (
    max_unlabelled_option,
    measure_option,
    min_samples_option,
    permutations_option,
    records,
    show_rows,
    top_option,
)
from harmgraph.common.command_line import output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import SourceName

if TYPE_CHECKING:
    import pandas

    from harmgraph.analytics.counterfactual.evaluation import CounterfactualResult
    from harmgraph.graph.connection import Graph

DIGITS = 4
KEYS = {
    "attribute": ("attribute",),
    "template": ("attribute", "template"),
    "pair": ("attribute", "a", "b"),
    "value": ("attribute", "value"),
}
FIRST = {
    "attribute": ("i_f", "i_f_floor", "i_f_excess", "i_f_p"),
    "template": ("i_f", "i_f_floor", "i_f_excess", "i_f_p"),
    "pair": ("w1", "w1_floor", "w1_excess", "w1_p", "w1_q"),
    "value": ("w1", "w1_floor", "w1_excess", "w1_p", "w1_q"),
}
SIDE_BY_SIDE = ("i_f_excess", "i_f_excess_change", "g_f_excess", "g_f_excess_change")
DRAWN = {"attribute": ("i_f", "g_f", "pooled"), "template": ("i_f",), "pair": ("w1",), "value": ("w1",)}
WHOLE_NUMBERS = ("values", "subgroups", "templates", "shared", "n", "unlabelled")


@click.command("counterfactual", short_help="Does a model speak of one group as of another")
@click.option("--source", type=SourceName(), required=True, help="Samples of a model, from 'load generations'.")
@click.option(
    "--beside",
    type=SourceName(),
    multiple=True,
    help="Samples of the same prompts, to compare with --source; may be given again.",
)
@measure_option
@click.option("--attribute", help="Only this attribute.  [default: all of the source's]")
@click.option(
    "--by",
    type=click.Choice(tuple(KEYS)),
    default="attribute",
    show_default=True,
    help="What a row is.",
)
@min_samples_option
@permutations_option
@click.option(
    "--resamples",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Times that templates and samples are drawn again, for the intervals.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of permutations and resamples."
)
@click.option("--figure", type=FileToWrite(), help="Draw the rows of the table into this file: .svg, .png, .pdf.")
@click.option("--save", is_flag=True, help="Save the numbers of each attribute as Run and Measurement nodes.")
@top_option
@max_unlabelled_option
@progress_option
@output_option
@verbose_option
def command(
    source: str,
    beside: tuple[str, ...],
    measure: str,
    attribute: str | None,
    by: Any,
    min_samples: int,
    permutations: int,
    resamples: int,
    seed: int,
    figure: Path | None,
    save: bool,
    top: int,
    max_unlabelled: float | None,
    progress: bool,
    output: str,
) -> None:
    """How differently a model speaks of the values of an attribute: I.F., G.F.

    It shows distances between the score distributions of values (Wasserstein-1). Each has its floor, the distance that chance
    alone gives, and its excess over that, with p and an interval. The largest of all
    pairs and templates is max_w1. If it is below epsilon, the model is fair by equation 2. See docs/counterfactual.md.

    With --beside it shows several sources, and how much each differs from the first. It uses only prompts of which every
    source has enough samples.

    Huang et al. 2020, equations 1 to 4
    """
    from harmgraph.analytics.counterfactual.evaluation import counterfactual, side_by_side
    from harmgraph.analytics.counterfactual.figure import write_figure
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph

    if save and by != "attribute":
        raise click.UsageError("--save keeps the numbers of attributes: leave --by out")
    if beside and (save or by != "attribute"):
        raise click.UsageError("--beside compares attributes, and keeps nothing: leave --by and --save out")
    if twice := [name for name, count in Counter((source, *beside)).items() if count > 1]:
        raise click.UsageError(f"the source {twice[0]} is given twice: name each once")
    check_ending(figure)
    with Graph.open() as graph:
        with bar(progress):
            chosen: dict[str, Any] = {
                "attribute": attribute,
                "min_samples": min_samples,
                "permutations": permutations,
                "resamples": resamples,
                "seed": seed,
            }
            if beside:
                result = side_by_side(graph, (source, *beside), measure, **chosen)
            else:
                result = counterfactual(graph, source, measure, by=by, **chosen)
        part = result.unlabelled()
        part.check(max_unlabelled)
        if save:
            click.echo(f"saved as run {_saved(graph, result, {'measure': measure, **chosen})}", err=True)
    rows = records(result.frame)
    title = f"Counterfactual evaluation of {result.source} by {measure}"
    keys = ("attribute", "source") if beside else KEYS[by]
    if figure:
        write_figure(figure, rows[: top or None], ("i_f", "g_f") if beside else DRAWN[by], keys, title)
    columns = list(result.frame.columns)
    show_rows(
        rows,
        top,
        output,
        columns=columns,
        title=title,
        keys=keys,
        first=SIDE_BY_SIDE if beside else FIRST[by],
        digits={name: DIGITS for name in columns if name not in (*keys, *WHOLE_NUMBERS)},
        headings=HEADINGS,
    )
    for remark in result.remarks():
        click.echo(remark, err=True)
    if part.unlabelled:
        click.echo(
            f"{part.unlabelled:,} of {part.n:,} samples carry no label of {measure} and are left out: "
            "run 'harmgraph label' first",
            err=True,
        )


def _saved(graph: Graph, result: CounterfactualResult, parameters: Mapping[str, Any]) -> str:
    """Saves the numbers of each attribute for the source; the attribute is the scope of a number. What is not one is left out.

    Args:
        result: with a row for each attribute.

    Returns:
        The id of the run.
    """
    from harmgraph.analytics.counterfactual.evaluation import WHOLE
    from harmgraph.analytics.statistics.measurements import Measurement, save_run
    from harmgraph.graph.contents.basis import basis

    measurements = [
        Measurement(
            f"counterfactual.{metric}",
            row["attribute"],
            result.measure,
            result.source,
            value=row[metric],
            low=row.get(f"{metric}_low"),
            high=row.get(f"{metric}_high"),
            n=row["n"],
            unlabelled=row["unlabelled"],
        )
        for row in result.frame.to_dict("records")
        for name in WHOLE
        if not math.isnan(row[name])
        for metric in (name, f"{name}_floor", f"{name}_excess")
    ]
    on = basis(graph, [result.source], lists=False, measures=[result.measure])
    return save_run(graph, "stats counterfactual", {"source": result.source, **parameters}, measurements, on)


HEADINGS = {
    **FAIRNESS_HEADINGS,
    **{
        f"{name}{ending}": f"{title}{said}"
        for name, title in (("i_f", "I.F."), ("g_f", "G.F."), ("w1", "W1"), ("max_w1", "largest W1"), ("gap", "gap"))
        for ending, said in (("", ""), ("_floor", " floor"), ("_excess", " less floor"), ("_p", " p"), ("_q", " q"))
    },
    "a_minus_b": "a minus b",
    "shared": "templates of all values",
}

WHOLE = ("i_f", "g_f", "pooled", "max_w1")
SAVES = tuple(f"{name}{ending}" for name in WHOLE for ending in ("", "_floor", "_excess"))


def frame(
    graph: Graph, source: str, measure: str = "sentiment", beside: Sequence[str] = (), **parameters: Any
) -> pandas.DataFrame:
    """The table; see ``counterfactual.evaluation.counterfactual``, and ``side_by_side`` with sources ``beside``."""
    from harmgraph.analytics.counterfactual.evaluation import counterfactual, side_by_side

    if beside:
        return side_by_side(graph, (source, *beside), measure, **parameters).frame
    return counterfactual(graph, source, measure, **parameters).frame


def _judged(name: str, *, ends: bool = True, q: bool = True) -> dict[str, str]:
    """The columns of a number: its interval where ``ends``, what chance gives, and p; and q where there are several."""
    every = ("", *(("_low", "_high") if ends else ()), "_floor", "_excess", "_p")
    return {f"{name}{end}": "float|null" for end in every} | ({f"{name}_q?": "float|null"} if q else {})


def _beside(name: str) -> dict[str, str]:
    """The columns of a number beside that of another source."""
    ends = ("", "_low", "_high")
    changes = (f"{part}{end}" for part in ("_excess", "_change", "_excess_change") for end in ends)
    return {f"{name}{end}": "float|null" for end in (*ends, "_floor", "_p", *changes)}


_PLACES = {"attribute": "string", "templates": "int"}
_COUNTS = dict.fromkeys(("values", "subgroups", "shared", "n", "unlabelled"), "int")
ROWS = (
    {**_PLACES, **_COUNTS, **{key: kind for name in WHOLE for key, kind in _judged(name, q=False).items()}},
    {"attribute": "string", "template": "string", "values": "int", "n": "int", **_judged("i_f")},
    {
        **_PLACES,
        **{"a": "string", "b": "string", "a_minus_b": "float", "pooled": "float|null"},
        **{**_judged("w1"), **_judged("max_w1", ends=False), "max_w1_template": "string"},
        **{**_judged("gap", ends=False), "gap_threshold": "float|null", "gap_template": "string"},
    },
    {
        **_PLACES,
        **{"value": "string", "subgroup": "string", "n": "int", "mean": "float|null", "mean_minus_all": "float|null"},
        **_judged("w1"),
    },
    {
        **_PLACES,
        **{"source": "string", "n": "int", "unlabelled": "int"},
        **{key: kind for name in ("i_f", "g_f") for key, kind in _beside(name).items()},
    },
)
"""Rows of an attribute, a template, a pair and a value; and of an attribute and a source beside others."""
STATISTIC = Computed("counterfactual", "models", "Huang et al. 2020, equations 1 to 4", command, frame, SAVES, ROWS)
