"""``--scorer-option NAME=VALUE``: options of a scorer, for commands that take a scorer."""

from __future__ import annotations

from collections.abc import Iterable

import click

scorer_option = click.option(
    "--scorer-option",
    multiple=True,
    metavar="NAME=VALUE",
    help="Option of the scorer, such as model=NAME, or a file that its labels do not name; may be given again.",
)


def pairs(arguments: Iterable[str]) -> dict[str, str]:
    """The options by name.

    Raises:
        click.UsageError: an option is not of the form NAME=VALUE.
    """
    options: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--scorer-option {argument!r} is not of the form NAME=VALUE.")
        options[name.replace("-", "_")] = value
    return options
