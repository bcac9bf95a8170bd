"""``harmgraph source``: what is loaded, from which file, and what changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common import output as printer
from harmgraph.common.command_line import Commands, output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FolderToWrite
from harmgraph.graph.commands.name_types import MeasureName, SourceName, TargetName
from harmgraph.graph.contents.changes import KINDS

if TYPE_CHECKING:
    from harmgraph.graph.connection import Graph

TOP = 40
LABELS = ("negative", "positive")


@click.group(cls=Commands)
@verbose_option
def source() -> None:
    """What is loaded: list, show, export, drop, diff."""


@source.command("list")
@output_option
@verbose_option
def list_sources(output: str) -> None:
    """List all sources."""
    from harmgraph.common.output import show
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents import sources
    from harmgraph.graph.driver.alone import driver_alone

    driver_alone()
    with Graph.open() as graph:
        rows = [_line(facts) for facts in sources.every(graph)]
    columns = ["source", "importer", "version", "state", "statements", "duplicates", "rejected", "imported_at", "files"]
    show(rows, output, columns=columns, keys=("source",), first=("state", "statements", "imported_at"))


def _line(facts: dict[str, Any]) -> dict[str, Any]:
    from harmgraph.graph.contents.sources import total

    counts = facts.get("counts") or {}
    return {
        "source": facts["name"],
        "importer": facts.get("importer"),
        "version": facts.get("version"),
        "state": facts.get("state"),
        "statements": total(counts),
        "duplicates": counts.get("duplicates"),
        "rejected": counts.get("rejected"),
        "imported_at": str(facts.get("imported_at") or ""),
        "files": facts.get("files"),
    }


@source.command()
@click.argument("name", type=SourceName())
@output_option
@verbose_option
def show(name: str, output: str) -> None:
    """Show a source: its files and their digests, its licence, and counts per relation."""
    from harmgraph.common.output import show_one
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents import sources
    from harmgraph.graph.driver.alone import driver_alone

    driver_alone()
    with Graph.open() as graph:
        facts = sources.facts(graph, name)
        named = sources.relation_names(graph)
    facts.pop("summary", None)
    facts = {"source": name, **facts}
    if output == "table":
        del facts["name"]  # the same as source; only kept in JSON and CSV
        counts = facts.pop("counts", {})
        if "relations" in counts:
            counts["relations"] = {named.get(kind, kind): count for kind, count in counts["relations"].items()}
        facts.pop("previous", None)
        facts |= {f"count: {key}": value for key, value in counts.items() if value not in ({}, 0)}
    show_one(facts, output, title=name)


@source.command("export")
@click.argument("name", type=SourceName())
@click.option("--out", type=FolderToWrite(), required=True, help="Folder for both tables.")
@progress_option
@verbose_option
def export_source(name: str, out: Path, progress: bool) -> None:
    """Write a source as two TSV files: nodes.tsv and edges.tsv."""
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.export import NODES, TRIPLES, export

    with Graph.open() as graph, bar(progress):
        written = export(graph, name, out)
    click.echo(f"wrote {out / NODES} ({written.nodes:,} nodes) and {out / TRIPLES} ({written.triples:,} triples)")


@source.command()
@click.argument("name", type=SourceName())
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def drop(name: str, yes: bool) -> None:
    """Remove a source, and everything that came from it alone."""
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents import linker, sources

    with Graph.open() as graph:
        facts = _line(sources.facts(graph, name))
        if not yes:
            click.confirm(f"Remove {name} with its {facts['statements']:,} statements?", abort=True)
        with graph.holding(f"source drop {name}"):
            removed = sources.drop(graph, name)
            linker.link(graph)
    click.echo(f"removed {name}: {removed:,} statements")


@source.command()
@click.argument("name", type=SourceName())
@click.option("--targets", is_flag=True, help="Count per target what was added, removed and relabelled.")
@click.option("--statements", "listing", is_flag=True, help="List the changed statements about targets.")
@click.option("--target", type=TargetName(), help="Only statements about this target.")
@click.option(
    "--change", "kinds", type=click.Choice(KINDS), multiple=True, help="Only these statements; may be given again."
)
@click.option(
    "--measure",
    "measures",
    type=MeasureName(),
    multiple=True,
    help="Harm measure; may be given again.  [default: all that have labels]",
)
@click.option("--top", type=click.IntRange(0), default=TOP, show_default=True, help="Rows of a table; 0 for all.")
@output_option
@verbose_option
def diff(
    name: str,
    targets: bool,
    listing: bool,
    target: str | None,
    kinds: tuple[str, ...],
    measures: tuple[str, ...],
    top: int,
    output: str,
) -> None:
    """Show what the newest import changed.

    It counts per relation and per target. --targets counts only per target, and --statements lists the statements.

    'added' are statements that only the newest import has, 'removed' those that only the one before had. 'relabelled' are in
    both, and their label has changed since. Up to 1,000 removed statements about targets are kept to be listed. The others are
    only counted.
    """
    if targets and (listing or target or kinds):
        raise click.UsageError("--targets counts, and --statements, --target and --change list: choose one.")
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents import sources
    from harmgraph.graph.contents.measures import known_measure
    from harmgraph.graph.contents.measures import measures as labelling

    with Graph.open() as graph:
        facts = sources.facts(graph, name)
        chosen = tuple(known_measure(graph, measure) for measure in dict.fromkeys(measures)) or labelling(graph)
        if listing or target or kinds:
            _show_statements(graph, facts, target, kinds, chosen, top, output)
            return
        if not targets:
            rows = sources.difference(graph, facts)
            columns = ["relation", "before", "after", "added", "removed"]
            printer.show(rows, output, columns=columns, title=f"{name}: changes")
        if targets or output == "table":
            _show_targets(graph, facts, chosen, top, output, asked=targets)


def _show_targets(
    graph: Graph, facts: dict[str, Any], measures: tuple[str, ...], top: int, output: str, *, asked: bool
) -> None:
    from harmgraph.graph.contents import changes

    measure = "sentiment" if "sentiment" in measures or not measures else measures[0]
    rows = changes.by_target(graph, facts["name"], facts.get("generation") or 1, measure)
    shown = rows[:top] if output == "table" and top else rows
    if shown or asked:
        columns = ["target", "before", "after", "added", "removed", "relabelled"]
        if output == "table":  # narrow enough for a terminal
            shown = [
                {column: row[column] for column in columns}
                | {label: f"{_known(row[f'{label}_before'])} -> {row[f'{label}_after']:,}" for label in LABELS}
                for row in shown
            ]
            columns += LABELS
        else:
            columns += [f"{label}_{when}" for label in LABELS for when in ("before", "after")]
        printer.show(shown, output, columns=columns, title=f"{facts['name']}: by target, {measure}")
    if len(shown) < len(rows):
        click.echo(f"{len(rows) - len(shown):,} more targets: --targets --top 0", err=True)
    if any(row["removed"] is None for row in rows):
        click.echo("what was removed was not noted: the import was made by an earlier harmgraph", err=True)
    if rows and output == "table":
        click.echo(f"the statements: harmgraph source diff {facts['name']} --statements", err=True)


def _known(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"


def _show_statements(
    graph: Graph,
    facts: dict[str, Any],
    target: str | None,
    kinds: tuple[str, ...],
    measures: tuple[str, ...],
    top: int,
    output: str,
) -> None:
    from harmgraph.graph.contents import changes
    from harmgraph.graph.contents.targets import check_standing
    from harmgraph.graph.records import normalise

    if target is not None:
        target = normalise(target)
        check_standing(graph, "target", [target])
    limit = 1_000_000_000 if output != "table" or not top else top
    changed, left = changes.statements(
        graph, facts["name"], facts.get("generation") or 1, measures, target=target, limit=limit
    )
    rows: list[dict[str, Any]] = [
        {
            "change": statement.change,
            "targets": list(statement.targets),
            "statement": statement.statement,
            "before": statement.before,
            "now": statement.now,
        }
        for statement in changed
        if not kinds or statement.change in kinds
    ]
    if output in ("table", "csv", "markdown"):  # the other forms have lists
        rows = [
            row
            | {"targets": ", ".join(row["targets"])}
            | {name: _labels(row[name], len(measures)) for name in ("before", "now")}
            for row in rows
        ]
    if output == "table" and top:
        rows = [row for kind in KINDS for row in [listed for listed in rows if listed["change"] == kind][:top]]
    columns = ("change", "targets", "statement", "before", "now")
    printer.show(rows, output, columns=columns, title=f"{facts['name']}: statements that changed")
    for kind in kinds or KINDS:
        counted = sum(statement.change == kind for statement in changed)
        shown = sum(row["change"] == kind for row in rows)
        if counted > shown or (left[kind] is None and kind != "removed"):
            click.echo(f"more statements are {kind}: --top 0, or --output csv", err=True)
        if kind == "removed" and left[kind] is None:
            click.echo(
                "not all that was removed is known: an import was broken off, or an earlier harmgraph's", err=True
            )
        elif kind == "removed" and left[kind]:
            click.echo(
                f"{left[kind]:,} more, counted once per target, were removed and are not kept: --targets", err=True
            )
    if not rows:
        click.echo("no statement about a target changed", err=True)


def _labels(labels: dict[str, str], several: int) -> str:
    """The labels as text for a cell; without the name of the measure if there is only one."""
    return ", ".join(f"{measure} {label}" if several > 1 else label for measure, label in labels.items())
