"""Neighbourhoods as blocks of DGL and as data of PyTorch Geometric."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from harmgraph.common.errors import InputError, MissingExtra
from harmgraph.models.subgraph.cached_neighbours import CachedNeighbours
from harmgraph.models.subgraph.neighbourhood import EVERY, KHopNeighbourhood
from harmgraph.models.subgraph.split import TRAIN
from tests.support.family import family


def found(fanout: int = 2) -> KHopNeighbourhood:
    return CachedNeighbours(family("a")).around(["a05", "a09"], [fanout, fanout], [1])


def test_all_hops_are_the_whole_graph() -> None:
    graph = family("a")
    near = CachedNeighbours(graph).around(["a05"], [EVERY] * 9, [0])
    names = np.array(near.entities)
    triples = {(names[head], kind, names[tail]) for head, kind, tail in near.triples().tolist()}
    whole = {(graph.entities[head], kind, graph.entities[tail]) for head, kind, tail in graph.triples(TRAIN).tolist()}
    assert triples == whole
    assert len(near) == 2 * len(whole)


def test_blocks_of_dgl_pass_messages_to_the_seeds() -> None:
    dgl = pytest.importorskip("dgl", reason="the extra harmgraph[models] is not installed")
    near = found()
    first, last = near.blocks()
    assert (first.num_src_nodes(), first.num_dst_nodes()) == (near.reached[2], near.reached[1])
    assert (last.num_src_nodes(), last.num_dst_nodes()) == (near.reached[1], 2)
    assert len(near) == first.num_edges() > last.num_edges() > 0
    assert last.in_degrees().tolist() == np.bincount(near.target)[:2].tolist()
    source, _ = first.edges(order="eid")
    assert source.tolist() == near.source.tolist()
    assert first.edata["type"].tolist() == near.relation.tolist()
    state = dgl.ops.copy_u_sum(first, first.srcnodes().double())
    assert dgl.ops.copy_u_sum(last, state).shape == (2,)


def test_data_of_pytorch_geometric_begin_with_the_seeds() -> None:
    pytest.importorskip("torch_geometric", reason="the extra harmgraph[pyg] is not installed")
    from torch_geometric.utils import trim_to_layer

    near = found()
    data = near.pyg()
    assert data.validate()
    assert (data.batch_size, data.num_nodes) == (2, len(near.entities))
    assert sum(data.num_sampled_nodes) == data.num_nodes
    assert sum(data.num_sampled_edges) == data.num_edges
    assert data.edge_index.tolist() == [near.source.tolist(), near.target.tolist()]
    x = data.edge_type.new_zeros(data.num_nodes, 1)
    x, edges, _ = trim_to_layer(1, data.num_sampled_nodes, data.num_sampled_edges, x, data.edge_index)
    assert len(x) == near.reached[1]
    assert edges.shape[1] == int((near.target < 2).sum())


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dgl", "torch_geometric", "torch_geometric.data"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match="the package dgl is not installed"):
        found().blocks()
    with pytest.raises(MissingExtra, match="the package torch_geometric is not installed"):
        found().pyg()


def test_nodes_without_a_number_are_refused() -> None:
    near = CachedNeighbours(family("a")).around(["a05", "a09"], [2, 2], [1], ends=False)
    for made in (near.blocks, near.pyg):
        with pytest.raises(InputError, match="have no numbers, and a graph needs them; draw it with ends=True"):
            made()
