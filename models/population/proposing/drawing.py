"""Draws pairs of events that a relation may join, from the live graph."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harmgraph.common.digests import text_number
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import normalise
from harmgraph.graph.schema import STATEMENT_TYPES
from harmgraph.graph.statements import statement
from harmgraph.models.population.relations import read_relation

HEADS_AT_ONCE = 200
ENGLISH = "en/"
EMPTY = "load a knowledge base of events first, such as: harmgraph load atomic2020 train.tsv"
LOST_DRAWS = 4  # times as many tails are drawn as are needed, because some stand already


@dataclass(frozen=True, slots=True)
class Draw:
    """Which pairs are drawn.

    Attributes:
        relation: its name, in any spelling.
        around: key or text of an event: heads are the events within two hops of it, the nearest first.
        target: name of a target: heads are the events that name it. Without either, heads are drawn from all events.
        limit: pairs at most.
        tails: pairs of each head: half of them suggested by the edges around it, as far as there are any.
        seed: of the draws.
    """

    relation: str
    around: str = ""
    target: str = ""
    limit: int = 5_000
    tails: int = 10
    seed: int = 0


@dataclass(frozen=True, slots=True)
class NewPairs:
    """Pairs of keys that stand in no source and in no proposal.

    Attributes:
        relation: the relation's name, as the models read it.
        type: its relationship type in the graph.
        heads: events that were heads.
        standing: pairs that were drawn and left out because they stand already.
    """

    relation: str
    type: str
    pairs: tuple[tuple[str, str], ...]
    heads: int
    standing: int


def type_of(graph: Graph, name: str) -> str:
    """The relationship type of a relation between events.

    Raises:
        InputError: the graph has no triples.
        NotFound: no such relation in the graph, or one that a model does not know.
    """
    types = [kind for kind in sources.graph_types(graph) if kind not in STATEMENT_TYPES]
    if not types:
        raise InputError("the graph is empty, so there is nothing to propose from", remedy=EMPTY)
    by_name = {read_relation(kind): kind for kind in types if read_relation(kind) in RELATIONS}
    if read_relation(name) not in by_name:
        raise NotFound("relation between events", name, sorted(by_name), remedy="" if by_name else EMPTY)
    return by_name[read_relation(name)]


def draw(graph: Graph, wanted: Draw, requests: Sequence[str] = ()) -> NewPairs:
    """Draws pairs: the same graph and seed give the same.

    Args:
        requests: the runs whose proposals count as standing.

    Raises:
        InputError: the graph has no events, or no event is a head or a tail.
        NotFound: no such relation, event or target.
    """
    kind = type_of(graph, wanted.relation)
    heads = _heads(graph, wanted)
    tails = sorted(row["key"] for row in graph.rows(statement("population/tails").with_type(kind)))
    tails = [key for key in tails if key.startswith(ENGLISH)]
    pairs: list[tuple[str, str]] = []
    used = standing = 0
    for start in range(0, len(heads), HEADS_AT_ONCE):
        if len(pairs) >= wanted.limit:
            break
        progress("drawing pairs", len(pairs), wanted.limit)
        some = heads[start : start + HEADS_AT_ONCE]
        near = {
            row["head"]: row["tails"]
            for row in graph.rows(statement("population/near_tails").with_type(kind), heads=some)
        }
        joined = {
            (row["head"], row["tail"])
            for row in graph.rows(
                statement("population/standing_tails").with_type(kind), heads=some, type=kind, requests=list(requests)
            )
        }
        for head in some:
            if len(pairs) >= wanted.limit:
                break
            used += 1
            chosen: dict[str, None] = {}
            lost: set[str] = set()
            for most, drawn in (
                ((wanted.tails + 1) // 2, iter(near.get(head, ()))),
                (wanted.tails, _drawn(tails, wanted, head)),
            ):
                for tail in drawn:
                    if len(chosen) >= most:
                        break
                    if (head, tail) in joined:
                        lost.add(tail)
                    elif tail != head and tail.startswith(ENGLISH):
                        chosen[tail] = None
            standing += len(lost)
            pairs.extend((head, tail) for tail in chosen)
    return NewPairs(read_relation(wanted.relation), kind, tuple(pairs[: wanted.limit]), used, standing)


def _heads(graph: Graph, wanted: Draw) -> list[str]:
    """Keys of heads, in the order in which they are used."""
    if wanted.around:
        key = wanted.around if wanted.around.startswith(ENGLISH) else f"{ENGLISH}{normalise(wanted.around)}"
        hops = {row["key"]: row["hops"] for row in graph.rows("population/heads_around", key=key)}
        if not hops:
            raise NotFound(
                "event", wanted.around, remedy="give its key or its text as it stands, such as 'personx get exercise'"
            )
        ordered = sorted(hops, key=lambda head: (hops[head], _rank(wanted.seed, head)))
        return [head for head in ordered if head.startswith(ENGLISH)]
    target = None
    if wanted.target:
        target = normalise(wanted.target)
        known = [row["target"] for row in graph.rows("explore/targets", limit=100_000)]
        if target not in known:
            raise NotFound("target", wanted.target, known, remedy="'harmgraph target list' shows them")
    # Each head has at least one pair as a rule, so more heads than pairs are hardly ever needed.
    keys = (key for (key,) in graph.stream("population/heads", target=target) if key.startswith(ENGLISH))
    heads = heapq.nsmallest(2 * wanted.limit, keys, key=lambda head: _rank(wanted.seed, head))
    if not heads:
        raise InputError(
            f"no event names {target}" if target else "the graph has no events, so there is nothing to propose from",
            remedy="choose another --target, or leave it out" if target else EMPTY,
        )
    return heads


def _drawn(tails: Sequence[str], wanted: Draw, head: str) -> Iterator[str]:
    """Tails of the relation in random order, of which each head has its own."""
    import numpy as np

    if not tails:
        return
    generator = np.random.default_rng(_number(wanted.seed, wanted.relation, head))
    most = LOST_DRAWS * wanted.tails
    few = len(tails) <= most
    places = generator.permutation(len(tails)) if few else generator.integers(len(tails), size=most)
    for place in places.tolist():
        yield tails[place]


def _rank(seed: int, key: str) -> tuple[int, str]:
    return _number(seed, key), key


def _number(*parts: object) -> int:
    return text_number("\x1f".join(map(str, parts)))
