"""The surroundings of some entities: edges some hops far, all of them or some that are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.models.subgraph.split import Integers

if TYPE_CHECKING:
    from dgl import DGLGraph
    from torch_geometric.data import Data

BOTH, IN = "both", "in"
DIRECTIONS = (BOTH, IN)
EVERY = 0
"""A fan-out that takes all edges of an entity."""


@dataclass(frozen=True, eq=False)
class KHopNeighbourhood:
    """Edges that carry messages towards some entities, the seeds.

    An entity draws its edges once, in the hop after the one that reached it. Entities are numbered: seeds first, as they were
    given, then hop by hop, sorted by key. Equal draws are equal arrays, wherever they come from.

    Attributes:
        entities: keys [n].
        reached: how many entities there are before the first hop, and after each hop, [hops + 1].
        source, relation, target: of each edge [edges], sorted by target, relation and source. The inverse of relation r is r +
            ``relations``. A source n is an entity that has no number, see ``Neighbours.around``.
        relations: how many there are, without the inverses.
    """

    entities: tuple[str, ...]
    reached: tuple[int, ...]
    source: Integers
    relation: Integers
    target: Integers
    relations: int

    def __len__(self) -> int:
        return len(self.source)

    def triples(self) -> Integers:
        """The edges as [edges, 3] head, relation and tail in their own direction, each triple once."""
        inverse = self.relation >= self.relations
        head, tail = np.where(inverse, self.target, self.source), np.where(inverse, self.source, self.target)
        return np.unique(np.stack([head, self.relation % max(1, self.relations), tail], axis=1), axis=0)

    def blocks(self) -> list[DGLGraph]:
        """A DGL block (message-flow graph) for each layer, the first layer's first; what leaves one enters the next.

        ``edata['type']`` has the relation ids, ``edata['edge']`` the places of the edges here. Both ends are numbered as here.

        Raises:
            MissingExtra: DGL is not installed.
            InputError: an entity has no number, see ``Neighbours.around``.
        """
        from harmgraph.models.extra import needed

        self._check_numbers()
        dgl, torch = needed("dgl"), needed("torch")
        made = []
        for sources, targets in zip(self.reached[:0:-1], self.reached[-2::-1], strict=True):
            edges = np.arange(int(np.searchsorted(self.target, targets)))
            ends = torch.from_numpy(self.source[edges]), torch.from_numpy(self.target[edges])
            block = dgl.create_block(ends, num_src_nodes=sources, num_dst_nodes=targets)
            block.edata["type"] = torch.from_numpy(self.relation[edges])
            block.edata["edge"] = torch.from_numpy(edges)
            made.append(block)
        return made

    def pyg(self) -> Data:
        """The edges for PyTorch Geometric, with the names of its ``NeighborLoader``.

        The seeds are the first ``batch_size`` nodes.

        ``edge_index`` [2, edges], ``edge_type`` (relation ids), ``batch_size``, and per hop ``num_sampled_nodes``
        (the seeds first) and ``num_sampled_edges``. By these ``torch_geometric.utils.trim_to_layer`` leaves out what a layer
        does not need.

        Raises:
            MissingExtra: PyTorch Geometric is not installed.
            InputError: an entity has no number, see ``Neighbours.around``.
        """
        from harmgraph.models.extra import needed

        self._check_numbers()
        data, torch = needed("torch_geometric.data"), needed("torch")
        steps = np.searchsorted(self.target, (0, *self.reached[:-1]))
        return data.Data(
            edge_index=torch.from_numpy(np.stack([self.source, self.target])),
            edge_type=torch.from_numpy(self.relation.copy()),
            num_nodes=len(self.entities),
            batch_size=self.reached[0],
            num_sampled_nodes=np.diff((0, *self.reached)).tolist(),
            num_sampled_edges=np.diff(steps).tolist(),
        )

    def _check_numbers(self) -> None:
        lost = int((self.source >= len(self.entities)).sum())
        if lost:
            raise InputError(
                f"the other ends of {lost:,} edges have no numbers, and a graph needs them",
                remedy="draw it with ends=True",
            )


class Neighbours(ABC):
    """Where neighbourhoods come from.

    Attributes:
        relation_names: names of the relations; the id of a relation is its place.
    """

    relation_names: tuple[str, ...]

    @abstractmethod
    def around(
        self, seeds: Sequence[str], fanouts: Sequence[int], seed: Sequence[int], *, ends: bool = True
    ) -> KHopNeighbourhood:
        """The neighbourhood of entities.

        Args:
            seeds: distinct keys.
            fanouts: of each hop, how many edges an entity draws at most, all sets of them being equally likely, or ``EVERY``.
            seed: of the draw: the same gives the same edges.
            ends: whether the entities that the last hop reaches get numbers. Relations that meet the others may be all that is
                wanted, and those at the end are most.

        Raises:
            NotFound: a seed is not there.
        """
