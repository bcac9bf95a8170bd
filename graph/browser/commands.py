"""``harmgraph db open``: Neo4j Browser on the graph, connected, with a guide, a style and saved queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harmgraph.common.command_line import verbose_option, wait_at
from harmgraph.common.files_to_write import FolderToWrite

if TYPE_CHECKING:
    from harmgraph.graph.address import Address
    from harmgraph.graph.browser.workbench import Workbench

RUNS_ON = "Ctrl-C ends these pages; the database runs on."
BY_HAND = """\
Drop {style} and {queries} onto Neo4j Browser: colours and captions, and the saved queries among the favourites.
The guide shows in its sidebar while this runs:  harmgraph db open --no-launch  (or read {guide} in any browser)."""


@click.command("open")
@click.option("--launch/--no-launch", default=True, help="Open the address, or only print it.")
@click.option(
    "--export",
    "folder",
    type=FolderToWrite(),
    help="Write guide, style and saved queries as files into this folder, and open nothing.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    show_default="that of the last time, 7476 at first",
    help="First port to try for the pages; 0 for any free one.",
)
@verbose_option
def open_browser(launch: bool, folder: Path | None, port: int | None) -> None:
    """Open Neo4j Browser on the graph.

    With the embedded server you type nothing: the address logs you in, once. A server of your own (NEO4J_URI)
    asks for the password. The pages are served until Ctrl-C; the database runs on.
    """
    from harmgraph.graph.browser.workbench import workbench, write
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph:
        bench, address = workbench(graph), graph.address
    if folder is not None:
        guide, style, queries = write(bench, folder)
        click.echo(BY_HAND.format(guide=guide, style=style, queries=queries))
    elif address.embedded:
        _serve_embedded(bench, address, port, launch)
    else:
        _serve_guide(bench, address, port, launch)


def _serve_embedded(bench: Workbench, address: Address, port: int | None, launch: bool) -> None:
    from harmgraph.graph.browser.page_server import BrowserServer
    from harmgraph.graph.browser.pages_port import keep, known
    from harmgraph.graph.browser.workbench import served_with_browser
    from harmgraph.graph.server.distribution import browser_jar

    first = known() if port is None else port
    with BrowserServer(served_with_browser(bench, address, browser_jar()), first) as server:
        if first:
            keep(server.port)
        click.echo(f"Neo4j Browser: {server.start_page}")
        click.echo("The address logs in once; a page that is open may be reloaded.")
        wait_at(server.start_page, launch, RUNS_ON)


def _serve_guide(bench: Workbench, address: Address, port: int | None, launch: bool) -> None:
    from harmgraph.graph.browser.guide import GUIDE
    from harmgraph.graph.browser.page_server import BrowserServer
    from harmgraph.graph.browser.pages_port import PORT
    from harmgraph.graph.browser.workbench import STYLE, prefilled, served_to

    with BrowserServer(served_to(bench, address), PORT if port is None else port) as server:
        page = prefilled(address, f"{server.origin}/{GUIDE}")
        click.echo(f"Neo4j Browser: {page}")
        click.echo(
            "Type your password there. Then type into its editor, for the guide where it does not show, for colours and captions:"
        )
        click.echo(f"  :guide {server.origin}/{GUIDE}")
        click.echo(f"  :style {server.origin}/{STYLE}")
        click.echo("Saved queries: 'harmgraph db open --export DIR' writes an archive to drop onto it.")
        wait_at(page, launch, RUNS_ON)
