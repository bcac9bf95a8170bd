"""The lists of targets: which ones a number is about, their digests, and which targets of lists the groups of a source are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import UnknownList
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import Statement
from harmgraph.graph.target_names import group_names

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import LinkHeldRow

LIST, GROUPS = "list", "groups"
SOURCES = ("source", "other")
"""Parameters of statements that name a source; ``also`` names several."""


@dataclass(frozen=True, slots=True)
class TargetList:
    """A list of targets.

    Attributes:
        name: name of the source that brought it.
        kind: ``list``, or ``groups`` for those that a source of statements brings.
        digest: SHA-256 of what it holds, see ``digest``.
        targets: how many it holds.
    """

    name: str
    kind: str
    digest: str
    targets: int


def every(graph: Graph) -> tuple[TargetList, ...]:
    """All lists, and the groups of all sources, in the order in which they came."""
    return _read(graph, None, None)


def chosen(
    graph: Graph, names: Sequence[str] | None = None, sources: Iterable[str] | None = ()
) -> tuple[TargetList, ...]:
    """The lists that a number is about.

    Args:
        names: names of lists; if none is given, all lists and the groups of the sources.
        sources: the sources of the number; None for the groups of every source.

    Raises:
        UnknownList: no list of that name.
    """
    if not names:
        return _read(graph, None, None if sources is None else list(sources))
    wanted = list(dict.fromkeys(names))
    found = _read(graph, wanted, [])
    for name in wanted:
        if name not in {each.name for each in found}:
            raise UnknownList(name, [each.name for each in every(graph)])
    return found


def sources_of(query: Statement, given: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The sources that a number is of, whose groups it counts where no list is named.

    Args:
        given: the arguments of the statement.

    Returns:
        None for all sources: a statistic of posts, which have no other targets, and no source is named.
    """
    named = [given.get(name) for name in SOURCES]
    named += given.get("also") or ()
    sources = tuple(dict.fromkeys(name for name in named if name is not None))
    return None if not sources and query.notes.get("of") == ("posts",) else sources


def _read(graph: Graph, lists: list[str] | None, sources: list[str] | None) -> tuple[TargetList, ...]:
    rows = graph.rows("list/chosen", lists=lists, sources=sources)
    return tuple(TargetList(row["list"], row["kind"], row["digest"], row["targets"]) for row in rows)


def digest(rows: Iterable[LinkHeldRow]) -> str:
    """SHA-256 over the targets of a list: name, category, names, language and parts of each, sorted.

    The name is the one in the list, so the digest does not depend on other lists, after which a target may be called
    ``chef (de)``.

    Returns:
        64 hexadecimal digits.
    """
    held = sorted(
        [row["names"][0], row["category"], sorted(row["names"]), row["language"], sorted(row["parts"])] for row in rows
    )
    return hashlib.sha256(json.dumps(held, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the groups of sources stand in lists.

    Attributes:
        listed: rows of group, target, place and lists: the targets of lists that a group is. Place 0 is by its name, 1 by the
            other one for which it is looked (``group_names``).
        unless: rows of source, group and the lists that have it.
    """

    listed: tuple[tuple[str, str, int, list[str]], ...]
    unless: tuple[tuple[str, str, list[str]], ...]


def standing(rows: Sequence[LinkHeldRow]) -> Standing:
    """Looks the groups of sources up in the lists.

    A group of posts is looked for by its name, without ``folks`` or ``people``, or in the singular. A target that sentences
    are about is looked for by its names only, since a sentence is about a target of a list by the same rule.
    """
    by_name: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        if row["kind"] == LIST:
            for name in row["names"]:
                by_name.setdefault((row["language"], name), []).append((row["target"], row["list"]))
    listed: dict[tuple[str, str], dict[str, int]] = {}
    unless = []
    for row in rows:
        if row["kind"] != GROUPS:
            continue
        lists: set[str] = set()
        places = enumerate(group_names(row["names"][0])) if row["implied"] else ((0, name) for name in row["names"])
        for place, name in places:
            for target, of in by_name.get((row["language"], name), ()):
                found = listed.setdefault((row["target"], target), {})
                found[of] = min(place, found.get(of, place))
                lists.add(of)
        unless.append((row["list"], row["target"], sorted(lists)))
    return Standing(
        tuple(
            (group, target, min(places.values()), sorted(places)) for (group, target), places in sorted(listed.items())
        ),
        tuple(unless),
    )
