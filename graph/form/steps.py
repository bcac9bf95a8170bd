"""The version of the graph's form, and the steps from each version to the next: the files of ``cypher/upgrade``.

A step is a statement ``cypher/upgrade/0001_what_it_does.cypher``; its number is the version that it leads to, and the highest one
is the version of this harmgraph. A new step is a new file. A step may be stopped at any moment and run again, so it changes only
what it finds in the earlier form. ``graph.contents.upgrade`` runs the steps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from harmgraph.graph.statements import names

FOLDER = "upgrade"
_NAME = re.compile(rf"{FOLDER}/(\d{{4}})_[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class UpgradeStep:
    """A step: the version that it leads to, and the name of its statement."""

    version: int
    statement: str


@cache
def steps() -> tuple[UpgradeStep, ...]:
    """All steps, in order.

    Raises:
        ValueError: a file has another name than a step's, or a number is missing or there twice.
    """
    found = []
    for name in names(FOLDER):
        match = _NAME.fullmatch(name)
        if not match:
            raise ValueError(f"{name}: the name of a step is four digits, _ and words")
        found.append(UpgradeStep(int(match[1]), name))
    if [step.version for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the numbers of the steps in cypher/{FOLDER} are not 1, 2, 3, ...: {found}")
    return tuple(found)


def newest() -> int:
    """The version of the graph's form that this harmgraph reads and writes."""
    return len(steps())
