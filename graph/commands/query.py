"""``harmgraph query``: any statement of ``cypher/``, or the user's own: a file, its text, or stdin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import output_option, parameters_of, verbose_option
from harmgraph.common.errors import GraphError, InputError
from harmgraph.graph.commands.name_types import QueryName
from harmgraph.graph.contents.measures import NAMES as MEASURES
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.statements import CypherStatement, for_readers, from_name, names, statement

if TYPE_CHECKING:
    from harmgraph.graph.connection import Graph


@click.command()
@click.argument("name", required=False, type=QueryName())
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter, as JSON or plain text.")
@click.option("--list", "listing", is_flag=True, help="List the statements of cypher/.")
@click.option("--cypher", is_flag=True, help="Print the statement with its parameters, ready to paste.")
@click.option("--write", is_flag=True, help="Allow the statement to change the graph.")
@output_option
@verbose_option
def query(name: str | None, given: tuple[str, ...], listing: bool, cypher: bool, write: bool, output: str) -> None:
    """Run a statement of cypher/ (such as statistics/disparity) or one of your own: a file, text, or - for stdin.

    \b
    harmgraph query explore/most_harmed -p category=religion
    harmgraph query "MATCH (t:Target) RETURN t.category, count(*)"
    """
    from harmgraph.common.output import show, show_list

    if listing or name is None:
        rows = [
            {"name": listed, "group": listed.partition("/")[0], "title": statement(listed).title}
            for listed in for_readers()
        ]
        show_list(rows, output, line=("name", "title"), group="group")
        if output == "table":
            click.echo('\nharmgraph query NAME, or a file of your own, or "MATCH ...", or - for stdin')
        return
    query = from_name(name).for_reading()
    ours = query.name in names()
    if write and ours:
        raise InputError(f"{name} belongs to harmgraph's own commands", remedy="--write is for statements of your own")
    parameters = parameters_of(given)
    if cypher:
        click.echo(query.pasteable(parameters))
        return
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.driver.alone import driver_alone

    driver_alone()
    with Graph.open() as graph:
        if ours:
            _check_names(graph, query, parameters)
        if write:
            show(graph.autocommit(query, **parameters).rows, output)
        else:
            try:
                rows = graph.rows(query, **parameters)
            except GraphError as error:
                if "access mode" in error.what:
                    raise InputError(
                        "the statement changes the graph", where=query.name, remedy="add --write"
                    ) from error
                raise
            show(
                rows,
                output,
                columns=[column.name for column in query.columns if output != "table" or column.name not in query.said],
                title=query.table_title(parameters) if "table" in query.notes else "",
                keys=query.keys,
                first=query.first,
                headings=query.headings(parameters),
                types={column.name: column.type for column in query.columns},
            )
            for line in query.says(rows) if output == "table" else ():
                click.echo(line)


def _check_names(graph: Graph, query: CypherStatement, parameters: dict[str, Any]) -> None:
    """Checks the names of measures and sources, since an unknown name would give no rows, or zeros.

    Raises:
        NotFound: there is no measure, or no source, of that name.
    """
    from harmgraph.common.errors import NotFound
    from harmgraph.graph.contents.sources import names as source_names

    taken = {parameter.name for parameter in query.parameters} & parameters.keys()
    for parameter in taken & set(MEASURES):
        value = parameters[parameter]
        for measure in value if isinstance(value, list) else [value]:
            if measure is not None:
                known_measure(graph, str(measure))
    source = parameters.get("source") if "source" in taken else None
    if source is not None and source not in (known := source_names(graph)):
        raise NotFound("source", str(source), known)
