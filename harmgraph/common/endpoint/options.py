"""``--endpoint`` and what goes with it, for commands in which a server may stand in for a model of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harmgraph.common.command_line import given_parameters, words_of_options
from harmgraph.common.endpoint.endpoint import TIMEOUT_S, Endpoint
from harmgraph.common.endpoint.key import VARIABLE
from harmgraph.common.options import checked, documented, option

if TYPE_CHECKING:
    import click

HERE = frozenset({"device", "threads", "precision"})
"""Options of commands that are of a model of this machine."""
THERE = frozenset({"key_from", "parallel", "max_tokens", "timeout"})


@documented
@dataclass(frozen=True, slots=True)
class ModelServer:
    """Where a model is asked, and how much at once.

    Attributes:
        endpoint: empty for a model of this machine.
    """

    endpoint: str = option(
        "", "Ask the model of a server that speaks as OpenAI's does, such as http://127.0.0.1:11434/v1."
    )
    key_from: str = option(VARIABLE, "With --endpoint: environment variable with the server's key.")
    parallel: int = option(4, "With --endpoint: questions under way at the same time.", least=1, most=256)
    max_tokens: int = option(0, "With --endpoint: most tokens of this run. 0 for any number.", least=0)
    timeout: float = option(TIMEOUT_S, "With --endpoint: seconds that one answer may take.", least=0.0, above=True)

    def __post_init__(self) -> None:
        checked(self)

    def opened(self) -> Endpoint:
        """The server.

        Raises:
            BadName, InputError: as ``Endpoint``.
        """
        return Endpoint(self.endpoint, variable=self.key_from, timeout_s=self.timeout)


def check_options(context: click.Context, endpoint: str) -> None:
    """Checks that nothing is given that this run would not use: of a model of this machine, or of a server.

    Args:
        endpoint: of the run; empty for a model of this machine.

    Raises:
        UsageError: something is.
    """
    from click import UsageError

    words = words_of_options(context, given_parameters(context) & set(HERE if endpoint else THERE))
    if words:
        verb = "does" if len(words) == 1 else "do"
        raise UsageError(f"{', '.join(words)} {verb} not go {'with' if endpoint else 'without'} --endpoint.")
