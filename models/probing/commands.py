"""``harmgraph probe``: a command for each probe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harmgraph.common.command_line import Family, output_option, progress_option, together, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import ModelName, SourceName
from harmgraph.models import store
from harmgraph.models.probing.probe import Probe, probes
from harmgraph.models.subgraph.named_relation import PRESETS

TOP = 20  # objects on either side, as in the paper's tables
SOURCE = click.Option(["--source"], type=SourceName(), help="Source to count in.  [default: the model's]")
THREADS = click.Option(["--threads"], type=click.IntRange(0), default=0, help="CPU threads.  [default: all]")
OF_GRAPH_MODELS: dict[click.Parameter, click.Parameter] = {
    SOURCE: click.Option(
        ["--source", "--inference"],
        type=SourceName(),
        help="Source of the people, whose training edges carry the messages.  [default: the model's]",
    ),
    THREADS: click.Option(
        ["--threads"], type=click.IntRange(0), default=0, help="CPU threads.  [default: the faster of one and all]"
    ),
}
"""What these options are called, or say, for a probe of graph models."""
SHARED = (
    click.Argument(["names"], type=ModelName(store.names), nargs=-1, required=True, metavar="MODEL..."),
    click.Option(
        ["--relation"],
        default="gender",
        show_default=True,
        help=f"Sensitive relation: {', '.join(list(PRESETS)[:4])}, or any name or type; ^ before it if people are its tails.",
    ),
    click.Option(["--a"], required=True, help="First value, by name or key; of a literal <1950."),
    click.Option(["--b"], help="Second value.  [default: all others]"),
    click.Option(
        ["--object-relation"], default="profession", show_default=True, help="Relation whose objects are scored."
    ),
    click.Option(["--weighted"], is_flag=True, help="Without --b: weight the other values by their number of people."),
    click.Option(
        ["--min-count"],
        type=click.IntRange(0),
        default=20,
        show_default=True,
        help="Minimum people with an object, both sides together.",
    ),
    click.Option(
        ["--top"],
        type=click.IntRange(0),
        default=TOP,
        show_default=True,
        help="Objects to show for each side; 0 for all.",
    ),
    click.Option(
        ["--sort"],
        type=click.Choice(("score", "residual")),
        default="score",
        show_default=True,
        help="Order of the objects; a residual is what the counts do not predict of a score.",
    ),
    click.Option(["--compare", "compare"], is_flag=True, help="One row for each pair of models: do they rank alike?"),
    click.Option(["--by"], metavar="RELATION", help="One row for each group, such as nationality or P569 (decade)."),
    click.Option(
        ["--min-people"],
        type=click.IntRange(2),
        default=20,
        show_default=True,
        help="With --by: minimum people of a group, on each side.",
    ),
    SOURCE,
    click.Option(["--split"], type=click.Choice(("train", "valid", "test")), help="Count only in this split."),
    click.Option(["--seed"], type=click.IntRange(0), default=0, show_default=True, help="Random seed."),
    THREADS,
    click.Option(
        ["--write/--no-write"], default=True, show_default=True, help="Write the scores to the graph, as PROBED."
    ),
    click.Option(["--figure"], type=FileToWrite(), help="Draw the scores: .png, .svg or .pdf."),
    click.Option(["--cypher"], is_flag=True, help="Only print the statement that counts, for Neo4j Browser."),
    click.Option(
        ["--summary", "summary_file"],
        type=FileToWrite(),
        help="Write the summary under the table as JSON.",
    ),
)


class Probes(Family):
    """A group with a command for each probe."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(probes.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(probes.get(cmd_name))


@click.group(cls=Probes)
@verbose_option
def probe() -> None:
    """Probe embeddings for social bias."""


def command(member: Probe) -> click.Command:
    """The command of a probe, with the options of all probes and its own."""

    def callback(**options: Any) -> None:
        _run(member, **options)

    shared = [OF_GRAPH_MODELS.get(each, each) if member.needs_graph_model else each for each in SHARED]
    built = click.Command(
        member.name,
        callback=callback,
        params=[*shared, _control(member), *member.options()],
        help=f"{member.title}\n\nA score is the {member.meaning}. See {member.citation}.",
        short_help=member.title,
    )
    return together(progress_option, output_option, verbose_option)(built)


def _control(member: Probe) -> click.Option:
    return click.Option(
        ["--control", "draws"],
        type=click.IntRange(0),
        default=0,
        metavar="N",
        help=f"Also compute N controls, with {member.drawn} instead of a and b.",
    )


def _run(
    member: Probe,
    names: tuple[str, ...],
    top: int,
    sort: str,
    compare: bool,
    draws: int,
    write: bool,
    figure: Path | None,
    summary_file: Path | None,
    threads: int,
    by: str | None,
    min_people: int,
    cypher: bool,
    output: str,
    progress: bool,
    **options: Any,
) -> None:
    from dataclasses import fields

    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.extra import needed
    from harmgraph.models.probing.question import Asked, ask

    _refuse(names, top=top, sort=sort, compare=compare, by=by, figure=figure, draws=draws, options=options)
    for name in names:
        store.config(name)
    needed("torch")
    from harmgraph.models.probing import run, show
    from harmgraph.models.probing.compared import ModelPairs, compared
    from harmgraph.models.probing.groups import Grouped, grouped
    from harmgraph.models.processor import torch_threads

    asked = Asked(**{field.name: options[field.name] for field in fields(Asked)})
    probe_options = {str(option.name): options[str(option.name)] for option in member.options()}
    if cypher:
        with Graph.open() as graph:
            (model,) = run.models_of(graph, member, names[:1], asked.source).values()
            question = ask(graph, run.of_source(asked, [model.config]), trained=model.relation_names)
            click.echo(member.cypher(question, member.resolved(graph, question, probe_options)))
        return
    show.check_files(figure, summary_file)
    found: run.ProbeResult | Grouped | ModelPairs
    with Graph.open() as graph, bar(progress), torch_threads(threads) as chosen:
        about = (graph, member, names, asked)
        given, seed = probe_options | {"seed": options["seed"], "threads": chosen}, options["seed"]
        if by:
            found = grouped(*about, by, given, min_people=min_people, draws=draws, seed=seed)
        elif compare:
            found = compared(*about, given, top=top, write=write)
        else:
            found = run.run(*about, given, draws=draws, seed=seed, write=write)
    show.present(found, output, top=top, sort=sort, summary=summary_file)
    if figure and isinstance(found, run.ProbeResult):
        from harmgraph.models.probing.figure import write_figure

        write_figure(figure, found, top)


def _refuse(
    names: tuple[str, ...],
    *,
    top: int,
    sort: str,
    compare: bool,
    by: str | None,
    figure: Path | None,
    draws: int,
    options: dict[str, Any],
) -> None:
    """Refuses options that have no meaning together."""
    explain, untrained = options.get("explain"), options.get("untrained")
    refusals = {
        "--figure draws the objects of one group: leave out --by.": by and figure,
        "--explain is about all people and one model: leave out --by, and name one.": explain
        and (by or len(names) > 1),
        "--untrained is about all people: leave out --by.": untrained and by,
        "--sort is of objects: leave out --by, --compare and --explain.": sort != "score"
        and (by or compare or explain),
        "--compare is about pairs of models: leave out --by, --figure, --control and --untrained.": compare
        and (by or figure or draws or untrained),
        "--compare needs two models.": compare and len(set(names)) < 2,
        "--compare counts what two lists of --top objects share: 1 or more.": compare and not top,
    }
    for text, refused in refusals.items():
        if refused:
            raise click.UsageError(text)
