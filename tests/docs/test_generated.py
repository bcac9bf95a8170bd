"""Pages that follow from the code: ``make docs`` (HARMGRAPH_RENEW=1) writes them again, this test holds them to it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click
import pytest

from harmgraph.__main__ import COMMANDS, cli
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import statistic_names
from harmgraph.graph.schema import NODES, RELATIONSHIPS, Property
from tests.support.places import DOCS

WIDTH = 100


def schema_page() -> str:
    lines = [
        "# The graph's shape",
        "",
        "Written from `graph/schema.py` by `make docs`.",
        "",
        "A number is one pattern away from its sentences:",
        "`MATCH p = (:Target {name: 'muslim'})<-[:NAMES]-(:Concept)-[r {sentiment: 'negative'}]-(:Concept) RETURN p`.",
        "",
        "## Nodes",
    ]
    for node in NODES:
        indexed = f"; indexed: {', '.join(f'`{name}`' for name in node.indexes)}" if node.indexes else ""
        lines += ["", f"### `:{node.label}`", "", f"{node.meaning}. One per `{node.key}`{indexed}.", ""]
        lines += _table(node.properties)
    lines += ["", "## Relationships"]
    for kind in RELATIONSHIPS:
        shown = "TYPE" if kind.type == "*" else kind.type
        ends = f"(:{'|'.join(kind.start)})-[:{shown}]->(:{'|'.join(kind.end)})"
        lines += ["", f"### `{ends}`", "", f"{kind.meaning}."]
        if kind.properties:
            lines += ["", *_table(kind.properties)]
    return "\n".join(lines) + "\n"


def _table(properties: tuple[Property, ...]) -> list[str]:
    rows = [f"| `{one.name}` | {one.type} | {one.meaning} |" for one in properties]
    return ["| property | type | meaning |", "|---|---|---|", *rows]


def commands_page() -> str:
    lines = ["# Command reference", "", "Written from the commands by `make docs`.", ""]
    for path, command in every_command(cli, ()):
        context = click.Context(command, info_name=" ".join(path), max_content_width=WIDTH, terminal_width=WIDTH)
        context.help_option_names = ["-h", "--help"]
        command._help_option = None  # a test that ran the command by itself left one there, without -h
        lines += [f"## {' '.join(path)}", "", "```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(lines)


def every_command(command: click.Command, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    path = (*above, command.name if above else "harmgraph")
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from every_command(found, path)


PAGES = {"schema.md": schema_page, "commands.md": commands_page}


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    page = DOCS / name
    text = PAGES[name]()
    if os.environ.get("HARMGRAPH_RENEW"):
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text, "run 'make docs' and look at the difference"


def test_every_command_says_what_it_does() -> None:
    for path, command in every_command(cli, ()):
        assert command.help, f"{' '.join(path)} has no help"
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.help, f"{' '.join(path)} {parameter.opts[0]} has no help"


def test_every_command_is_in_the_front_door() -> None:
    assert [path[1] for path, _ in every_command(cli, ()) if len(path) == 2] == list(COMMANDS)


def test_every_statistic_is_explained() -> None:
    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    assert [name for name in (*statistic_names(), *computed.names()) if f"`{name}`" not in text] == []
