"""``--endpoint`` and what goes with it, for commands in which a server may stand in for a model of this machine."""

from __future__ import annotations

from dataclasses import dataclass

from harmgraph.common.endpoint.endpoint import TIMEOUT_S, Endpoint
from harmgraph.common.endpoint.key import VARIABLE
from harmgraph.common.options import checked, documented, option


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
