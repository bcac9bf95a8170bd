"""Sums of messages by DGL's fused kernels, over a block (message-flow graph) from pairs to entities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.models.extra import needed, works
from harmgraph.models.subgraph.back_end import BackEnd, Sums

if TYPE_CHECKING:
    from torch import Tensor

    from harmgraph.models.subgraph.message_graph import MessageGraph


@dataclass(frozen=True, slots=True)
class _Blocks:
    """See ``Sums``: the block, and the one with all edges turned round."""

    forwards: Any
    turned: Any

    def there(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        return _summed(self.forwards, kept)

    def back(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        return _summed(self.turned, kept)


def _summed(block: Any, kept: Tensor) -> Callable[[Tensor], Tensor]:
    ops, weights = needed("dgl").ops, kept.unsqueeze(1)

    def summed(messages: Tensor) -> Tensor:
        total: Tensor = ops.u_mul_e_sum(block, messages, weights)
        return total

    return summed


class DglBlock(BackEnd):
    """See ``BackEnd``."""

    name = "dgl"
    rank = 1

    def is_available(self, device: str) -> bool:
        """See ``BackEnd.is_available``: most of DGL's packages are for the CPU."""
        if not works("dgl"):
            return False
        dgl = needed("dgl")
        try:
            dgl.graph(([0], [0])).to(device)
        except (dgl.DGLError, RuntimeError):
            return False
        return True

    def sums(self, graph: MessageGraph, device: str) -> Sums:
        """See ``BackEnd.sums``."""
        dgl, torch = needed("dgl"), needed("torch")
        pair, target = torch.from_numpy(graph.pair.copy()), torch.from_numpy(graph.target.copy())
        pairs = len(graph.pair_entity)
        block = dgl.create_block((pair, target), num_src_nodes=pairs, num_dst_nodes=graph.entities)
        turned = dgl.create_block((target, pair), num_src_nodes=graph.entities, num_dst_nodes=pairs)
        return _Blocks(block.to(device), turned.to(device))


BACK_END = DglBlock()
