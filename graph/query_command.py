"""``harmgraph query``: any statement of ``cypher/``, or a file of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from graph.command_line import output_option, verbose_option
from graph.errors import GraphError, InputError, UnreadableFile
from graph.statements import Statement, from_file, names, statement


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


FOR_READERS = ("explore/", "statistics/", "measure/history")


def _found(name: str) -> Statement:
    """A file of the user's own, or a statement of ``cypher/``.

    Raises:
        UnreadableFile, NotFound: neither.
    """
    if Path(name).is_file():
        return from_file(Path(name))
    if name.removesuffix(".cypher") not in names() and (name.endswith(".cypher") or " " in name):
        raise UnreadableFile(name[:80], "no such file", remedy="name a file, or one of 'harmgraph query --list'")
    return statement(name.removesuffix(".cypher"))


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

    if listing or name is None:
        rows = [{"name": each, "title": statement(each).title} for each in names() if each.startswith(FOR_READERS)]
        show(rows, output, columns=["name", "title"])
        return
    found = _found(name)
    if write and not Path(name).is_file():
        raise InputError(f"{name} belongs to harmgraph's own commands", remedy="--write is for files of your own")
    parameters = _parameters(given)
    if cypher:
        click.echo(found.pasteable(parameters))
        return
    from graph.connection import Graph

    with Graph.open() as graph:
        if write:
            show(graph.autocommit(found, **parameters).rows, output)
        else:
            try:
                rows = graph.rows(found, **parameters)
            except GraphError as error:
                if "access mode" in error.what:
                    raise InputError("the statement changes the graph", where=name, remedy="add --write") from error
                raise
            show(rows, output, columns=[column.name for column in found.columns])
