"""A layer of message passing, forwards and backwards, by each back end and beside what users would write: same graph, same sums.

The layer is DistMult's message (neighbour times relation), summed where it arrives.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from harmgraph.models.subgraph.back_end import back_ends
from harmgraph.models.subgraph.message_graph import MessageGraph, message_graph
from harmgraph.models.subgraph.summing import summed, summed_products
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting

ENTITIES, RELATIONS, TRIPLES = 14_541, 237, 272_115
"""Those of FB15k-237's training split; heads and tails are drawn as often as in graphs with hubs."""
COLUMNS = 100
Layer = Callable[[Tensor, Tensor], Tensor]


def generated() -> MessageGraph:
    rng = np.random.default_rng(0)
    head, tail = ((rng.pareto(1.2, size=TRIPLES) * 40).astype(np.int64) % ENTITIES for _ in range(2))
    relation = (rng.pareto(1.0, size=TRIPLES) * 4).astype(np.int64) % RELATIONS
    return message_graph(np.stack([head, relation, tail], axis=1), ENTITIES, RELATIONS)


def layers(graph: MessageGraph) -> dict[str, Layer]:
    pair_entity, pair_relation = torch.from_numpy(graph.pair_entity), torch.from_numpy(graph.pair_relation)
    source, relation = pair_entity[torch.from_numpy(graph.pair)], pair_relation[torch.from_numpy(graph.pair)]
    target, kept = torch.from_numpy(graph.target), torch.ones(len(graph))

    def added(state: Tensor, kinds: Tensor) -> Tensor:
        return state.new_zeros(graph.entities, COLUMNS).index_add(0, target, state[source] * kinds[relation])

    found: dict[str, Layer] = {"index_add_ over edges": added}
    for back_end in back_ends:
        if back_end.is_available("cpu"):
            sums = back_end.sums(graph, "cpu")
            found[f"back end {back_end.name}"] = lambda state, kinds, sums=sums: summed_products(  # type: ignore[misc]
                sums, pair_entity, pair_relation, state, kinds, kept
            )
            found[f"the same, all columns at once, {back_end.name}"] = lambda state, kinds, sums=sums: summed(  # type: ignore[misc]
                sums, state[pair_entity] * kinds[pair_relation], kept
            )
    if importlib.util.find_spec("dgl"):
        import dgl

        whole = dgl.graph((source, target), num_nodes=graph.entities)
        found["DGL, u_mul_e_sum over edges"] = lambda state, kinds: dgl.ops.u_mul_e_sum(whole, state, kinds[relation])
    if importlib.util.find_spec("torch_geometric"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from torch_geometric.nn import MessagePassing

        class DistMultLayer(MessagePassing):  # type: ignore[misc]
            def forward(self, state: Tensor, kinds: Tensor) -> Tensor:
                ends = torch.stack([source, target])
                passed: Tensor = self.propagate(ends, x=state, kind=kinds[relation], size=(graph.entities,) * 2)
                return passed

            def message(self, x_j: Tensor, kind: Tensor) -> Tensor:
                return x_j * kind

        found["PyTorch Geometric, MessagePassing"] = DistMultLayer(aggr="add")
    return found


def bench(setting: Setting, figures: Figures) -> None:
    """The best of some runs of each, one after the other."""
    graph = generated()
    figures.add("edges, both ways", len(graph), "")
    figures.add("pairs of entity and relation", len(graph.pair_entity), "")
    generator = torch.Generator().manual_seed(1)
    begin = torch.randn(graph.entities, COLUMNS, generator=generator), torch.randn(graph.relations, COLUMNS)
    contestants = layers(graph)
    expected: Tensor | None = None
    best: dict[tuple[str, str], float] = {}
    for _ in range(2 if setting.quick else 5):
        for name, layer in contestants.items():
            state, kinds = (each.clone().requires_grad_() for each in begin)
            seconds, passed = timed(lambda: layer(state, kinds))  # noqa: B023 - it is called at once
            back, _ = timed(lambda: passed.square().sum().backward())  # noqa: B023
            expected = passed.detach() if expected is None else expected
            torch.testing.assert_close(passed.detach(), expected, rtol=1e-3, atol=1e-2)
            for way, took in (("forwards", seconds), ("backwards", back)):
                best[name, way] = min(took, best.get((name, way), took))
    for (name, way), seconds in best.items():
        figures.add(f"{name}, {way}", seconds * 1000, "ms")
    whole = {name: best[name, "forwards"] + best[name, "backwards"] for name in contestants}
    ours = min(whole, key=lambda name: whole[name] if name.startswith("back end") else float("inf"))
    for name, seconds in whole.items():
        if name != ours:
            figures.add(f"{name} / {ours}", seconds / whole[ours], "x", "3" if name.startswith("index") else "1")
