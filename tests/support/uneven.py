"""Statements about lawyers and nurses, of whom nurses have twice as many, and four times as many neutral ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harmgraph.graph.records import Triple
from tests.support.filling import triple

SAYS = {"positive": "kind helper", "neutral": "tall reader", "negative": "awful liar"}
NUMBERS = {
    "lawyer": {"positive": 20, "neutral": 20, "negative": 20},
    "nurse": {"positive": 20, "neutral": 80, "negative": 20},
}


def said_of(numbers: Mapping[str, Mapping[str, int]]) -> Iterator[Triple]:
    """So many statements of each kind about each target."""
    for name, counts in numbers.items():
        for said, count in counts.items():
            yield from (triple(name, "IsA", f"{SAYS[said]} {number}") for number in range(count))
