"""CompGCN: entities and relations are composed, and relations have vectors that change from layer to layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import OfEncoder, VectorEncoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class CompGcn(VectorEncoder):
    """Vashishth et al. 2020, equations 2 and 4.

    A message is a composition of the neighbour and the relation: their difference (``sub``), product (``mult``) or circular
    correlation (``corr``). Edges in their own direction, the inverse ones and the entity itself have a matrix each. The next
    vectors of the relations are the present ones times a matrix. The paper sums messages; here each matrix has the sum of its
    messages divided by the number of all edges of the entity, and the three are averaged.
    """

    name = "compgcn"
    title = "neighbour and relation composed; vectors of relations change too"
    citation = "Vashishth et al. 2020, Composition-Based Multi-Relational Graph Convolutional Networks"
    options = (*VectorEncoder.options, "composition")

    def layer(self, relations: int, columns: int, training: OfEncoder) -> Module:
        """See ``VectorEncoder.layer``."""
        from torch.nn import Embedding, Linear, ModuleDict

        return ModuleDict(
            {
                "there": Linear(columns, columns, bias=False),
                "back": Linear(columns, columns, bias=False),
                "own": Linear(columns, columns),
                "relations": Linear(columns, columns, bias=False),
                "itself": Embedding(1, columns),
            }
        )

    def passed(
        self, layer: Any, training: OfEncoder, bound: BoundGraph, state: Tensor, kinds: Tensor, last: bool
    ) -> tuple[Tensor, Tensor]:
        """See ``VectorEncoder.passed``."""
        how = training.composition
        there = kinds.new_zeros(len(kinds), 1)
        there[: len(kinds) // 2] = 1
        totals = (_total(bound, state, kinds, each, how) for each in (there, 1 - there))
        arrived = sum(layer[name](bound.means(total)) for name, total in zip(("there", "back"), totals, strict=True))
        own = layer["own"](_composed(state, layer["itself"].weight, how))
        passed: Tensor = (arrived + own) / 3
        return passed if last else passed.tanh(), layer["relations"](kinds)


def _total(bound: BoundGraph, state: Tensor, kinds: Tensor, of: Tensor, how: str) -> Tensor:
    """The sum of the compositions that arrive at each entity by edges of some relations, [entities, d].

    All three are linear in what is gathered, so they are sums of products, whose transforms are made once an entity.

    Args:
        of: 1 for these relations, 0 for the others [relations, 1].
    """
    import torch

    if how == "sub":
        return bound.sums_of_products(state, of.expand_as(kinds)) - bound.sums_by_relation(kinds * of)
    if how == "mult":
        return bound.sums_of_products(state, kinds * of)
    entity, relation = (torch.fft.rfft(each) for each in (state, kinds * of))
    parts = torch.cat([entity.real, entity.imag], dim=1)
    real = bound.sums_of_products(parts, torch.cat([relation.real, relation.imag], dim=1)).chunk(2, dim=1)
    imaginary = bound.sums_of_products(parts, torch.cat([relation.imag, relation.real], dim=1)).chunk(2, dim=1)
    whole = torch.complex(real[0] + real[1], imaginary[0] - imaginary[1])
    correlated: Tensor = torch.fft.irfft(whole, n=state.shape[1])
    return correlated


def _composed(entities: Tensor, relations: Tensor, how: str) -> Tensor:
    """The composition of vectors of entities [n, d] and of relations [n, d] or [1, d]."""
    import torch

    if how == "sub":
        return entities - relations
    if how == "mult":
        return entities * relations
    whole = torch.fft.rfft(entities).conj() * torch.fft.rfft(relations)
    correlated: Tensor = torch.fft.irfft(whole, n=entities.shape[1])
    return correlated


ENCODER = CompGcn()
