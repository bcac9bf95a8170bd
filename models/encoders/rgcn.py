"""R-GCN: a matrix per relation, which is a mixture of a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import OfEncoder, VectorEncoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

BASES = 4


class Rgcn(VectorEncoder):
    """Schlichtkrull et al. 2018, equations 2 and 3: h' = s(W0 h + mean over the edges of W_r h of the neighbour).

    W_r is a sum of ``BASES`` matrices, weighed by numbers of the relation. The mean is over all edges, as the paper has it for
    link prediction (section 5.2).
    """

    name = "rgcn"
    title = "a matrix per relation, mixed of a few"
    citation = "Schlichtkrull et al. 2018, Modeling Relational Data with Graph Convolutional Networks"

    def layer(self, relations: int, columns: int, training: OfEncoder) -> Module:
        """See ``VectorEncoder.layer``."""
        from torch.nn import Embedding, Linear, ModuleDict

        return ModuleDict(
            {
                "own": Linear(columns, columns),
                "bases": Linear(columns, BASES * columns, bias=False),
                "shares": Embedding(relations, BASES),
            }
        )

    def passed(
        self, layer: Any, training: OfEncoder, bound: BoundGraph, state: Tensor, kinds: Tensor, last: bool
    ) -> tuple[Tensor, Tensor]:
        """See ``VectorEncoder.passed``."""
        by_basis = layer["bases"](state).view(len(state), BASES, -1)
        shares = layer["shares"](bound.pair_relation)
        # Basis by basis: all at once would need a vector per pair and basis.
        messages: Tensor = sum(
            shares[:, place : place + 1] * by_basis[:, place].index_select(0, bound.pair_entity)
            for place in range(BASES)
        )
        passed: Tensor = layer["own"](state) + bound.means(bound.sums_of(messages))
        return passed if last else passed.relu(), kinds


ENCODER = Rgcn()
