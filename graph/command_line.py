"""Options and arguments that the commands of all rooms share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
OUTPUTS = ("table", "json", "csv")


@dataclass(slots=True)
class State:
    """What the front door needs to know when a command fails."""

    verbose: bool = False


def _set_verbose(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(State).verbose = True


def verbose_option(command: F) -> F:
    """``-v``: a traceback where something fails."""
    return verbose_option_of("Show a traceback when something fails.")(command)


def verbose_option_of(help_text: str) -> Callable[[F], F]:
    """``-v`` of a command that tells more than a traceback with it; see ``is_verbose``."""
    return click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_set_verbose, help=help_text)


def is_verbose(context: click.Context) -> bool:
    """Whether ``-v`` stands anywhere in the command line."""
    return context.ensure_object(State).verbose


def output_option(command: F) -> F:
    """``--output table|json|csv``, passed as ``output``."""
    return click.option(
        "--output",
        "-o",
        type=click.Choice(OUTPUTS),
        default="table",
        show_default=True,
        help="Form of what is printed.",
    )(command)


def progress_option(command: F) -> F:
    """``--no-progress``, passed as ``progress`` (True by default)."""
    return click.option(
        "--progress/--no-progress",
        default=True,
        help="Progress on stderr: bars at a terminal, elsewhere a line every 30 seconds.",
    )(command)


def share(value: str) -> float:
    """A share such as ``1%`` or ``0.01``.

    Raises:
        click.BadParameter: not a number between 0 and 1.
    """
    text = value.strip()
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{value!r} is no share: write 1% or 0.01")
    return number


class Share(click.ParamType[float]):
    """A share between 0 and 1, written ``1%`` or ``0.01``."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return value if isinstance(value, float) else share(str(value))


def parameters_of(given: tuple[str, ...]) -> dict[str, Any]:
    """The parameters of a statement from ``--param name=value``; a value is JSON, or plain text.

    Raises:
        click.BadParameter: one without a name or a value.
    """
    import json

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
