"""How tokens are chosen: what must be known of a generation to repeat it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import InputError
from harmgraph.common.options import checked, documented, option


@documented
@dataclass(frozen=True, slots=True)
class Decoding:
    """Options of a generation.

    Attributes:
        samples: 0 for none, with beams.
        least: a continuation has at least this many tokens before its end.
    """

    beams: int = option(1, "Best continuations to keep. 1 is greedy.", least=1)
    samples: int = option(0, "Draw this many continuations of each prompt instead.", least=0)
    temperature: float = option(1.0, "Temperature of the draws. A low one is cautious.", least=0, above=True)
    top_k: int = option(0, "Draw from this many of the likeliest tokens. 0 is for all.", least=0)
    length: int = option(32, "Most tokens of a continuation.", least=1)
    seed: int = option(0, "Seed of the draws.", least=0)
    least: int = 0

    def __post_init__(self) -> None:
        checked(self)
        if self.samples and self.beams > 1:
            raise InputError("samples are drawn without beams", remedy="give --samples or --beams")

    def facts(self) -> dict[str, Any]:
        """The options that mean something, as JSON."""
        drawn = {"samples", "temperature", "top_k", "seed"} if self.samples else {"beams"}
        return {name: value for name, value in asdict(self).items() if name in drawn | {"length", "least"}}


@dataclass(frozen=True, slots=True)
class Continuation:
    """What a model says after a prompt.

    Attributes:
        ids: token ids, without the end.
        log_probability: natural, of all its tokens and its end under the model, whatever the temperature.
        ended: whether it ended itself; otherwise it was cut at the length.
    """

    ids: tuple[int, ...]
    log_probability: float
    ended: bool
