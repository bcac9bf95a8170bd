"""``harmgraph stats``: one subcommand for each statistic, built from the header of its Cypher statement, or its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.statistics.chance import DIGITS
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.correction_options import OPTIONS, Correction, taken
from harmgraph.analytics.statistics.statistic import Statistic, every_statistic, statistic, statistic_names
from harmgraph.analytics.statistics.table import max_unlabelled_option, pooled_option, records, show_rows, top_option
from harmgraph.common.command_line import Family, output_option, together, verbose_option
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.commands.name_types import (
    OF_PARAMETER,
    CategoryName,
    MeasureName,
    MetricName,
    SourceName,
    TargetName,
    targets_option,
)
from harmgraph.graph.statements import Parameter

if TYPE_CHECKING:
    from harmgraph.analytics.labelling.unlabelled import Unlabelled
    from harmgraph.graph.connection import Graph

CLICK_TYPES: dict[str, Any] = {"string": str, "int": int, "float": float, "bool": bool}
GROUPS = ("rates", "disparity", "comparison", "words", "graph", "frames", "models")
"""The groups in the order of the list; a statistic's header can name another one, which follows them."""
KEPT = "kept numbers"
TELLS = (
    "\n\nWith each rate come p, q (beyond chance at 0.05 or less), and the least difference that so many statements could "
    "have shown."
)
NO_SAMPLE = (
    "by the confusion matrix: these labels do not say which statements of the graph they are of, as those of "
    "'harmgraph review' do; the scorer is taken to err in their sentences as in the graph"
)
NO_FIT = "no statement matches the options, or none has a label ('harmgraph label --list')"


class StatisticsGroup(Family):
    """The statistics as subcommands, and ``history``."""

    order = GROUPS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*sorted((*statistic_names(), *computed.names())), "history"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "history":
            return history_command
        name = cmd_name.replace("-", "_")
        return computed.get(name).command if name in computed.names() else _command(statistic(name))

    def group_of(self, name: str) -> str:
        """The group that the statistic's header, or its own file, names."""
        if name == "history":
            return KEPT
        return computed.get(name).group if name in computed.names() else statistic(name).group


@click.group(cls=StatisticsGroup, invoke_without_command=True, subcommand_metavar="[NAME]")
@output_option
@verbose_option
@click.pass_context
def stats(ctx: click.Context, output: str) -> None:
    """Statistics per target group, computed in Cypher. Without NAME, list them."""
    if ctx.invoked_subcommand:
        return
    from harmgraph.common.output import show_list

    rows = [
        {
            "statistic": statistic.name,
            "group": statistic.group,
            "title": statistic.statement.title,
            "what": statistic.statement.description,
            "from": "; ".join(statistic.statement.cites),
        }
        for statistic in every_statistic()
    ]
    rows += [_listed(each.name, each.group, each.command, each.cites) for each in computed]
    rows = [*sorted(rows, key=lambda row: row["statistic"]), _listed("history", KEPT, history_command, "")]
    show_list(rows, output, line=("statistic", "title"), group="group", order=GROUPS)
    if output == "table":
        click.echo("\nharmgraph stats NAME --help: what it takes, how it is computed, whom to cite")


def _listed(name: str, group: str, command: click.Command, cites: str) -> dict[str, str]:
    """The row of a statistic with a command of its own: the first paragraph of its help says what it gives."""
    what = " ".join((command.help or "").partition("\n\n")[0].split())
    return {"statistic": name, "group": group, "title": command.short_help or "", "what": what, "from": cites}


def _command(statistic: Statistic) -> click.Command:
    def run(output: str, cypher: bool, resamples: int, seed: int, top: int, **parameters: Any) -> None:
        correction = taken(parameters)
        save = parameters.pop("save", False)
        limit = parameters.pop("max_unlabelled", None)
        pooled = parameters.pop("pooled", False)
        if pooled and correction.labels:
            raise click.UsageError("--pooled and --corrected do not go together.")
        if pooled and save:
            raise click.UsageError("--save keeps no pooled rates: leave --pooled or --save out.")
        arguments = {name: list(value) if isinstance(value, tuple) else value for name, value in parameters.items()}
        targets = arguments.pop("targets", ())
        _show(statistic, arguments, targets, correction, output, cypher, save, resamples, seed, top, limit, pooled)

    keeps = click.option("--save", is_flag=True, help="Save the numbers as Run and Measurement nodes.")
    decorated = together(
        click.option("--cypher", is_flag=True, help="Print the statement with its parameters, ready to paste."),
        *([keeps] if statistic.saves else []),
        click.option(
            "--resamples", type=click.IntRange(1), default=2_000, show_default=True, help="Bootstrap resamples."
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap."),
        top_option,
        output_option,
        verbose_option,
        *([max_unlabelled_option] if statistic.labels_all else []),
        *(OPTIONS if statistic.corrects else []),
        *([pooled_option] if statistic.pools else []),
        *(targets_option if each.name == LISTS else _option(each) for each in statistic.statement.parameters),
    )
    tells = TELLS if statistic.tests else ""
    cites = "".join(f"\n\n{line}" for line in statistic.statement.cites)
    return click.command(
        statistic.name, help=f"{statistic.statement.description}{tells}{cites}", short_help=statistic.statement.title
    )(decorated(run))


def _option(parameter: Parameter) -> Any:
    flag = "--" + parameter.name.replace("_", "-")
    several = parameter.type.startswith("list")
    kind = OF_PARAMETER.get(parameter.name) or CLICK_TYPES.get(parameter.type, str)
    help_text = parameter.meaning[:1].upper() + parameter.meaning[1:] + "."
    if kind is bool:
        return click.option(flag, parameter.name, is_flag=True, default=bool(parameter.default), help=help_text)
    if parameter.required:
        return click.argument(parameter.name, type=kind)
    default = tuple(parameter.default) if several else parameter.default
    return click.option(
        flag,
        parameter.name,
        type=kind,
        multiple=several,
        default=default,
        show_default=default is not None and not several,
        help=help_text,
    )


def _show(
    statistic: Statistic,
    parameters: dict[str, Any],
    targets: Sequence[str],
    correction: Correction,
    output: str,
    cypher: bool,
    save: bool,
    resamples: int,
    seed: int,
    top: int,
    max_unlabelled: float | None,
    pooled: bool,
) -> None:
    if cypher:
        click.echo(statistic.pasteable(**parameters, **({LISTS: list(targets)} if targets else {})))
        return
    from harmgraph.analytics.statistics.unlabelled import unlabelled
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.sources import every, is_list_of_targets
    from harmgraph.graph.driver.alone import driver_alone

    if parameters.get("target"):
        from harmgraph.graph.records import normalise

        parameters["target"] = normalise(parameters["target"])
    if not (correction.labels or save):
        driver_alone()
    with Graph.open() as graph, graph.about(targets):
        saved = dict(parameters)
        remarks: list[str] = []
        if correction.labels:
            frame, basis, remarks = _corrected(statistic, graph, correction, resamples, seed, parameters)
            saved |= {"corrected": basis}
            rows, names = records(frame), list(frame.columns)
        else:
            how = {"resamples": resamples, "seed": seed, "pooled": pooled}
            frame, rows, names = _computed(statistic, graph, parameters, how, as_rows=not save)
        parts = unlabelled(statistic, graph, rows, parameters)
        for part in parts:
            part.check(max_unlabelled)
        if save:
            from harmgraph.analytics.statistics.measurements import save_measurements

            run = save_measurements(graph, statistic, frame, saved)
            click.echo(f"saved as run {run}", err=True)
        sources = every(graph)
        # A statistic of posts needs no statement that names a target.
        unnamed = "" if rows or "of" in statistic.statement.notes else _unnamed(graph, parameters.get("source"))
    unfinished = [facts["name"] for facts in sources if facts.get("state") != "complete"]
    added_up = [facts["name"] for facts in sources if not is_list_of_targets(facts)]
    if unfinished:
        click.echo(f"not finished loading: {', '.join(unfinished)}; run its load again", err=True)
    show_rows(
        rows,
        top,
        output,
        columns=[name for name in names if output != "table" or name not in statistic.statement.said],
        title=statistic.statement.table_title(parameters),
        keys=statistic.statement.keys,
        first=statistic.first(pooled=pooled, corrected=bool(correction.labels)),
        digits={name: DIGITS for name in names if name.endswith(("_p", "_q"))},
        headings=statistic.statement.headings(parameters),
        types={column.name: column.type for column in statistic.columns},
    )
    for line in statistic.statement.says(rows) if output == "table" else ():
        click.echo(line)
    if rows and len(added_up) > 1 and parameters.get("source", "") is None:
        click.echo(f"{len(added_up)} sources together ({', '.join(added_up)}): --source NAME for one", err=True)
    if not rows:
        click.echo(_why_empty(statistic, unnamed), err=True)
    for remark in remarks:
        click.echo(remark, err=True)
    _tell_unlabelled(parts, counted="unlabelled" in names)


def _tell_unlabelled(parts: Sequence[Unlabelled], *, counted: bool) -> None:
    for part in parts:
        if part.unlabelled:
            where = f"{part.of}: " if len(parts) > 1 else ""
            counts = " and count as neutral" if counted else ""
            click.echo(
                f"{where}{part.unlabelled:,} {part.what} have no label of {' and '.join(part.measures)}{counts}: "
                "run 'harmgraph label' first",
                err=True,
            )


def _why_empty(statistic: Statistic, unnamed: str) -> str:
    """Why there is no row. ``unnamed`` says why no statement names a target; it is empty if some do."""
    if unnamed:
        return f"nothing to measure: {unnamed}"
    return "; ".join(statistic.statement.notes.get("empty", (f"nothing to measure: {NO_FIT}",)))


def _unnamed(graph: Graph, source: str | None) -> str:
    """Why no statement names a target; empty if some do."""
    from harmgraph.graph.contents.languages import why_nothing_is_named

    named = graph.rows("link/named_statements", source=source)[0]["statements"]
    return "" if named else why_nothing_is_named(graph, source)


def _computed(
    statistic: Statistic, graph: Graph, parameters: dict[str, Any], how: dict[str, Any], *, as_rows: bool
) -> tuple[Any, list[dict[str, Any]], list[str]]:
    """Computes the frame, its rows and the names of its columns.

    If no statement names a target, the error says so and does not ask to label statements first.

    Args:
        as_rows: whether the rows are enough; then a plain statistic makes no frame, and gives None in its place.
    """
    from harmgraph.common.errors import InputError, NotFound

    try:
        if as_rows and statistic.plain:
            rows = statistic.rows(graph, **parameters)
            return None, rows, list(rows[0]) if rows else [column.name for column in statistic.columns]
        frame = statistic(graph, **how, **parameters)
        return frame, records(frame), list(frame.columns)
    except NotFound as error:
        unnamed = _unnamed(graph, parameters.get("source")) if error.kind == "measure" and not error.known else ""
        if unnamed:
            raise InputError(f"nothing to measure: {unnamed}") from error
        raise


def _corrected(
    statistic: Statistic, graph: Graph, correction: Correction, resamples: int, seed: int, parameters: dict[str, Any]
) -> tuple[Any, dict[str, Any], list[str]]:
    """The frame, what the correction is based on, and remarks for the user."""
    from harmgraph.analytics.statistics.corrected import corrected, sample_of
    from harmgraph.analytics.statistics.powered import powered
    from harmgraph.common.progress import bar

    by = correction.by or ("ppi" if sample_of(correction.labels) else "confusion")
    with bar():
        result = (powered if by == "ppi" else corrected)(
            statistic,
            graph,
            correction.labels,
            weigh=correction.weigh,
            scorer_options=correction.scorer_options,
            resamples=resamples,
            seed=seed,
            **parameters,
        )
    basis = result.basis() | {"files": [str(path) for path in correction.labels], "resamples": resamples, "seed": seed}
    return result.frame, basis, [*result.remarks(), *([] if correction.by or by == "ppi" else [NO_SAMPLE])]


@click.command("history", short_help="A saved number over time")
@click.argument("metric", required=False, type=MetricName())
@click.option("--category", type=CategoryName(), help="Only numbers of this category; all is the one of all targets.")
@click.option("--target", type=TargetName(), help="Only numbers of this target.")
@click.option("--source", type=SourceName(), help="Only numbers of this source.")
@click.option("--measure", "measures", type=MeasureName(), multiple=True, help="Harm measure; may be given again.")
@output_option
@verbose_option
def history_command(
    metric: str | None,
    category: str | None,
    target: str | None,
    source: str | None,
    measures: tuple[str, ...],
    output: str,
) -> None:
    """Show a saved number over time, such as disparity.d_o_minus."""
    from harmgraph.analytics.statistics.measurements import history
    from harmgraph.common.output import show
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.statements import statement

    with Graph.open() as graph:
        frame = history(graph, metric, category=category, target=target, source=source, measures=measures)
    header = statement("measure/history")
    rows = records(frame)
    show(
        rows,
        output,
        columns=list(frame.columns),
        title="History",
        keys=header.keys,
        first=header.first,
    )
    if frame.empty:
        click.echo("no saved number matches: save some with 'harmgraph stats ... --save'", err=True)
