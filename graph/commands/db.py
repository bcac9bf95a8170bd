"""``harmgraph db``: the embedded server."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import Commands, output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.common.progress import quiet
from harmgraph.graph.server.memory import MIB

if TYPE_CHECKING:
    from harmgraph.graph.server.at_work import AtWork

MOST_SHOWN = 5  # names in a line


class Database(Commands):
    """Adds ``open``, which is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "open"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "open":
            from harmgraph.graph.browser.commands import open_browser

            return open_browser
        return super().get_command(ctx, cmd_name)


@click.group(cls=Database)
@verbose_option
def db() -> None:
    """The embedded Neo4j, and copies of its graph. With NEO4J_URI set, that server is used instead."""


@db.command()
@click.option(
    "--heap", default="", help="Java heap, such as 2g.  [default: HARMGRAPH_HEAP, or a quarter of the memory up to 4g]"
)
@click.option(
    "--page-cache",
    default="",
    help="Page cache, such as 1g.  [default: HARMGRAPH_PAGECACHE, or an eighth of the memory up to 4g]",
)
@verbose_option
def start(heap: str, page_cache: str) -> None:
    """Start the embedded server, or say where it runs."""
    uri = _own_server()
    if uri:
        click.echo(f"NEO4J_URI is set: the server at {uri} is yours, and nothing is started")
        return
    from harmgraph.graph.server import server

    there = server.running()
    address = there or server.start(heap, page_cache, tell=lambda line: click.echo(line, err=True))
    click.echo(f"Neo4j {'runs already' if there else 'runs'} at {address.uri} (browser: {address.browser})")
    if there and (heap or page_cache):
        click.echo("its memory is set when it starts: run 'harmgraph db stop' first", err=True)
    click.echo("explore: harmgraph db open\nstop:    harmgraph db stop")


@db.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def stop(yes: bool) -> None:
    """Stop the embedded server cleanly. It asks first if a command is running."""
    uri = _own_server()
    if uri:
        click.echo(f"NEO4J_URI is set: the server at {uri} is yours, and is not stopped")
        return
    from harmgraph.graph.server import server

    for working in () if yes else _at_work():
        click.confirm(f"{working}. Stop the server under it?", abort=True)
    click.echo("stopped" if server.stop() else "no embedded server was running")


@db.command()
@output_option
@verbose_option
def status(output: str) -> None:
    """Version, address, size and counts. The counts are empty if no server runs."""
    from harmgraph.common.output import show_one

    facts = _facts()
    if output == "table":
        for name in ("store_bytes", "heap", "page_cache"):
            facts[name] = f"{facts[name] / MIB:,.0f} MiB" if facts[name] else None
        facts["store"] = facts.pop("store_bytes")
        facts["pid"] = facts["pid"] and str(facts["pid"])  # text, so that it is shown without thousands separators
        facts["running"] = "yes" if facts["running"] else "no: start it with 'harmgraph db start'"
        facts["embedded"] = "yes" if facts["embedded"] else "no: NEO4J_URI is set"
        facts = {name: value for name, value in facts.items() if value not in (None, "")}
    show_one(facts, output)


@db.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def reset(yes: bool) -> None:
    """Stop the embedded server and delete its graph. It asks first, and names the commands that are running."""
    from harmgraph.common.errors import InputError

    uri = _own_server()
    if uri:
        raise InputError(
            "this server is yours, and harmgraph does not reset it",
            where=f"NEO4J_URI={uri}",
            remedy="'harmgraph source drop' removes what was loaded into it",
        )
    from harmgraph.graph import name_cache
    from harmgraph.graph.server import server

    status = server.status()
    if not yes:
        for working in _at_work():
            click.echo(f"{working}")
        click.confirm(f"Delete the graph in {status.home} ({status.store_bytes / MIB:,.0f} MiB)?", abort=True)
    server.reset()
    name_cache.forget(None)
    click.echo("deleted")


@db.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def recover(yes: bool) -> None:
    """Copy a store that no longer opens, then save what can be read. It asks first."""
    from dataclasses import astuple

    from harmgraph.common.output import show
    from harmgraph.graph.backup import recovery

    if not recovery.needs_it(_tell):
        click.echo("the store opens: there is nothing to recover")
        return
    if not yes:
        click.confirm(
            "The store does not open. Copy it, and cut its log after the last entry that can be read?", abort=True
        )
    result = recovery.recover(_tell)
    columns = list(recovery.SourceLeft.__slots__)
    show(
        [dict(zip(columns, astuple(left), strict=True)) for left in result.sources],
        "table",
        columns=columns,
        title="what is left",
    )
    again = [left.source for left in result.sources if left.state == "incomplete"]
    if again:
        click.echo(f"make these again, by the load or filter that made them: {', '.join(again)}")
    else:
        click.echo("every source that is left is complete")
    click.echo(
        "what was written last is missing: perhaps a whole source, labels ('harmgraph label' adds them), results"
    )
    click.echo(f"the store as it was: {result.copy} (delete it when all is well)")


@db.command()
@click.argument("file", type=FileToWrite())
@click.option(
    "--keep",
    type=click.IntRange(1),
    help="Add the time to FILE's name, and keep only this many such backups.",
)
@progress_option
@verbose_option
def backup(file: Path, keep: int | None, progress: bool) -> None:
    """Write the graph and the models into one FILE. The server is stopped for a moment.

    FILE appears only when it is complete. It holds no password.
    """
    from harmgraph.common.progress import bar
    from harmgraph.graph.backup.backup import backup as make_backup

    with bar(progress):
        made = make_backup(file, keep=keep or 0, tell=_tell if progress else quiet)
    models = len({name.parts[:2] for name in made.manifest.home_files()})
    click.echo(
        f"wrote {made.path} ({made.size / MIB:,.1f} MiB): {made.manifest.nodes:,} nodes, {made.manifest.relationships:,} "
        f"relationships, models and other files: {models:,}, digest {made.manifest.digest[:12]}"
    )
    for older in made.removed:
        click.echo(f"deleted {older}, which --keep {keep} does not keep")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace a graph that is not empty, and models of the same names.")
@progress_option
@verbose_option
def restore(file: Path, replace: bool, progress: bool) -> None:
    """Put the graph and the models of a backup in place.

    FILE is checked first. Your present graph is kept until the restored one is loaded beside it and its digest is
    the one in the backup.
    """
    from harmgraph.common.progress import bar
    from harmgraph.graph.backup.restore import restore as put_in_place
    from harmgraph.graph.form.steps import newest

    with bar(progress):
        restored = put_in_place(file, replace=replace, tell=_tell if progress else quiet)
    manifest = restored.manifest
    click.echo(
        f"restored the graph of {manifest.made_at} (harmgraph {manifest.harmgraph}): {manifest.nodes:,} nodes, "
        f"{manifest.relationships:,} relationships, "
        + (
            f"digest {manifest.digest[:12]}, which was checked"
            if restored.by_digest
            else "which were counted: this harmgraph computes digests in another way"
        )
    )
    if restored.units:
        click.echo(f"put in place: {', '.join(restored.units)}")
    if restored.standing:
        click.echo(f"there already, and the same: {', '.join(restored.standing)}")
    if restored.unlisted:
        first = ", ".join(restored.unlisted[:MOST_SHOWN])
        more = f" and {len(restored.unlisted) - MOST_SHOWN:,} more" if len(restored.unlisted) > MOST_SHOWN else ""
        click.echo(f"not put in place, as no backup of harmgraph contains it: {first}{more}", err=True)
    if manifest.form < newest():
        click.echo("it was made by an earlier harmgraph: run 'harmgraph db upgrade' next")


@db.command()
@click.option("--dry-run", is_flag=True, help="List the steps, and take none.")
@progress_option
@verbose_option
def upgrade(dry_run: bool, progress: bool) -> None:
    """Bring a graph that an earlier harmgraph made into the form of this one.

    It may be stopped at any time and run again. With NEO4J_URI set, it upgrades the graph on that server.
    """
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.upgrade import missing_steps
    from harmgraph.graph.contents.upgrade import upgrade as make_steps
    from harmgraph.graph.form.steps import newest
    from harmgraph.graph.statements import statement

    with Graph.open(older=True) as graph:
        missing = missing_steps(graph)
        if dry_run:
            for step in missing:
                query = statement(step.statement)
                click.echo(f"step {step.version}, {query.title.lower()}: {query.description}")
        made = () if dry_run else make_steps(graph, _tell if progress else quiet)
    if not missing:
        click.echo(f"the graph has form {newest()}, which is that of this harmgraph: nothing to do")
    elif made:
        click.echo(f"upgraded the graph from form {made[0].version - 1} to form {made[-1].version}")


def _at_work() -> list[AtWork]:
    """The other commands that work on the embedded server."""
    from harmgraph.graph.server import server
    from harmgraph.graph.server.at_work import at_work

    there = server.running()
    return at_work(there) if there else []


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _own_server() -> str:
    """The address of the user's own server; empty if the embedded one is used."""
    from harmgraph.graph.address import from_environment

    address = from_environment()
    return address.uri if address else ""


def _facts() -> dict[str, Any]:
    """The facts about the server, always with the same keys; None if a value is unknown."""
    from harmgraph.graph.address import from_environment
    from harmgraph.graph.server import server

    address = from_environment()
    facts: dict[str, Any] = {"embedded": address is None}
    if address:
        facts |= dict.fromkeys(server.Status.__slots__) | {"running": True, "uri": address.uri}
    else:
        facts |= asdict(server.status())
        if not facts["running"]:
            facts |= dict.fromkeys(("uri", "browser", "pid", "heap", "page_cache"))
    return facts | _counted(facts)


def _counted(facts: dict[str, Any]) -> dict[str, Any]:
    if not facts["running"]:
        return {"edition": None, "nodes": None, "relationships": None}
    from harmgraph.graph.connection import Graph

    with Graph.open(older=True) as graph:
        version = graph.rows("schema/version")[0]
        counts = graph.rows("schema/counts")[0]
    return {"version": version["version"], "edition": version["edition"]} | counts
