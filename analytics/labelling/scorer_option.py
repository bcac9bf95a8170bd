"""``--scorer-option NAME=VALUE``: options of a scorer, for commands that name one."""

from __future__ import annotations

from collections.abc import Iterable

import click

scorer_option = click.option(
    "--scorer-option",
    multiple=True,
    metavar="NAME=VALUE",
    help="Option of the scorer, such as model=NAME, or a file that its labels do not tell; may be given again.",
)


def pairs(given: Iterable[str]) -> dict[str, str]:
    """The options by their names.

    Raises:
        click.UsageError: one is not of the form NAME=VALUE.
    """
    found: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--scorer-option {one!r} is not of the form NAME=VALUE.")
        found[name.replace("-", "_")] = value
    return found
