"""How frames are chosen: what must be known to predict them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harmgraph.common.options import checked, documented, option

GREEDY, SAMPLED, PER_TOKEN, CONSTRAINED, FREE = "greedy", "sampled", "sampled-per-token", "constrained", "free"
WAYS = (GREEDY, SAMPLED, PER_TOKEN, CONSTRAINED, FREE)


@documented
@dataclass(frozen=True, slots=True)
class Search:
    """Options of a decoding.

    Attributes:
        way: ``sampled`` is the most probable of ``samples`` drawn frames; ``sampled-per-token`` is the one of the highest
            mean log-probability of its tokens; ``constrained`` is greedy with the most probable consistent assignment
            afterwards; ``free`` is greedy among all tokens, of which one that cannot stand there ends the frame.
    """

    way: str = option(
        CONSTRAINED,
        "greedy, the best of ten samples, the best per token, greedy made consistent, or greedy among all tokens.",
        choices=WAYS,
        flag="decoding",
    )
    samples: int = 10
    seed: int = option(0, "Seed of samples and resamples.", least=0)

    def __post_init__(self) -> None:
        checked(self)

    @property
    def draws(self) -> bool:
        """Whether frames are drawn."""
        return self.way in (SAMPLED, PER_TOKEN)

    def facts(self) -> dict[str, Any]:
        """The options that mean something, as JSON."""
        drawn = {"samples": self.samples, "seed": self.seed} if self.draws else {}
        return {"decoding": self.way, **drawn}
