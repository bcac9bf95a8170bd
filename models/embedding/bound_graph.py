"""A graph on the device, ready for messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from harmgraph.models.subgraph.back_end import Sums
    from harmgraph.models.subgraph.message_graph import MessageGraph


@dataclass(frozen=True, kw_only=True)
class BoundGraph:
    """A graph that messages are passed on.

    Attributes:
        graph: its edges. sums: sums over them.
        pair_entity, pair_relation: those of the graph, as tensors [pairs].
        target: the entity that each edge enters [edges].
        kept: [edges] 1 for an edge that carries messages, 0 for one that does not.
        relation_sums: makes what sums messages of relations over the edges of ``graph.by_relation``; None for a graph of one
            step, for which that takes longer than it saves.
        usual: the mean logarithm that degrees are measured against; None for that of this graph.
        own: what the features of a model know of each entity itself [entities, ...]; None if that is nothing.
    """

    graph: MessageGraph
    sums: Sums
    pair_entity: Tensor
    pair_relation: Tensor
    target: Tensor
    kept: Tensor
    relation_sums: Callable[[], Sums] | None
    usual: Tensor | None = None
    own: Tensor | None = None

    @cached_property
    def degrees(self) -> Tensor:
        """How many edges that carry messages enter each entity, [entities]."""
        return self.kept.new_zeros(self.graph.entities).index_add(0, self.target, self.kept)

    @cached_property
    def mean_logarithm(self) -> Tensor:
        """The mean over entities of the logarithm of one more than the degree, or ``usual``."""
        return (self.degrees + 1).log().mean() if self.usual is None else self.usual

    def changed(self, kept: Tensor) -> BoundGraph:
        """The graph with other edges that carry messages, whose degrees are measured against those of this one.

        So an edge changes nothing where its messages do not arrive.
        """
        return replace(self, kept=kept, usual=self.mean_logarithm)

    @cached_property
    def relation(self) -> Tensor:
        """The relation of each edge, [edges]."""
        import torch

        return self.pair_relation[torch.from_numpy(self.graph.pair).to(self.kept.device)]

    def sums_by_relation(self, messages: Tensor) -> Tensor:
        """The sum of what arrives at each entity if each edge carries the message of its relation.

        Args:
            messages: [relations, d].

        Returns:
            [entities, d].
        """
        import torch

        from harmgraph.models.subgraph.summing import summed

        if self.relation_sums is None:
            return self.sums_of(messages.index_select(0, self.pair_relation))
        graph, place = self.graph.by_relation
        at = torch.from_numpy(place).to(self.kept.device)
        kept = self.kept.new_zeros(len(graph)).index_add(0, at, self.kept)
        return summed(self.relation_sums(), messages, kept)

    def sums_of(self, messages: Tensor) -> Tensor:
        """The sum of the messages [pairs, d] that arrive at each entity, [entities, d]."""
        from harmgraph.models.subgraph.summing import summed

        return summed(self.sums, messages, self.kept)

    def sums_of_products(self, vectors: Tensor, kinds: Tensor) -> Tensor:
        """The sum of what arrives at each entity if an edge carries what it comes from, times its relation.

        Args:
            vectors: of entities [entities, d]. kinds: of relations [relations, d].

        Returns:
            [entities, d].
        """
        from harmgraph.models.subgraph.summing import summed_products

        return summed_products(self.sums, self.pair_entity, self.pair_relation, vectors, kinds, self.kept)

    def means(self, total: Tensor) -> Tensor:
        """What arrives at each entity in all [entities, d], divided by how many edges bring it; zeros where none does."""
        return total / self.degrees.clamp(min=1).unsqueeze(1)
