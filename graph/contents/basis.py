"""What a number stands on: the target lists that it is about and the imports of its sources."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import every, is_list_of_targets


@dataclass(frozen=True, slots=True)
class Basis:
    """What a number stands on. Equal where the same lists and imports are meant, on every machine.

    Attributes:
        lists: ``name@digest`` of each target list, sorted.
        sources: ``name@import_id`` of each source, sorted.
    """

    lists: tuple[str, ...]
    sources: tuple[str, ...]

    def facts(self) -> dict[str, list[str]]:
        """The properties of a ``Run``."""
        return {"lists": list(self.lists), "sources": list(self.sources)}


def basis(graph: Graph, sources: Collection[str], *, lists: bool = True) -> Basis:
    """What a number of these sources stands on now; of every source if none is named.

    Args:
        lists: whether it is about the targets of lists.
    """
    known = {facts["name"]: facts for facts in every(graph)}
    chosen = sources or [name for name, facts in known.items() if not is_list_of_targets(facts)]
    about = graph.target_lists(*sources) if lists else ()
    return Basis(
        tuple(sorted(f"{one.name}@{one.digest}" for one in about)),
        tuple(sorted(f"{name}@{known[name].get('import_id') or ''}" for name in set(chosen) if name in known)),
    )
