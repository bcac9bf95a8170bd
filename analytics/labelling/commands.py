"""``harmgraph label``: one subcommand for each scorer, made from what the scorer declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from harmgraph.analytics.labelling.masking import Masks
from harmgraph.common.command_line import Family, click_option, output_option, progress_option, together, verbose_option
from harmgraph.common.scorer import Scorer, scorers
from harmgraph.graph.commands.engine_options import ChosenEngine, engine_options
from harmgraph.graph.commands.name_types import MeasureName, SourceName, targets_option

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

    with engine.cluster() as cluster, Graph.open() as graph, graph.about(targets), bar(progress):
        report = label(
            graph,
            scorer,
            source=source,
            all_statements=everything,
            measure=measure,
            options=options,
            masking=masking,
            mask_phrases=mask_phrases,
            force=force,
            cluster=cluster,
        )
        unnamed = "" if report.statements else why_nothing_is_named(graph, source)
    if output == "table" and not report.statements:
        click.echo(unnamed, err=True)
    report.show(output)
    for line in report.said.splitlines():
        click.echo(line, err=True)
    if output == "table" and report.scored:
        click.echo(OVERLAP, err=True)
