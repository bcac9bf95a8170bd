"""What a subgraph was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Origin:
    """What the triples were read from; ``subgraph.reader`` compares it with the graph.

    Attributes:
        statement, text, parameters: name and text of the statement that selected the triples, and its parameters.
        source: name of the source; None for every source.
        imports: the import of each source.
        size: numbers of the graph that changed with its nodes.
        seed, shares: of the random split; no shares if a file does not say them.
    """

    statement: str
    text: str
    parameters: Mapping[str, Any]
    source: str | None = None
    imports: Mapping[str, str] = field(default_factory=dict)
    size: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    shares: tuple[float, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The facts by name, as they are stored."""
        return asdict(self) | {"shares": list(self.shares)}
