"""Sums of messages by DGL's fused kernels, over a block (message-flow graph) from pairs to entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.common.errors import MissingExtra
from harmgraph.models.extra import needed
from harmgraph.models.subgraph.back_end import BackEnd, Sums

if TYPE_CHECKING:
    from torch import Tensor

    from harmgraph.models.subgraph.message_graph import MessageGraph


class DglBlock(BackEnd):
    """See ``BackEnd``."""

    name = "dgl"
    rank = 1

    def is_available(self, device: str) -> bool:
        """See ``BackEnd.is_available``: most of DGL's packages are for the CPU, and some break with some versions of torch."""
        try:
            dgl = needed("dgl")
        except (MissingExtra, ImportError, OSError):
            return False
        try:
            dgl.graph(([0], [0])).to(device)
        except (dgl.DGLError, RuntimeError):
            return False
        return True

    def sums(self, graph: MessageGraph, device: str) -> Sums:
        """See ``BackEnd.sums``."""
        dgl, torch = needed("dgl"), needed("torch")
        ends = torch.from_numpy(graph.pair.copy()), torch.from_numpy(graph.target.copy())
        block = dgl.create_block(ends, num_src_nodes=len(graph.pair_entity), num_dst_nodes=graph.entities).to(device)

        def summed(messages: Tensor, kept: Tensor) -> Tensor:
            total: Tensor = dgl.ops.u_mul_e_sum(block, messages, kept.unsqueeze(1))
            return total

        return summed


BACK_END = DglBlock()
