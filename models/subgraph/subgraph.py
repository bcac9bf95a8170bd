"""A subgraph as arrays: the edges that a Cypher statement selects, with stable ids, for DGL, PyTorch Geometric and torch.

All models read the graph in this form. The same keys always have the same ids, because entities, relations and edges are
sorted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError
from harmgraph.models.config import Origin
from harmgraph.models.subgraph.split import SHARES, SPLITS, Codes, Integers, factorized, given_split, hashed_split

if TYPE_CHECKING:
    from dgl import DGLGraph
    from torch_geometric.data import Data, HeteroData


@dataclass(frozen=True)
class Subgraph:
    """Typed edges between entities.

    Attributes:
        entities: keys, sorted; the id of an entity is its index.
        relations: relationship types, sorted; the id of a relation is its index.
        head, relation, tail: ids of each edge [edges], sorted by relation, head, tail.
        split: 0 train, 1 valid, 2 test, of each edge.
        edge_features, node_features: further columns of the statement, [edges, …] and [entities, …].
        split_by: ``graph`` if the source has a split, otherwise ``hash(seed)``.
        duplicates: number of removed edges that were equal to another (the same triple from another source or assertion).
        origin: what it was read from, which models trained on it keep; None if it was not read from a graph.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    head: Integers
    relation: Integers
    tail: Integers
    split: Codes
    edge_features: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    node_features: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    split_by: str = "graph"
    duplicates: int = 0
    origin: Origin | None = None

    def __len__(self) -> int:
        return len(self.head)

    @cached_property
    def entity_ids(self) -> dict[str, int]:
        """The id of each key."""
        return {key: place for place, key in enumerate(self.entities)}

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of each relation."""
        return {name: place for place, name in enumerate(self.relations)}

    @cached_property
    def digest(self) -> str:
        """Digest of entities, relations, edges and splits: equal for equal content, 32 hexadecimal digits."""
        hasher = hashlib.blake2b(digest_size=16)
        for names in (self.entities, self.relations):
            hasher.update("\x1f".join(names).encode("utf-8", "surrogatepass") + b"\x1e")
        for array in (self.head, self.relation, self.tail, self.split):
            hasher.update(np.ascontiguousarray(array).tobytes())
        return hasher.hexdigest()

    def triples(self, *splits: int) -> Integers:
        """The edges of the given splits, or of all, as [edges, 3]: head, relation, tail."""
        triples = np.stack([self.head, self.relation, self.tail], axis=1)
        return triples[np.isin(self.split, splits)] if splits else triples

    def dgl(self) -> DGLGraph:
        """A DGL graph: node ids are entity ids, edge ids are the indices of the edges.

        ``edata['type']`` has the relation ids (int64, the ``etypes`` of DGL's relational layers), ``edata['split']`` the
        splits (int8); features have their own names in ``edata`` and ``ndata``.

        Raises:
            MissingExtra: DGL is not installed.
        """
        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        graph = dgl.graph(
            (torch.from_numpy(self.head.copy()), torch.from_numpy(self.tail.copy())), num_nodes=len(self.entities)
        )
        graph.edata["type"] = torch.from_numpy(self.relation.copy())
        graph.edata["split"] = torch.from_numpy(self.split.copy())
        for name, values in self.edge_features.items():
            graph.edata[name] = torch.from_numpy(values.copy())
        for name, values in self.node_features.items():
            graph.ndata[name] = torch.from_numpy(values.copy())
        return graph

    def dgl_typed(self) -> DGLGraph:
        """A heterogeneous DGL graph with the node type ``entity`` and an edge type for each relation.

        ``edges[relation].data['edge']`` has the index of each edge in this subgraph, to look up features and splits.

        Raises:
            MissingExtra: DGL is not installed.
        """
        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        head, tail = torch.from_numpy(self.head.copy()), torch.from_numpy(self.tail.copy())
        bounds = np.searchsorted(self.relation, np.arange(len(self.relations) + 1)).tolist()
        ends = {
            ("entity", name, "entity"): (head[start:end], tail[start:end])
            for name, start, end in zip(self.relations, bounds, bounds[1:], strict=False)
        }
        graph = dgl.heterograph(ends, num_nodes_dict={"entity": len(self.entities)})
        for name, start, end in zip(self.relations, bounds, bounds[1:], strict=False):
            graph.edges[name].data["edge"] = torch.arange(start, end)
        return graph

    def pyg(self) -> Data:
        """The graph of ``dgl`` for PyTorch Geometric: node ids are entity ids, edges have the order of this subgraph.

        What stands at edges is named ``edge_…``, by which PyTorch Geometric knows it: ``edge_index`` [2, edges], ``edge_type``
        (relation ids, int64), ``edge_split`` (int8) and the edge features; node features have their own names.

        Raises:
            MissingExtra: PyTorch Geometric is not installed.
            InputError: a feature would stand where the edges, types, splits or the number of nodes are.
        """
        from harmgraph.models.extra import needed

        data, torch = needed("torch_geometric.data"), needed("torch")
        graph = data.Data(
            edge_index=torch.from_numpy(np.stack([self.head, self.tail])),
            edge_type=torch.from_numpy(self.relation.copy()),
            edge_split=torch.from_numpy(self.split.copy()),
            num_nodes=len(self.entities),
        )
        features = {f"edge_{name}": values for name, values in self.edge_features.items()}
        for columns in (features, self.node_features):
            for name, values in columns.items():
                if name in graph:
                    raise InputError(
                        f"the feature {name.removeprefix('edge_')} has the name of what every graph of PyTorch Geometric has",
                        remedy="return it by another name",
                    )
                graph[name] = torch.from_numpy(values.copy())
        return graph

    def pyg_typed(self) -> HeteroData:
        """The graph of ``dgl_typed`` for PyTorch Geometric.

        ``graph["entity", relation, "entity"]`` has ``edge_index`` and ``edge``, the index of each edge in this subgraph.

        Raises:
            MissingExtra: PyTorch Geometric is not installed.
        """
        from harmgraph.models.extra import needed

        data, torch = needed("torch_geometric.data"), needed("torch")
        graph = data.HeteroData()
        graph["entity"].num_nodes = len(self.entities)
        ends = torch.from_numpy(np.stack([self.head, self.tail]))
        bounds = np.searchsorted(self.relation, np.arange(len(self.relations) + 1)).tolist()
        for name, start, end in zip(self.relations, bounds, bounds[1:], strict=False):
            edges = graph["entity", name, "entity"]
            edges.edge_index, edges.edge = ends[:, start:end].contiguous(), torch.arange(start, end)
        return graph


@dataclass(frozen=True, slots=True)
class Columns:
    """Edges as a statement returns them, one value per edge.

    Attributes:
        head, tail: keys; or indices into ``keys``, if that is given.
        relation: types.
        split: empty if there is none.
        keys: distinct keys of entities; those without an edge are dropped.
    """

    head: Sequence[str] | Integers
    relation: Sequence[str]
    tail: Sequence[str] | Integers
    split: Sequence[str]
    features: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    keys: Sequence[str] | None = None


def assembled(
    columns: Columns, *, seed: int = 0, shares: tuple[float, float] = SHARES, origin: Origin | None = None
) -> Subgraph:
    """Sorts, numbers and splits edges.

    Args:
        seed: of the random split, if the edges have none.
        shares: of valid and test in the random split.

    Raises:
        InputError: an edge lacks its head, relation or tail, or a split has another name.
    """
    codes, names = factorized(columns.relation)
    relations, (relation,) = _sorted(names, codes)
    if columns.keys is None:
        codes, names = factorized(chain(columns.head, columns.tail))
        entities, (head, tail) = _sorted(names, *np.split(codes, [len(columns.head)]))
    else:
        entities, (head, tail) = _sorted(columns.keys, np.asarray(columns.head), np.asarray(columns.tail))
    split = given_split(columns.split)
    split_by = "graph"
    if split is None:
        triples = np.stack([head, relation, tail], axis=1)
        split, split_by = hashed_split(entities, relations, triples, seed=seed, shares=shares), f"hash({seed})"
    # Of equal triples the one in the earliest split is kept, so that no training triple is in the test split.
    order = _ordered(len(relations), len(entities), relation, head, tail, split)
    first = np.zeros(len(order), bool)
    first[:1] = True
    for column in (relation, head, tail):
        inorder = column[order]
        first[1:] |= inorder[1:] != inorder[:-1]
    edges = order[first]
    return Subgraph(
        entities,
        relations,
        head[edges],
        relation[edges],
        tail[edges],
        split[edges],
        {name: values[edges] for name, values in columns.features.items()},
        split_by=split_by,
        duplicates=len(order) - len(edges),
        origin=origin,
    )


def _sorted(names: Sequence[str], *columns: Integers) -> tuple[tuple[str, ...], list[Integers]]:
    """The names that the columns refer to by index, sorted, and the columns with indices into the sorted names.

    Raises:
        InputError: a name is null or empty.
    """
    used = np.zeros(len(names), bool)
    for column in columns:
        used[column] = True
    places = np.flatnonzero(used).tolist()
    if not all(isinstance(name := names[place], str) and name for place in places):
        raise InputError("an edge lacks its head, relation or tail")
    places.sort(key=names.__getitem__)
    moved = np.empty(len(names), np.int64)
    moved[places] = np.arange(len(places))
    return tuple(names[place] for place in places), [moved[column] for column in columns]


def _ordered(
    relations: int, entities: int, relation: Integers, head: Integers, tail: Integers, split: Codes
) -> Integers:
    """The indices of the edges, ordered by relation, head, tail, split."""
    if relations * entities * entities * len(SPLITS) < 2**63:
        # Sorting one number per edge is three times as fast as sorting by four columns.
        return np.argsort(((relation * entities + head) * entities + tail) * len(SPLITS) + split, kind="stable")
    return np.lexsort((split, tail, head, relation))
