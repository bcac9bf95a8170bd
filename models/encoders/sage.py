"""GraphSAGE: the mean of the neighbours beside the entity itself, whatever the relation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import OfEncoder, VectorEncoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class Sage(VectorEncoder):
    """Hamilton et al. 2017, algorithm 1 with the mean aggregator: h' = s(W [h, mean of the neighbours' h]).

    The paper divides h' by its length. Here lengths stay, which the score function uses, and the last layer has no rectifier.
    """

    name = "sage"
    title = "the mean of the neighbours, whatever the relation"
    citation = "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs"

    def layer(self, relations: int, columns: int, training: OfEncoder) -> Module:
        """See ``VectorEncoder.layer``."""
        from torch.nn import Linear

        return Linear(2 * columns, columns)

    def passed(
        self, layer: Any, training: OfEncoder, bound: BoundGraph, state: Tensor, kinds: Tensor, last: bool
    ) -> tuple[Tensor, Tensor]:
        """See ``VectorEncoder.passed``."""
        import torch

        mean = bound.means(bound.sums_of_products(state, state.new_ones(bound.graph.relations, state.shape[1])))
        passed: Tensor = layer(torch.cat([state, mean], dim=1))
        return passed if last else passed.relu(), kinds


ENCODER = Sage()
