"""``--engine`` and the options of every engine, for commands whose work can be divided."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import click

from harmgraph.common.command_line import F, Member, click_option, together
from harmgraph.common.engines.engine import LOCAL, Cluster, engines


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """The engine that was named, with its options.

    Attributes:
        options: only those of this engine.
    """

    name: str
    options: dict[str, Any]

    @property
    def is_local(self) -> bool:
        """Whether nothing is divided."""
        return self.name == LOCAL

    def cluster(self) -> AbstractContextManager[Cluster | None]:
        """See ``Engine.cluster``."""
        return engines.get(self.name).cluster(self.options)


def engine_options(command: F) -> F:
    """``--engine NAME`` and the options of the engines, passed as one ``engine``."""
    options = [(engine, option) for engine in engines for option in engine.options]

    @functools.wraps(command)
    def run(*arguments: Any, **given: Any) -> Any:
        name = given.pop("engine")
        chosen: dict[str, Any] = {}
        ctx = click.get_current_context()
        for engine, option in options:
            value = given.pop(option.name)
            if engine.name == name:
                chosen[option.name] = value
            elif ctx.get_parameter_source(option.name) is click.core.ParameterSource.COMMANDLINE:
                flag = f"--{option.name.replace('_', '-')}"
                raise click.UsageError(f"{flag} works only with --engine {engine.name}.")
        return command(*arguments, engine=ChosenEngine(name, chosen), **given)

    decorated: Any = together(
        click.option(
            "--engine",
            type=Member("engine", engines.names),
            default=LOCAL,
            show_default=True,
            help="Where the work is done: local or spark (docs/scale.md).",
        ),
        *(click_option(option) for _, option in options),
    )(run)
    return decorated  # type: ignore[no-any-return]
