"""``--scorer NAME`` and ``--scorer-option NAME=VALUE``, for commands that take a scorer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from harmgraph.common.command_line import Member

FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)


def _scorer_names() -> tuple[str, ...]:
    from harmgraph.common.scorer import scorers

    return scorers.names()


def which_scorer_option(help_line: str) -> Callable[[FC], FC]:
    """``--scorer NAME``, VADER if it is not given."""
    return click.option(
        "--scorer", type=Member("scorer", _scorer_names), default="vader", show_default=True, help=help_line
    )


scorer_option = click.option(
    "--scorer-option",
    multiple=True,
    metavar="NAME=VALUE",
    help="Option of the scorer, such as model=NAME or a file; may be given again.",
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
