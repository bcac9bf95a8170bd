"""Lists of targets: what statistics and labels are about.

Each ``target load`` is a list, the default one too. A source whose sentences bring groups of their own has a list of these.
A number is about the targets of the lists that it names, whatever else is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import NotFound

PARAMETER = "lists"
"""The parameter of the statements that are about the targets of some lists."""
SOURCES = ("source", "other", "also")
"""The parameters of statements that name sources."""


@dataclass(frozen=True, slots=True)
class TargetList:
    """A list in the graph.

    Attributes:
        of: the source that brings it; empty for a list that the user loaded.
        targets: how many it holds.
        digest: equal for lists that hold the same targets with the same categories and names, on every machine.
    """

    name: str
    of: str
    targets: int
    digest: str


def lists_of(rows: Iterable[Mapping[str, Any]]) -> tuple[TargetList, ...]:
    """The lists of a graph.

    Args:
        rows: of ``explore/target_lists``.
    """
    return tuple(TargetList(row["list"], row["of"] or "", row["targets"], row["digest"] or "") for row in rows)


def chosen(lists: Sequence[TargetList], asked: Sequence[str], sources: Collection[str]) -> tuple[TargetList, ...]:
    """The lists that a number is about.

    Args:
        lists: those of the graph.
        asked: names of lists; if there are none, every list that the user loaded, and the groups that ``sources`` bring.
        sources: the sources that the number is of.

    Raises:
        NotFound: there is no list of that name.
    """
    if not asked:
        return tuple(one for one in lists if not one.of or one.of in sources)
    known = {one.name: one for one in lists}
    for name in asked:
        if name not in known:
            raise NotFound("target list", name, known, remedy="'harmgraph target lists' shows them")
    return tuple(known[name] for name in dict.fromkeys(asked))


def sources_of(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The sources that the parameters of a statement name."""
    given = [parameters.get(name) for name in SOURCES]
    return tuple(name for one in given if one for name in ([one] if isinstance(one, str) else one))
