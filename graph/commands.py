"""``harmgraph db``: the embedded server."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from graph.command_line import output_option, verbose_option


class Database(click.Group):
    """Adds ``open``, which is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), "open"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "open":
            from graph.browser_commands import open_browser

            return open_browser
        return super().get_command(ctx, cmd_name)


@click.group(cls=Database)
@verbose_option
def db() -> None:
    """The embedded Neo4j: start, stop, status, open, reset. With NEO4J_URI set, that server is used instead."""


def _own_server() -> str:
    """The address of the user's own server; empty where the embedded one is used."""
    from graph.address import from_environment

    own = from_environment()
    return own.uri if own else ""


@db.command()
@click.option("--heap", default="", help="Java heap, such as 2g.  [default: a quarter of the machine's memory, 4g at most]")
@click.option("--page-cache", default="", help="Page cache, such as 1g.  [default: an eighth, 4g at most]")
def start(heap: str, page_cache: str) -> None:
    """Start the embedded server, or say where it runs."""
    own = _own_server()
    if own:
        click.echo(f"NEO4J_URI is set: {own} is used and nothing is started")
        return
    from graph import server

    there = server.running()
    address = there or server.start(heap, page_cache, tell=lambda line: click.echo(line, err=True))
    click.echo(f"Neo4j {'already runs' if there else 'runs'} at {address.uri}")
    if there and (heap or page_cache):
        click.echo("its memory is set at the start: 'harmgraph db stop' first", err=True)
    click.echo("explore: harmgraph db open\nstop:    harmgraph db stop")


@db.command()
def stop() -> None:
    """Stop the embedded server cleanly."""
    own = _own_server()
    if own:
        click.echo(f"NEO4J_URI is set: {own} is not harmgraph's to stop")
        return
    from graph import server

    click.echo("stopped" if server.stop() else "no embedded server was running")


@db.command()
@output_option
def status(output: str) -> None:
    """Version, address, size and counts."""
    from graph.output import show_one

    facts: dict[str, Any]
    if _own_server():
        facts = _counted({"running": True, "uri": _own_server(), "embedded": False})
    else:
        from graph import server

        found = server.status()
        facts = asdict(found) | {"embedded": True}
        if found.running:
            facts = _counted(facts)
    if output == "table":
        for name in ("store_bytes", "heap", "page_cache"):
            if name in facts:
                facts[name.removesuffix("_bytes")] = f"{facts.pop(name) / (1 << 20):,.0f} MiB"
    show_one(facts, output)


def _counted(facts: dict[str, Any]) -> dict[str, Any]:
    from graph.connection import Graph

    with Graph.open() as graph:
        version = graph.rows("schema/version")[0]
        counts = graph.rows("schema/counts")[0]
    return facts | {"version": version["version"], "edition": version["edition"]} | counts


@db.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def reset(yes: bool) -> None:
    """Delete the graph of the embedded server. It asks first."""
    own = _own_server()
    if own:
        click.echo(f"NEO4J_URI is set: {own} is not harmgraph's to reset; 'harmgraph source drop' removes what it loaded")
        return
    from graph import server

    found = server.status()
    if not yes:
        click.confirm(f"Delete the graph in {found.home} ({found.store_bytes / (1 << 20):,.0f} MiB)?", abort=True)
    server.reset()
    click.echo("deleted")
