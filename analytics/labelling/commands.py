"""``harmgraph label``: one subcommand for each scorer, made from what the scorer declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.labelling.masking import Masks
from harmgraph.common.command_line import Family, click_option, output_option, progress_option, together, verbose_option
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, Scorer, scorers
from harmgraph.graph.commands.engine_options import ChosenEngine, engine_options
from harmgraph.graph.commands.name_types import MeasureName, SourceName, targets_option

if TYPE_CHECKING:
    from harmgraph.analytics.labelling.label import LabelReport
    from harmgraph.graph.connection import Graph

OVERLAP = "reading, scoring and writing overlap: together they are more than the seconds that it took"
FORCE: Callable[..., Any] = click.option(
    "--force", is_flag=True, help="Also label statements in a language that the scorer does not read."
)
MASKING: Callable[..., Any] = click.option(
    "--masking",
    type=click.Choice(Masks.RULES),
    default=Masks.OWN,
    show_default=True,
    help="Mask the names of these targets: those that a statement is about, all, or none.",
)


class Scorers(Family):
    """The scorers as subcommands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(scorers.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(scorers.get(cmd_name))


@click.group(cls=Scorers, invoke_without_command=True, subcommand_metavar="SCORER")
@click.option("--list", "listing", is_flag=True, help="List the scorers.")
@output_option
@verbose_option
@click.pass_context
def label(ctx: click.Context, listing: bool, output: str) -> None:
    """Label statements with a harm scorer. A second run scores only statements that are new or changed."""
    if ctx.invoked_subcommand:
        return
    if not listing:
        click.echo(ctx.get_help())
        return
    from harmgraph.common.output import show_list

    rows = [
        {
            "scorer": scorer.name,
            "measure": scorer.measure,
            "version": scorer.version,
            "what": scorer.what,
            "citation": scorer.citation,
        }
        for scorer in scorers
    ]
    show_list(rows, output, line=("scorer", "what"), then="citation")


def _command(scorer: Scorer) -> click.Command:
    def run(
        source: str | None,
        targets: tuple[str, ...],
        everything: bool,
        measure: str,
        mask_phrases: bool,
        engine: ChosenEngine,
        progress: bool,
        output: str,
        force: bool = False,
        masking: str = Masks.OWN,
        **options: Any,
    ) -> None:
        _label(
            scorer,
            source,
            targets,
            everything,
            measure,
            masking,
            mask_phrases,
            force,
            engine,
            progress,
            output,
            options,
        )

    decorated = together(
        click.option("--source", type=SourceName(), help="Only this source."),
        targets_option,
        click.option("--all", "everything", is_flag=True, help="Also label statements that name no target."),
        click.option("--mask-phrases", is_flag=True, help="Score head and tail without the relation's phrase."),
        *([MASKING] if scorer.masked else []),
        *([FORCE] if scorer.language else []),
        click.option(
            "--as",
            "measure",
            type=MeasureName(),
            default=scorer.measure,
            show_default=True,
            help="Name of the measure to write.",
        ),
        engine_options,
        progress_option,
        output_option,
        verbose_option,
        *map(click_option, scorer.options),
    )
    text = f"Label the measure {scorer.measure} with the scorer {scorer.name} {scorer.version}."
    text += f"\n\n{scorer.what}.\n\n{scorer.citation}"
    return click.command(scorer.name, help=text, short_help=scorer.what)(decorated(run))


def _label(
    scorer: Scorer,
    source: str | None,
    targets: Sequence[str],
    everything: bool,
    measure: str,
    masking: str,
    mask_phrases: bool,
    force: bool,
    engine: ChosenEngine,
    progress: bool,
    output: str,
    options: dict[str, Any],
) -> None:
    from harmgraph.analytics.labelling.label import label
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.languages import why_nothing_is_named

    passes = scorer.passes(measure, options)
    reports = []
    told: list[str] = []
    with engine.cluster() as cluster, Graph.open() as graph, graph.about(targets), bar(progress):
        if (several := [name for name, _ in passes] != [measure]) and not mask_phrases and not scorer.foresees:
            told = _phrases_that_count(graph, scorer, passes)
        for of_pass, options_of_pass in passes:
            report = label(
                graph,
                scorer,
                source=source,
                all_statements=everything,
                measure=of_pass,
                options=options_of_pass,
                masking=masking,
                mask_phrases=mask_phrases,
                force=force,
                cluster=cluster,
            )
            reports.append(report)
        unnamed = "" if report.statements else why_nothing_is_named(graph, source)
    if output == "table" and not report.statements:
        click.echo(unnamed, err=True)
    for line in told:
        click.echo(f"harmgraph: warning: {line}", err=True)
    if not several:
        report.show(output)
    else:
        _show_passes(reports, output)
    for each in reports:
        for line in each.said.splitlines():
            click.echo(f"{each.measure}: {line}" if several else line, err=True)
    if output == "table" and report.scored and not several:
        click.echo(OVERLAP, err=True)


def _phrases_that_count(graph: Graph, scorer: Scorer, passes: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """The relations whose phrase alone has a score, a line for each measure: they colour every statement."""
    from harmgraph.graph.contents.phrases import Phrases

    templates = Phrases.read(graph).templates
    lines = []
    for measure, options in passes:
        scores = scorer.scores(list(templates.values()), options)
        counted = [phrase for phrase, score in zip(templates.values(), scores, strict=True) if score is not None]
        if counted:
            shown = ", ".join(repr(phrase) for phrase in sorted(set(counted)))
            lines.append(f"{measure}: phrases of relations have words of it: {shown}; --mask-phrases leaves them out")
    return lines


def _show_passes(reports: Sequence[LabelReport], output: str) -> None:
    """A row for each measure: how many of the statements it labels."""
    from harmgraph.common.output import show

    counts = ("statements", "up_to_date", "written", "without", "seconds")
    rows = [
        {"measure": report.measure, **{name: getattr(report, name) for name in counts}}
        | {name: report.labels.get(name, 0) for name in (POSITIVE, NEUTRAL, NEGATIVE)}
        | {"by": report.by}
        for report in reports
    ]
    columns = (
        "measure",
        "statements",
        "positive",
        "neutral",
        "negative",
        "without",
        "up_to_date",
        "written",
        "seconds",
        "by",
    )
    shown = columns[:7] if output == "table" else columns
    show([{name: row[name] for name in shown} for row in rows], output, columns=shown, title="labelled")
