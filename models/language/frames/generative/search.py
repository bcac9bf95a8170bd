"""How frames are chosen: what must be known to predict them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

GREEDY, SAMPLED, CONSTRAINED = "greedy", "sampled", "constrained"
WAYS = (GREEDY, SAMPLED, CONSTRAINED)


@dataclass(frozen=True, slots=True)
class Search:
    """Options of a decoding.

    Attributes:
        way: ``greedy``; ``sampled``, the most probable of ``samples`` drawn frames; or ``constrained``, greedy with the most
            probable consistent assignment afterwards.
        seed: of the samples.
    """

    way: str = CONSTRAINED
    samples: int = 10
    seed: int = 0

    def facts(self) -> dict[str, Any]:
        """The options that mean something, as JSON."""
        drawn = {"samples": self.samples, "seed": self.seed} if self.way == SAMPLED else {}
        return {"decoding": self.way, **drawn}
