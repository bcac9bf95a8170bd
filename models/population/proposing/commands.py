"""``propose``, ``accept``, ``reject`` and ``undo`` of ``harmgraph population``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import output_option, progress_option, together, verbose_option
from harmgraph.common.event_relations import RELATIONS
from harmgraph.graph.commands.name_types import MeasureName, Name, SourceName, TargetName
from harmgraph.models.options import running_options
from harmgraph.models.population.train_commands import POPULATOR

if TYPE_CHECKING:
    from harmgraph.models.population.proposing.accepting import Decision

SCORE = click.FloatRange(0, 1)
DIGITS = dict.fromkeys(("best", "least"), 3)


class RelationName(Name):
    """A relation between events."""

    name = "relation"

    def names(self) -> Iterable[str]:
        return RELATIONS


class Harms(click.ParamType[tuple[str, ...]]):
    """Harm labels, separated by commas."""

    name = "labels"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        words = value if isinstance(value, tuple) else tuple(word.strip().lower() for word in str(value).split(","))
        if not all(words):
            self.fail("give labels separated by commas, such as neutral,unlabelled", param, ctx)
        return tuple(dict.fromkeys(words))


@click.command("propose")
@click.option("--relation", type=RelationName(), required=True, help="Relation to propose triples of, such as xWant.")
@click.option("--model", type=POPULATOR, required=True, help="Populator of 'population train'.")
@click.option(
    "--around", default="", metavar="EVENT", help="Take heads within two hops of this event. Give its text or key."
)
@click.option("--target", type=TargetName(), default="", help="Take heads that name this target.")
@click.option("--limit", type=click.IntRange(1), default=5_000, show_default=True, help="Maximum pairs to score.")
@click.option("--tails", type=click.IntRange(1), default=10, show_default=True, help="Maximum pairs to score per head.")
@click.option("--min-score", type=SCORE, default=0.5, show_default=True, help="Least score of a proposal.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@running_options
def propose_command(
    relation: str,
    model: str,
    min_score: float,
    device: str,
    threads: int,
    progress: bool,
    output: str,
    **options: Any,
) -> None:
    """Let a populator score new pairs of events, and write the best as proposals.

    They become PROPOSED relationships in the source proposed:MODEL. That source can be labelled, shown, compared and dropped
    like any other. The same graph, model and options give the same proposals. Pairs that the relation already joins are left
    out.
    """
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.proposing.drawing import Draw
    from harmgraph.models.population.proposing.propose import propose
    from harmgraph.models.text.encoder import need_torch

    if options["around"] and options["target"]:
        raise click.UsageError("choose --around or --target, not both")
    need_torch()
    with Graph.open() as graph, bar(progress):
        report = propose(graph, model, Draw(relation, **options), min_score=min_score, device=device, threads=threads)
    row = asdict(report)
    for line in row.pop("said"):
        click.echo(f"harmgraph: warning: {line}", err=True)
    show_one(row, output, title=f"{model} proposes {report.relation}", digits=DIGITS)
    click.echo(f"label them: harmgraph label vader --source {report.source}", err=True)


_choice_options = together(
    click.option("--model", type=POPULATOR, help="Model that made the proposals.  [default: the only one]"),
    click.option("--measure", type=MeasureName(), default="sentiment", show_default=True, help="Harm measure."),
    click.option(
        "--relation",
        "relations",
        type=RelationName(),
        multiple=True,
        help="Only this relation; may be given again.",
    ),
    click.option("--dry-run", is_flag=True, help="Show what would happen, and change nothing."),
    output_option,
    verbose_option,
)


@click.command("accept")
@click.option("--min-score", type=SCORE, default=0.5, show_default=True, help="Least score.")
@click.option(
    "--harm",
    "harms",
    type=Harms(),
    default="neutral,unlabelled",
    show_default=True,
    help="Harm labels to accept: positive, neutral, negative, unlabelled.",
)
@click.option("--into", type=SourceName(), default="", help="Name of the source.  [default: population:MODEL]")
@progress_option
@_choice_options
def accept_command(model: str | None, into: str, dry_run: bool, progress: bool, output: str, **options: Any) -> None:
    """Make triples of proposals, by score and harm label.

    They become relationships of their relation in a source of their own. The proposals remain. 'population undo' takes it
    back. Three kinds are left out: rejected proposals, those that a source has by now, and those whose event was dropped.
    """
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.proposing.accepting import ProposalChoice, accept

    with Graph.open() as graph, bar(progress):
        decision = accept(graph, model, ProposalChoice(**options), into=into, dry_run=dry_run)
    _show(decision, "accepted", output)
    if decision.again:
        click.echo("the same was accepted before: nothing changed", err=True)
    if decision.unchecked:
        click.echo(
            f"harmgraph: warning: {decision.unchecked:,} of them name a target and carry no label: "
            f"harmgraph label vader --source proposed:{decision.model}",
            err=True,
        )
    if decision.written:
        click.echo(f"in the source {decision.source}; take it back: harmgraph population undo", err=True)


@click.command("reject")
@click.option("--min-score", type=SCORE, default=0.0, show_default=True, help="Least score.")
@click.option("--max-score", type=SCORE, default=1.0, show_default=True, help="Highest score.")
@click.option(
    "--harm",
    "harms",
    type=Harms(),
    default="negative",
    show_default=True,
    help="Harm labels to reject: positive, neutral, negative, unlabelled.",
)
@_choice_options
def reject_command(model: str | None, dry_run: bool, output: str, **options: Any) -> None:
    """Mark proposals as rejected, by score and harm label.

    They stay in the graph and are not accepted. So no other run proposes them again. What was accepted stays;
    'population undo' takes that back, 'population undo --rejections' the rejections.
    """
    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.proposing.accepting import ProposalChoice, reject

    with Graph.open() as graph:
        decision = reject(graph, model, ProposalChoice(**options), dry_run=dry_run)
    _show(decision, "rejected", output)


@click.command("undo")
@click.option("--model", type=POPULATOR, help="Model that made the proposals.  [default: the only one]")
@click.option("--into", type=SourceName(), default="", help="The source that was accepted into.")
@click.option("--rejections", is_flag=True, help="Take back what was rejected instead.")
@verbose_option
def undo_command(model: str | None, into: str, rejections: bool) -> None:
    """Take back what was accepted: the graph is as it was before."""
    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.proposing.accepting import undo

    if into and rejections:
        raise click.UsageError("--into names what was accepted, not what was rejected")
    with Graph.open() as graph:
        name, count = undo(graph, model, into=into, rejections=rejections)
    click.echo(f"{name}: {count:,} {'rejections' if rejections else 'triples'} taken back")


def _show(decision: Decision, done: str, output: str) -> None:
    from harmgraph.common.output import show

    rows = [{done if name == "chosen" else name: value for name, value in row.items()} for row in decision.rows()]
    title = f"Proposals of {decision.model}: what {'is' if decision.written else 'would be'} {done}"
    show(rows, output, title=title, keys=("by", "value"))
