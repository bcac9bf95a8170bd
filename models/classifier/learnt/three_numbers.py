"""The three numbers by which a scorer is compared with people: Mehrabi et al. 2021, tables 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.intervals import percentiles

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

NAMES = ("accuracy", "favouritism_f1", "prejudice_f1")
FAVOURITISM, PREJUDICE = 0, 2
"""Places of the labels of harm in ``PEOPLE_LABELS``."""


@dataclass(frozen=True, slots=True)
class PeopleScore:
    """How well a scorer agrees with people, or a person with another. Each number is 0 to 1; a gain is -1 to 1.

    Attributes:
        who: whose labels they are.
        accuracy: the share of people's labels that are the scorer's.
        favouritism_f1, prejudice_f1: of that label, over people's labels.
        n: people's labels.
        low, high: the 95 % intervals of the three numbers, in their order. Whole targets are drawn.
    """

    who: str
    accuracy: float
    favouritism_f1: float
    prejudice_f1: float
    n: int
    low: tuple[float, ...]
    high: tuple[float, ...]

    def row(self) -> dict[str, Any]:
        """Each number with its ends beside it."""
        row: dict[str, Any] = {"scorer": self.who}
        for place, name in enumerate(NAMES):
            row |= {name: getattr(self, name), f"{name}_low": self.low[place], f"{name}_high": self.high[place]}
        return {**row, "n": self.n}


def numbers(tables: Numbers) -> Numbers:
    """The three numbers of confusion tables, shape [..., 3, 4] to [..., 3]; 0 in place of a division by 0."""
    import numpy as np

    right = np.diagonal(tables, axis1=-2, axis2=-1)
    people, scorer = tables.sum(axis=-1), tables[..., : tables.shape[-2]].sum(axis=-2)
    f1 = 2 * right / np.maximum(people + scorer, 1e-12)
    accuracy = right.sum(axis=-1) / np.maximum(tables.sum(axis=(-2, -1)), 1e-12)
    result: Numbers = np.stack([accuracy, f1[..., FAVOURITISM], f1[..., PREJUDICE]], axis=-1)
    return result


def scored(
    named: dict[str, Numbers], votes: dict[str, Numbers], about: Sequence[str], *, resamples: int = 1_000, seed: int = 0
) -> tuple[list[PeopleScore], list[PeopleScore]]:
    """The three numbers of each scorer, and how much better the first is than each of the others, in the same resamples.

    Args:
        named: confusion tables of each sentence, shape [sentences, 3, 4], by who said it; the first is what is compared.
        votes: people's labels of each sentence, shape [sentences, 3], by the same names.
        about: the target by which each sentence is drawn.

    Returns:
        The numbers, and the gains over all but the first.
    """
    import numpy as np

    order = sorted(set(about))
    summed = {who: resampling.clustered(list(about), tables, order) for who, tables in named.items()}
    drawn: dict[str, list[Numbers]] = {who: [] for who in named}
    for block in resampling.places(len(order), resamples, seed):
        for who, tables in summed.items():
            drawn[who].append(numbers(np.stack([tables[chosen].sum(axis=0) for chosen in block])))
    values = {who: numbers(tables.sum(axis=0)) for who, tables in summed.items()}
    draws = {who: np.concatenate(parts) for who, parts in drawn.items()}
    first, *others = named

    def score(who: str, value: Numbers, draws_of: Numbers, n: float) -> PeopleScore:
        ends = [percentiles(draws_of[:, place]) for place in range(len(NAMES))]
        low, high = zip(*ends, strict=True)
        accuracy, favouritism, prejudice = map(float, value)
        return PeopleScore(who, accuracy, favouritism, prejudice, int(n), tuple(low), tuple(high))

    said = [score(who, values[who], draws[who], votes[who].sum()) for who in named]
    gains = [score(who, values[first] - values[who], draws[first] - draws[who], votes[who].sum()) for who in others]
    return said, gains
