"""How tokens are chosen: what must be known of a generation to repeat it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName, InputError


@dataclass(frozen=True, slots=True)
class Decoding:
    """Options of a generation.

    Attributes:
        beams: the most probable continuations that are kept, and given; 1 is greedy.
        samples: continuations drawn of each prompt; 0 for none, with beams.
        temperature: of the draws. top_k: draw from so many tokens alone; 0 for all.
        length: most tokens of a continuation. least: so many tokens stand before its end.
        seed: of the draws.
    """

    beams: int = 1
    samples: int = 0
    temperature: float = 1.0
    top_k: int = 0
    length: int = 32
    seed: int = 0
    least: int = 0

    def __post_init__(self) -> None:
        for name in ("beams", "length"):
            if getattr(self, name) < 1:
                raise BadName(name, str(getattr(self, name)), "is not 1 or more")
        if self.samples and self.beams > 1:
            raise InputError("samples are drawn without beams", remedy="give --samples or --beams")
        if not 0 < self.temperature < float("inf"):
            raise BadName("temperature", f"{self.temperature:g}", "is not above 0; without --samples nothing is drawn")
        if self.top_k < 0 or self.samples < 0 or self.seed < 0:
            raise BadName("top-k, samples or seed", f"{self.top_k}, {self.samples}, {self.seed}", "is below 0")

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
