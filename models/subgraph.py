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

from graph.errors import InputError
from models.split import SHARES, Codes, Integers, given_split, hashed_split

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
        from models.extra import needed

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
        from models.extra import needed

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
    """Edges as a statement gives them: keys and types, one an edge; ``split`` is empty where there is none."""

    head: Sequence[str]
    relation: Sequence[str]
    tail: Sequence[str]
    split: Sequence[str]
    features: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)


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
    entities, head, tail = _numbered(columns.head, columns.tail)
    relations, relation = _numbered(columns.relation)
    triples = np.stack([head, relation, tail], axis=1)
    split = given_split(columns.split)
    split_by = "graph"
    if split is None:
        split, split_by = hashed_split(entities, relations, triples, seed=seed, shares=shares), f"hash({seed})"
    # Of equal triples the one of the earliest split stays, so that what was trained on is never tested.
    order = np.lexsort((split, tail, head, relation))
    triples = triples[order]
    first = np.ones(len(order), bool)
    first[1:] = (triples[1:] != triples[:-1]).any(axis=1)
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


def _numbered(*columns: Sequence[str]) -> tuple[Any, ...]:
    """The distinct names of the columns, sorted, and each column as places among them."""
    import pandas

    # A quarter of the time of a dictionary.
    codes, found = pandas.factorize(np.array(list(chain.from_iterable(columns)), object))
    names: list[str] = found.tolist()
    if (codes < 0).any() or not all(isinstance(name, str) and name for name in names):
        raise InputError("an edge lacks its head, relation or tail")
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return tuple(names[number] for number in order), *np.split(place[codes], ends)
