"""Neighbours of texts in the live graph, drawn by DGL (Fang et al. 2021, section 6.1 and C).

Neighbours of a node are pairs of a relation and a node: equation (1) of C.2 takes the edges that leave it, equation (2) also
those that enter it. A text that no node has, has no neighbours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harmgraph.graph.common.errors import InputError
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.models.population.relations import relation_name

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt
    from dgl import DGLGraph

    from harmgraph.graph.connection import Graph

    Integers = npt.NDArray[numpy.int64]

DIRECTIONS = ("both", "out")
LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of an edge.

    Attributes:
        text: of the node.
    """

    relation: str
    text: str


Around = Mapping[str, tuple[Neighbour, ...]]
"""The neighbours of each text."""


@dataclass(frozen=True)
class Neighbourhood:
    """The edges of the sources that are the graph.

    Attributes:
        keys: of nodes, sorted. relations: names.
        head, relation, tail: of each edge, sorted.
        direction: one of ``DIRECTIONS``.
    """

    keys: tuple[str, ...]
    relations: tuple[str, ...]
    head: Integers
    relation: Integers
    tail: Integers
    direction: str = "both"

    def __len__(self) -> int:
        return len(self.head)

    @cached_property
    def digest(self) -> str:
        """Of nodes, edges and direction, 32 hexadecimal digits."""
        import numpy as np

        hasher = hashlib.blake2b(self.direction.encode(), digest_size=16)
        for names in (self.keys, self.relations):
            hasher.update("\x1f".join(names).encode("utf-8", "surrogatepass") + b"\x1e")
        for column in (self.head, self.relation, self.tail):
            hasher.update(np.ascontiguousarray(column).tobytes())
        return hasher.hexdigest()

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def _dgl(self) -> DGLGraph:
        """DGL's graph, in which every neighbour is at the end of an edge that leaves the node."""
        import numpy as np

        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        head, tail, relation = self.head, self.tail, self.relation
        if self.direction == "both":
            # An edge from a node to itself is there once.
            back = np.flatnonzero(head != tail)
            head, tail = np.concatenate([head, tail[back]]), np.concatenate([tail, head[back]])
            relation = np.concatenate([relation, relation[back]])
        graph = dgl.graph((torch.from_numpy(head.copy()), torch.from_numpy(tail.copy())), num_nodes=len(self.keys))
        graph.edata["type"] = torch.from_numpy(relation.copy())
        return graph

    def draw(self, texts: Iterable[str], most: int, seed: Sequence[int], *, again: bool = False) -> Around:
        """At most ``most`` neighbours of each text, drawn uniformly; the same seed and texts give the same neighbours.

        Args:
            most: 0 for all.
            again: whether the same neighbour may be drawn several times, which is how ``most`` are drawn of fewer.
        """
        import numpy as np

        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        named = sorted(set(texts))
        nodes = {text: place for text in named if (place := self._ids.get(f"{LANGUAGE}/{text}")) is not None}
        if not nodes:
            return {}
        # DGL has a generator for each thread: with one thread the draw does not depend on how many there are.
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            dgl.seed(int(np.random.default_rng(seed).integers(2**31)))
            drawn = dgl.sampling.sample_neighbors(
                self._dgl,
                torch.tensor(list(nodes.values())),
                most or -1,
                edge_dir="out",
                replace=again and most > 0,
            )
        finally:
            torch.set_num_threads(threads)
        ends = [column.numpy() for column in drawn.edges()]
        edges, types = drawn.edata[dgl.EID].numpy(), drawn.edata["type"].numpy()
        order = np.lexsort((edges, ends[0]))
        lists: dict[int, list[Neighbour]] = {place: [] for place in nodes.values()}
        for place in order.tolist():
            lists[int(ends[0][place])].append(
                Neighbour(self.relations[types[place]], self.keys[ends[1][place]].partition("/")[2])
            )
        return {text: tuple(lists[place]) for text, place in nodes.items()}


def read_neighbourhood(
    graph: Graph, sources: Sequence[str], *, direction: str = "both", progress: Progress = silent
) -> Neighbourhood:
    """The edges of the sources in the live graph; an edge that several sources have is there once.

    Raises:
        NotFound: no such source.
        InputError: no source is named, or one is not finished loading or has no triples.
    """
    import numpy as np

    from harmgraph.models.subgraph.reader import read_subgraph

    if not sources:
        raise InputError(
            "the data does not say which sources are the graph, so there are no neighbours",
            remedy="name them in data.json under graph, or train bert or kgbert, which need none",
        )
    subgraphs = [read_subgraph(graph, source, progress=progress) for source in sources]
    keys = tuple(sorted({key for subgraph in subgraphs for key in subgraph.entities}))
    relations = tuple(sorted({relation_name(name) for subgraph in subgraphs for name in subgraph.relations}))
    key_ids = {key: place for place, key in enumerate(keys)}
    relation_ids = {name: place for place, name in enumerate(relations)}
    edges = [
        np.stack(
            [
                _moved(subgraph.entities, key_ids)[subgraph.head],
                _moved([relation_name(name) for name in subgraph.relations], relation_ids)[subgraph.relation],
                _moved(subgraph.entities, key_ids)[subgraph.tail],
            ],
            axis=1,
        )
        for subgraph in subgraphs
    ]
    head, relation, tail = np.unique(np.concatenate(edges), axis=0).T
    return Neighbourhood(keys, relations, head, relation, tail, direction)


def _moved(names: Sequence[str], ids: Mapping[str, int]) -> Integers:
    import numpy as np

    return np.array([ids[name] for name in names], np.int64)
