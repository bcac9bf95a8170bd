"""The entities of a source of the live graph, without their edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from harmgraph.graph.statements import statement
from harmgraph.models.config import Origin
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.reader import changed, pages_of_heads, read_paged
from harmgraph.models.subgraph.split import Integers


@dataclass(frozen=True, eq=False)
class LiveEntities:
    """Those with an edge of the source, in memory.

    Attributes:
        entities: keys, sorted; the id of an entity is its index, as in ``Subgraph``.
        nodes: the id that the store gave the node of each [entities].
        degrees: how many relationships each has, of all sources [entities].
        origin: what they were read from.
    """

    entities: tuple[str, ...]
    nodes: Integers
    degrees: Integers
    origin: Origin

    @classmethod
    def of(cls, live: LiveGraph) -> LiveEntities:
        """Reads them, page by page."""
        keys: list[str] = []
        nodes: list[int] = []
        degrees: list[int] = []
        asked = {"source": live.source}
        for records in read_paged(live.graph, statement("subgraph/entities"), asked, pages_of_heads(live.graph)):
            for block in records:
                keys += block["key"]
                nodes += block["id"]
                degrees += block["degree"]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return cls(
            tuple(keys[place] for place in order),
            np.array(nodes, np.int64)[order],
            np.array(degrees, np.int64)[order],
            live.origin,
        )

    @cached_property
    def entity_ids(self) -> dict[str, int]:
        """The id of each key."""
        return {key: place for place, key in enumerate(self.entities)}

    @cached_property
    def _order(self) -> Integers:
        return np.argsort(self.nodes)

    @cached_property
    def _sorted(self) -> Integers:
        return self.nodes[self._order]

    def ids(self, nodes: Sequence[int] | Integers) -> Integers:
        """The id of each node [n].

        Raises:
            Busy: one is not among them, so the graph changed.
        """
        wanted = np.asarray(nodes, np.int64)
        place = np.searchsorted(self._sorted, wanted).clip(max=len(self.nodes) - 1)
        if (self._sorted[place] != wanted).any():
            raise changed()
        found: Integers = self._order[place]
        return found
