"""What a number stands on: the target lists that it is about, the imports of its sources, and who labelled their statements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import every, is_list_of_targets


@dataclass(frozen=True, slots=True)
class Basis:
    """What a number stands on. Equal where the same lists and imports are meant, on every machine.

    Attributes:
        lists: ``name@digest`` of each target list, sorted.
        sources: ``name@import_id`` of each source, sorted.
        scorers: ``measure=scorer@version`` of each scorer whose labels the statements carry, sorted.
    """

    lists: tuple[str, ...]
    sources: tuple[str, ...]
    scorers: tuple[str, ...] = ()

    def facts(self) -> dict[str, list[str]]:
        """The properties of a ``Run``."""
        return {"lists": list(self.lists), "sources": list(self.sources), "scorers": list(self.scorers)}


def basis(graph: Graph, sources: Collection[str], *, lists: bool = True, measures: Sequence[str] = ()) -> Basis:
    """What a number of these sources stands on now; of every source if none is named.

    Args:
        lists: whether it is about the targets of lists.
        measures: those whose labels it counts.
    """
    known = {facts["name"]: facts for facts in every(graph)}
    chosen = sources or [name for name, facts in known.items() if not is_list_of_targets(facts)]
    about = graph.target_lists(*sources) if lists else ()
    return Basis(
        tuple(sorted(f"{one.name}@{one.digest}" for one in about)),
        tuple(sorted(f"{name}@{known[name].get('import_id') or ''}" for name in set(chosen) if name in known)),
        tuple(
            f"{measure}={by}"
            for measure in dict.fromkeys(measures)
            for by in labelled_by(graph, measure, sources, named=lists)
        ),
    )


def labelled_by(graph: Graph, measure: str, sources: Collection[str] = (), *, named: bool = True) -> tuple[str, ...]:
    """The scorers, with version and options, whose labels of a measure the statements of these sources carry, sorted.

    Args:
        sources: names of sources; every source if there are none.
        named: whether only statements about targets count. Otherwise all sentences do.
    """
    found: set[str | None] = set()
    for source in dict.fromkeys(sources) or (None,):
        if named:
            rows = graph.rows("label/labelled_by", source=source, measures=[measure], by=[f"{measure}_by"])
            found |= {row["by"][0] for row in rows}
        else:
            found |= {row["by"] for row in graph.rows("label/sentences_by", source=source, by=f"{measure}_by")}
    return tuple(sorted(by for by in found if by))
