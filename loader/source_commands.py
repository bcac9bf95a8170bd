"""``harmgraph source``: what is loaded, from which file, and what changed."""

from __future__ import annotations

from typing import Any

import click

from graph.command_line import output_option, verbose_option
from graph.name_types import SourceName


@click.group()
@verbose_option
def source() -> None:
    """What is loaded: list, show, drop, diff."""


@source.command("list")
@output_option
@verbose_option
def list_sources(output: str) -> None:
    """All sources."""
    from graph import sources
    from graph.connection import Graph
    from graph.output import show

    with Graph.open() as graph:
        rows = [_line(facts) for facts in sources.every(graph)]
    columns = ["source", "importer", "version", "state", "statements", "duplicates", "rejected", "imported_at", "files"]
    show(rows, output, columns=columns, keys=("source",), first=("state", "statements", "imported_at"))


def statements(facts: dict[str, Any]) -> int:
    """How many triples, sentences and targets a source brought, by its properties in the graph."""
    counts = facts.get("counts") or {}
    return int(sum(counts.get("relations", {}).values()) + counts.get("statements", 0) + counts.get("targets", 0))


def _line(facts: dict[str, Any]) -> dict[str, Any]:
    counts = facts.get("counts") or {}
    return {
        "source": facts["name"],
        "importer": facts.get("importer"),
        "version": facts.get("version"),
        "state": facts.get("state"),
        "statements": statements(facts),
        "duplicates": counts.get("duplicates"),
        "rejected": counts.get("rejected"),
        "imported_at": str(facts.get("imported_at") or "")[:19],
        "files": facts.get("files"),
    }


@source.command()
@click.argument("name", type=SourceName())
@output_option
@verbose_option
def show(name: str, output: str) -> None:
    """Everything known of one source: files and digests, licence, counts per relation."""
    from graph import sources
    from graph.connection import Graph
    from graph.output import show_one

    with Graph.open() as graph:
        facts = sources.facts(graph, name)
    facts.pop("summary", None)
    facts = {"source": name, **facts}
    if facts.get("counts"):
        # As ``source list`` counts them; the record of the load calls the free sentences alone statements.
        facts["counts"] |= {"statements": statements(facts), "sentences": facts["counts"].get("statements", 0)}
    if output == "table":
        del facts["name"]  # the same as source, and kept for programs
        counts = facts.pop("counts", {})
        facts.pop("previous", None)
        facts |= {f"count: {key}": value for key, value in counts.items() if value not in ({}, 0)}
    show_one(facts, output, title=name)


@source.command()
@click.argument("name", type=SourceName())
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def drop(name: str, yes: bool) -> None:
    """Remove a source with all that came from it alone."""
    from graph import linker, sources
    from graph.connection import Graph

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
@output_option
@verbose_option
def diff(name: str, output: str) -> None:
    """What the newest import changed against the one before: per relation, and in all."""
    from graph import output as printer
    from graph import sources
    from graph.connection import Graph

    with Graph.open() as graph:
        facts = sources.facts(graph, name)
        rows = sources.difference(graph, facts)
    printer.show(rows, output, columns=["relation", "before", "after", "added", "removed"], title=f"{name}: changes")
