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
        graph: its edges. sums: sums messages over them.
        pair_entity, pair_relation: those of the graph, as tensors [pairs].
        target: the entity that each edge enters [edges].
        kept: [edges] 1 for an edge that carries messages, 0 for one that does not.
        relation_sums: makes what sums messages of relations over the edges of ``graph.by_relation``.
        usual: the mean logarithm that degrees are measured against; None for that of this graph.
        own: what the features of a model know of each entity itself [entities, ...]; None if that is nothing.
    """

    graph: MessageGraph
    sums: Sums
    pair_entity: Tensor
    pair_relation: Tensor
    target: Tensor
    kept: Tensor
    relation_sums: Callable[[], Sums]
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

        graph, place = self.graph.by_relation
        at = torch.from_numpy(place).to(self.kept.device)
        return self.relation_sums()(messages, self.kept.new_zeros(len(graph)).index_add(0, at, self.kept))

    def means(self, messages: Tensor) -> Tensor:
        """The mean of the messages [pairs, d] that arrive at each entity, [entities, d]; zeros where none does."""
        return self.sums(messages, self.kept) / self.degrees.clamp(min=1).unsqueeze(1)
