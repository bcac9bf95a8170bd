"""Neighbours of texts in a graph that was read, drawn by DGL, or by NumPy without it (Fang et al. 2021, section 6.1 and C).

Neighbours of a node are pairs of a relation and a node: equation (1) of C.2 takes the edges that leave it, equation (2) also
those that enter it. A text that no node has, has no neighbours.
"""

from __future__ import annotations

import hashlib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from harmgraph.common.errors import InputError
from harmgraph.models.population.relations import read_relation

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt
    from dgl import DGLGraph

    from harmgraph.graph.connection import Graph

    Integers = npt.NDArray[numpy.int64]

DIRECTIONS = ("both", "out")
LANGUAGE = "en"
Ends = tuple[str, str, str]
"""Head, relation and tail."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of an edge.

    Attributes:
        text: of the node.
        inverse: whether the edge enters the node whose neighbour this is.
    """

    relation: str
    text: str
    inverse: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SecondHop:
    """A neighbour of a neighbour.

    Attributes:
        via: the text of the neighbour. to: its own neighbour.
        share: in the mean over the neighbours of the means over theirs.
    """

    via: str
    to: Neighbour
    share: float


@dataclass(frozen=True, slots=True)
class Near:
    """Neighbours of a text.

    Attributes:
        drawn: those that were drawn.
        of: how many it has, of which each could be drawn; 0 where that does not matter, see ``Around.of_triple``.
    """

    drawn: tuple[Neighbour, ...] = ()
    of: int = 0


NOBODY = Near()


def key_of(text: str) -> str:
    """The key of the node that has a text."""
    return f"{LANGUAGE}/{text}"


def text_of(key: str) -> str:
    """The text of the node with a key."""
    return key.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Around:
    """The neighbours of the heads and tails of some triples.

    Attributes:
        near: by text; texts without a node are absent.
        standing: the triples that are edges of the graph.
        direction: of the neighbourhood.
    """

    near: Mapping[str, Near] = field(default_factory=dict)
    standing: frozenset[Ends] = frozenset()
    direction: str = "both"

    def of_triple(self, head: str, relation: str, tail: str) -> tuple[list[Neighbour], list[Neighbour]]:
        """The neighbours of the head and those of the tail.

        A graph that has the very triple would give its answer away, so the triple is no edge of its ends. If the graph is what
        the triples are from, this would give it away too: a tail without another edge would be that of a positive. So both ends
        of a triple that the graph does not have lose an edge as well, drawn among all of theirs by a hash of the triple. The
        paper's graph has only relations of ASER, and there no end loses any.
        """
        stands = (head, relation, tail) in self.standing
        sides = []
        for text, other, end in ((head, tail, "head"), (tail, head, "tail")):
            near = self.near.get(text, NOBODY)
            if near.of and not stands and not (end == "tail" and self.direction == "out"):
                lost = zlib.crc32("\x1f".join((head, relation, tail, end)).encode("utf-8", "surrogatepass")) % near.of
                sides.append([each for place, each in enumerate(near.drawn) if place != lost])
            else:
                sides.append([each for each in near.drawn if (each.relation, each.text) != (relation, other)])
        return sides[0], sides[1]

    def second_hop(self, neighbours: Sequence[Neighbour], head: str, tail: str) -> list[SecondHop]:
        """The neighbours of neighbours of an end of a triple; see ``of_triple``.

        Where a neighbour is itself an end of the triple, it has none here: its own would lead back along the triple.
        """
        found = []
        for each in neighbours:
            own = self.near.get(each.text, NOBODY).drawn if each.text not in (head, tail) else ()
            found += [SecondHop(each.text, other, 1 / (len(neighbours) * len(own))) for other in own]
        return found


class TextGraph(ABC):
    """Where the neighbours of texts come from.

    Attributes:
        relations: names.
        direction: one of ``DIRECTIONS``.
        of_data: whether the triples that are judged by it are from the same sources.
    """

    relations: tuple[str, ...]
    direction: str
    of_data: bool

    @property
    @abstractmethod
    def digest(self) -> str:
        """Of all that decides the neighbours, 32 hexadecimal digits."""

    @property
    @abstractmethod
    def texts(self) -> Sequence[str] | None:
        """The texts of the nodes; None if they are not in memory."""

    @abstractmethod
    def draw(
        self, texts: Collection[str], most: int, seed: Sequence[int], *, again: bool = False
    ) -> Mapping[str, Near]:
        """The neighbours of texts; see ``around``."""

    @abstractmethod
    def standing(self, triples: Collection[Ends]) -> frozenset[Ends]:
        """Those of the triples that are edges."""

    @abstractmethod
    def check(self) -> None:
        """Checks that the graph is still the one that it was.

        Raises:
            Busy: it changed.
        """

    def around(
        self, triples: Collection[Ends], most: int, seed: Sequence[int], *, again: bool = False, hops: int = 1
    ) -> Around:
        """At most ``most`` neighbours of each head and tail, drawn uniformly; the same seed and triples give the same.

        Args:
            most: 0 for all.
            again: whether the same neighbour may be drawn several times, which is how ``most`` are drawn of fewer.
            hops: with 2, also of these neighbours; and so on.
        """
        near: dict[str, Near] = {}
        reached = {text for head, _, tail in triples for text in (head, tail)}
        for hop in range(hops):
            drawn = self.draw(reached - near.keys(), most, (*seed, hop) if hop else seed, again=again)
            near |= drawn
            reached = {each.text for one in drawn.values() for each in one.drawn}
        return Around(near, self.standing(triples) if self.of_data else frozenset(), self.direction)


@dataclass(frozen=True)
class Neighbourhood(TextGraph):
    """The edges of the sources that are the graph, in memory.

    Attributes:
        keys: of nodes, sorted. relations: names.
        head, relation, tail: of each edge, sorted.
        direction, of_data: see ``TextGraph``.
    """

    keys: tuple[str, ...]
    relations: tuple[str, ...]
    head: Integers
    relation: Integers
    tail: Integers
    direction: str = "both"
    of_data: bool = False

    def __len__(self) -> int:
        return len(self.head)

    @cached_property
    def digest(self) -> str:
        """Of nodes, edges, direction and ``of_data``, 32 hexadecimal digits."""
        import numpy as np

        kind = f"{self.direction} of the data" if self.of_data else self.direction
        hasher = hashlib.blake2b(kind.encode(), digest_size=16)
        for names in (self.keys, self.relations):
            hasher.update("\x1f".join(names).encode("utf-8", "surrogatepass") + b"\x1e")
        for column in (self.head, self.relation, self.tail):
            hasher.update(np.ascontiguousarray(column).tobytes())
        return hasher.hexdigest()

    @property
    def texts(self) -> Sequence[str]:
        """See ``TextGraph.texts``."""
        return [text_of(key) for key in self.keys]

    def check(self) -> None:
        """See ``TextGraph.check``; it is in memory."""

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def _leaving(self) -> tuple[Integers, Integers, Integers]:
        """The start, end and relation of each edge [edges], such that every neighbour is at the end of one."""
        import numpy as np

        head, tail, relation = self.head, self.tail, self.relation
        if self.direction == "both":
            # An edge from a node to itself is there once.
            back = np.flatnonzero(head != tail)
            head, tail = np.concatenate([head, tail[back]]), np.concatenate([tail, head[back]])
            relation = np.concatenate([relation, relation[back]])
        return head, tail, relation

    @cached_property
    def _by_start(self) -> tuple[Integers, Integers]:
        """Where the edges of each node begin [nodes + 1], and the edges in that order."""
        import numpy as np

        order = np.argsort(self._leaving[0], kind="stable")
        return np.searchsorted(self._leaving[0][order], np.arange(len(self.keys) + 1)), order

    @cached_property
    def _dgl(self) -> DGLGraph:
        """DGL's graph of the edges of ``_leaving``."""
        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        start, end, _ = self._leaving
        return dgl.graph((torch.from_numpy(start.copy()), torch.from_numpy(end.copy())), num_nodes=len(self.keys))

    @cached_property
    def _codes(self) -> Integers:
        """A number for each edge, sorted."""
        import numpy as np

        return np.sort((self.head * len(self.relations) + self.relation) * len(self.keys) + self.tail)

    def standing(self, triples: Collection[Ends]) -> frozenset[Ends]:
        """See ``TextGraph.standing``."""
        import numpy as np

        relations = {name: place for place, name in enumerate(self.relations)}
        coded: list[tuple[int, Ends]] = []
        for triple in triples:
            head, tail = (self._ids.get(key_of(text)) for text in (triple[0], triple[2]))
            relation = relations.get(triple[1])
            if head is not None and tail is not None and relation is not None:
                coded.append(((head * len(relations) + relation) * len(self.keys) + tail, triple))
        known = np.isin(np.array([code for code, _ in coded], np.int64), self._codes)
        return frozenset(triple for (_, triple), stands in zip(coded, known.tolist(), strict=True) if stands)

    def draw(
        self, texts: Collection[str], most: int, seed: Sequence[int], *, again: bool = False
    ) -> Mapping[str, Near]:
        """See ``TextGraph.draw``."""
        import numpy as np

        named = sorted(set(texts))
        nodes = {text: place for text in named if (place := self._ids.get(key_of(text))) is not None}
        if not nodes:
            return {}
        places = np.array(list(nodes.values()), np.int64)
        draw = self._drawn_by_dgl if drawing_library() == "dgl" else self._drawn_by_numpy
        edges = np.sort(draw(places, most, seed, again))
        starts, ends, types = self._leaving
        lists: dict[int, list[Neighbour]] = {place: [] for place in nodes.values()}
        for edge in edges.tolist():
            text = text_of(self.keys[ends[edge]])
            lists[int(starts[edge])].append(Neighbour(self.relations[types[edge]], text, edge >= len(self)))
        counts = [0] * len(places)
        if self.of_data and not again:
            first, _ = self._by_start
            counts = (first[places + 1] - first[places]).tolist()
        return {text: Near(tuple(lists[nodes[text]]), count) for text, count in zip(nodes, counts, strict=True)}

    def _drawn_by_dgl(self, places: Integers, most: int, seed: Sequence[int], again: bool) -> Integers:
        """Edges that leave some nodes; see ``draw``."""
        import numpy as np

        from harmgraph.models.extra import needed

        dgl, torch = needed("dgl"), needed("torch")
        # DGL has a generator for each thread: with one thread the draw does not depend on how many there are.
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            dgl.seed(int(np.random.default_rng(seed).integers(2**31)))
            drawn = dgl.sampling.sample_neighbors(
                self._dgl, torch.from_numpy(places), most or -1, edge_dir="out", replace=again and most > 0
            )
        finally:
            torch.set_num_threads(threads)
        edges: Integers = drawn.edata[dgl.EID].numpy()
        return edges

    def _drawn_by_numpy(self, places: Integers, most: int, seed: Sequence[int], again: bool) -> Integers:
        """The same as ``_drawn_by_dgl``, but other draws of a seed."""
        import numpy as np

        from harmgraph.models.subgraph.cached_neighbours import sets
        from harmgraph.models.subgraph.spans import spans

        first, order = self._by_start
        begins, degrees = first[places], first[places + 1] - first[places]
        some = degrees > (0 if again else most) if most else degrees < 0
        _, whole = spans(begins[~some], degrees[~some])
        generator = np.random.default_rng(seed)
        chosen = (
            generator.integers(degrees[some][:, None], size=(some.sum(), most))
            if again
            else sets(degrees[some], most, generator)
        )
        edges: Integers = order[np.concatenate([whole, (begins[some][:, None] + chosen).ravel()])]
        return edges


@cache
def drawing_library() -> str:
    """The package that draws the neighbours: ``dgl``, or ``numpy`` where DGL is not installed or does not work."""
    from harmgraph.models.extra import works

    return "dgl" if works("dgl") else "numpy"


def read_neighbourhood(
    graph: Graph,
    sources: Sequence[str],
    *,
    direction: str = "both",
    of_data: bool = False,
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
    subgraphs = [read_subgraph(graph, source) for source in sources]
    keys = tuple(sorted({key for subgraph in subgraphs for key in subgraph.entities}))
    relations = tuple(sorted({read_relation(name) for subgraph in subgraphs for name in subgraph.relations}))
    key_ids = {key: place for place, key in enumerate(keys)}
    relation_ids = {name: place for place, name in enumerate(relations)}
    edges = [
        np.stack(
            [
                _moved(subgraph.entities, key_ids)[subgraph.head],
                _moved([read_relation(name) for name in subgraph.relations], relation_ids)[subgraph.relation],
                _moved(subgraph.entities, key_ids)[subgraph.tail],
            ],
            axis=1,
        )
        for subgraph in subgraphs
    ]
    head, relation, tail = np.unique(np.concatenate(edges), axis=0).T
    return Neighbourhood(keys, relations, head, relation, tail, direction, of_data)


def _moved(names: Sequence[str], ids: Mapping[str, int]) -> Integers:
    import numpy as np

    return np.array([ids[name] for name in names], np.int64)
