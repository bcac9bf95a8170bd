"""``harmgraph query``: any statement of ``cypher/``, or a file of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from graph.command_line import output_option, verbose_option


def _parameters(given: tuple[str, ...]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{item!r}: write --param name=value", param_hint="--param")
        try:
            parameters[name] = json.loads(value)
        except json.JSONDecodeError:
            parameters[name] = value  # plain text needs no quotes
    return parameters


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; JSON, or plain text.")
@click.option("--list", "listing", is_flag=True, help="List the statements of cypher/.")
@click.option("--cypher", is_flag=True, help="Print the statement with its parameters, ready to paste.")
@click.option("--write", is_flag=True, help="Allow the statement to change the graph.")
@output_option
@verbose_option
def query(name: str | None, given: tuple[str, ...], listing: bool, cypher: bool, write: bool, output: str) -> None:
    """Run the statement NAME of cypher/ (such as statistics/disparity), or a file of your own."""
    from graph.output import show
    from graph.statements import from_file, names, statement

    if listing or name is None:
        rows = [{"name": each, "title": statement(each).title} for each in names()]
        show(rows, output, columns=["name", "title"])
        return
    found = from_file(Path(name)) if Path(name).is_file() else statement(name.removesuffix(".cypher"))
    parameters = _parameters(given)
    if cypher:
        click.echo(found.pasteable(parameters))
        return
    from graph.connection import Graph

    with Graph.open() as graph:
        if write:
            show(graph.autocommit(found, **parameters).rows, output)
        else:
            show(graph.rows(found, **parameters), output, columns=[column.name for column in found.columns])
