"""``harmgraph probe``: one command for each member of the family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harmgraph.graph.commands.name_types import ModelName, SourceName
from harmgraph.graph.common.command_line import Family, output_option, progress_option, verbose_option
from harmgraph.models import store
from harmgraph.models.probing.probe import Probe, probes
from harmgraph.models.probing.question import PRESETS

TOP = 20  # objects on either side, as in the paper's tables
SHARED = (
    click.Argument(["names"], type=ModelName(store.names), nargs=-1, required=True, metavar="MODEL..."),
    click.Option(
        ["--relation"],
        default="gender",
        show_default=True,
        help=f"Sensitive relation: {', '.join(list(PRESETS)[:4])}, or any by name or type; ^ before it for its tails.",
    ),
    click.Option(["--a"], required=True, help="First value, by name or key."),
    click.Option(["--b"], help="Second value.  [default: all others]"),
    click.Option(
        ["--object-relation"], default="profession", show_default=True, help="Relation whose objects are scored."
    ),
    click.Option(["--weighted"], is_flag=True, help="Without --b: the others count by their people, not all the same."),
    click.Option(
        ["--min-count"],
        type=click.IntRange(0),
        default=20,
        show_default=True,
        help="Fewest people with an object, of both sides together.",
    ),
    click.Option(
        ["--top"], type=click.IntRange(0), default=TOP, show_default=True, help="Objects of either side; 0 for all."
    ),
    click.Option(["--source"], type=SourceName(), help="Source to count in.  [default: that of the model]"),
    click.Option(["--split"], type=click.Choice(("train", "valid", "test")), help="Count in this split alone."),
    click.Option(["--seed"], type=click.IntRange(0), default=0, show_default=True, help="Seed of everything random."),
    click.Option(
        ["--threads"],
        type=click.IntRange(0),
        default=0,
        help="Threads of the processor.  [default: all]",
    ),
    click.Option(
        ["--write/--no-write"], default=True, show_default=True, help="Keep the scores in the graph, as PROBED."
    ),
    click.Option(["--figure"], type=click.Path(path_type=Path, dir_okay=False), help="Draw them: .png, .svg or .pdf."),
    click.Option(
        ["--cypher"], is_flag=True, help="Print the statement that counts, for Neo4j Browser, and do nothing else."
    ),
    click.Option(
        ["--summary", "summary_file"],
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write the lines under the table as JSON.",
    ),
)


class Probes(Family):
    """Has a command for each probe."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(probes.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(probes.get(cmd_name))


@click.group(cls=Probes)
@verbose_option
def probe() -> None:
    """Probe embeddings for social bias: shift, pairs, parity, weat."""


def command(member: Probe) -> click.Command:
    """The command of a probe: the options that all have, and its own."""

    def callback(**given: Any) -> None:
        _run(member, **given)

    made = click.Command(
        member.name,
        callback=callback,
        params=[*SHARED, _control(member), *member.options()],
        help=f"{member.title}\n\nA score is the {member.meaning} ({member.citation}).",
        short_help=member.title,
    )
    for option in (verbose_option, output_option, progress_option):
        made = option(made)
    return made


def _control(member: Probe) -> click.Option:
    return click.Option(
        ["--control", "draws"],
        type=click.IntRange(0),
        default=0,
        metavar="N",
        help=f"Also with N {member.drawn} in the place of a and b.",
    )


def _run(
    member: Probe,
    names: tuple[str, ...],
    top: int,
    draws: int,
    write: bool,
    figure: Path | None,
    summary_file: Path | None,
    threads: int,
    cypher: bool,
    output: str,
    progress: bool,
    **given: Any,
) -> None:
    from dataclasses import fields

    from harmgraph.graph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.extra import needed
    from harmgraph.models.probing.question import Asked, ask

    for name in names:
        store.config(name)
    needed("torch")
    from harmgraph.models.probing import run as probe_run
    from harmgraph.models.probing import show as probe_show
    from harmgraph.models.processor import threads as threads_of_torch

    asked = Asked(**{one.name: given[one.name] for one in fields(Asked)})
    if cypher:
        with Graph.open() as graph:
            from harmgraph.models.embedding import tables

            one = tables.load(names[0])
            about = probe_run.of_source(asked, [one.facts])
            click.echo(ask(graph, about, trained=one.relation_names).cypher)
        return
    probe_show.check_files(figure, summary_file)
    own = {str(option.name): given[str(option.name)] for option in member.options()}
    with Graph.open() as graph, bar(progress) as tell, threads_of_torch(threads):
        found = probe_run.run(
            graph,
            member,
            names,
            asked,
            own | {"seed": given["seed"]},
            draws=draws,
            seed=given["seed"],
            write=write,
            progress=tell,
        )
    probe_show.show_result(found, output, top)
    if summary_file:
        probe_show.write_summary(found, summary_file)
    if figure:
        probe_show.draw(found, figure, top or len(found.rows))
