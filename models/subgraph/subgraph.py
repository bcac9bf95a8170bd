"""A subgraph as arrays: what a Cypher statement chose, with stable ids, ready for DGL and for torch.

The one form in which the graph reaches a model. The same keys have the same ids whenever and from wherever they are read:
entities and relations are sorted, and so are the edges.
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

from harmgraph.graph.common.errors import InputError
from harmgraph.models.subgraph.split import SHARES, SPLITS, Codes, Integers, factorized, given_split, hashed_split

if TYPE_CHECKING:
    from dgl import DGLGraph


@dataclass(frozen=True)
class Subgraph:
    """Typed edges between entities.

    Attributes:
        entities: keys, sorted; the id of an entity is its place.
        relations: relationship types, sorted; the id of a relation is its place.
        head, relation, tail: ids, one an edge [edges], sorted by relation, head, tail.
        split: 0 train, 1 valid, 2 test, one an edge.
        edge_features, node_features: further columns of the statement, [edges, …] and [entities, …].
        split_by: ``graph`` where the source has a split, otherwise ``hash(seed)``.
        duplicates: edges that equalled another one (the same triple from another source or assertion).
        origin: what it was read from: name, digests, sources; kept with a model that is trained on it.
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
    origin: Mapping[str, Any] = field(default_factory=dict)

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
        made = hashlib.blake2b(digest_size=16)
        for names in (self.entities, self.relations):
            made.update("\x1f".join(names).encode("utf-8", "surrogatepass") + b"\x1e")
        for array in (self.head, self.relation, self.tail, self.split):
            made.update(np.ascontiguousarray(array).tobytes())
        return made.hexdigest()

    def triples(self, *splits: int) -> Integers:
        """The edges of some splits, of all where none is named, as [edges, 3]: head, relation, tail."""
        every = np.stack([self.head, self.relation, self.tail], axis=1)
        return every[np.isin(self.split, splits)] if splits else every

    def dgl(self) -> DGLGraph:
        """A DGL graph: node ids are entity ids, edge ids the places of the edges.

        ``edata['type']`` holds the relation ids (int64, the ``etypes`` of DGL's relational layers), ``edata['split']`` the
        splits (int8); features stand under their own names in ``edata`` and ``ndata``.

        Raises:
            MissingExtra: DGL is not installed.
        """
        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        made = dgl.graph(
            (torch.from_numpy(self.head.copy()), torch.from_numpy(self.tail.copy())), num_nodes=len(self.entities)
        )
        made.edata["type"] = torch.from_numpy(self.relation.copy())
        made.edata["split"] = torch.from_numpy(self.split.copy())
        for name, values in self.edge_features.items():
            made.edata[name] = torch.from_numpy(values.copy())
        for name, values in self.node_features.items():
            made.ndata[name] = torch.from_numpy(values.copy())
        return made

    def dgl_typed(self) -> DGLGraph:
        """The same as a heterogeneous DGL graph of one node type, ``entity``, with one edge type a relation.

        ``edges[relation].data['edge']`` holds the place of each edge here, so that features and splits can be looked up.
        """
        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        head, tail = torch.from_numpy(self.head.copy()), torch.from_numpy(self.tail.copy())
        bounds = np.searchsorted(self.relation, np.arange(len(self.relations) + 1)).tolist()
        ends = {
            ("entity", name, "entity"): (head[start:end], tail[start:end])
            for name, start, end in zip(self.relations, bounds, bounds[1:], strict=False)
        }
        made = dgl.heterograph(ends, num_nodes_dict={"entity": len(self.entities)})
        for name, start, end in zip(self.relations, bounds, bounds[1:], strict=False):
            made.edges[name].data["edge"] = torch.arange(start, end)
        return made


@dataclass(frozen=True, slots=True)
class Columns:
    """Edges as a statement gives them, one value an edge.

    Attributes:
        head, tail: keys; places in ``keys`` where that is given.
        relation: types.
        split: empty where there is none.
        keys: of entities, distinct; those of no edge are left out.
    """

    head: Sequence[str] | Integers
    relation: Sequence[str]
    tail: Sequence[str] | Integers
    split: Sequence[str]
    features: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    keys: Sequence[str] | None = None


def assembled(
    columns: Columns, *, seed: int = 0, shares: tuple[float, float] = SHARES, origin: Mapping[str, Any] | None = None
) -> Subgraph:
    """Sorts, numbers and splits edges.

    Args:
        seed: of the split, where the edges have none.
        shares: of valid and of test, where the edges have none.

    Raises:
        InputError: an edge without head, relation or tail, or a split of another name.
    """
    codes, found = factorized(columns.relation)
    relations, (relation,) = _sorted(found, codes)
    if columns.keys is None:
        codes, found = factorized(chain(columns.head, columns.tail))
        entities, (head, tail) = _sorted(found, *np.split(codes, [len(columns.head)]))
    else:
        entities, (head, tail) = _sorted(columns.keys, np.asarray(columns.head), np.asarray(columns.tail))
    split = given_split(columns.split)
    split_by = "graph"
    if split is None:
        triples = np.stack([head, relation, tail], axis=1)
        split, split_by = hashed_split(entities, relations, triples, seed=seed, shares=shares), f"hash({seed})"
    # Of equal triples the one of the earliest split stays, so that what was trained on is never tested.
    order = _ordered(len(relations), len(entities), relation, head, tail, split)
    first = np.zeros(len(order), bool)
    first[:1] = True
    for column in (relation, head, tail):
        inorder = column[order]
        first[1:] |= inorder[1:] != inorder[:-1]
    kept = order[first]
    return Subgraph(
        entities,
        relations,
        head[kept],
        relation[kept],
        tail[kept],
        split[kept],
        {name: values[kept] for name, values in columns.features.items()},
        split_by=split_by,
        duplicates=len(order) - len(kept),
        origin=dict(origin or {}),
    )


def _sorted(names: Sequence[str], *columns: Integers) -> tuple[tuple[str, ...], list[Integers]]:
    """The names that the columns use, sorted, and the columns, whose values are places in ``names``, as places among them.

    Raises:
        InputError: a name that is none.
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
    """The places of the edges by relation, head, tail, split."""
    if relations * entities * entities * len(SPLITS) < 2**63:
        # One number an edge: a third of the time of sorting by four columns.
        return np.argsort(((relation * entities + head) * entities + tail) * len(SPLITS) + split, kind="stable")
    return np.lexsort((split, tail, head, relation))
