"""From Neo4j to a subgraph: the edges travel as columns, in pages that are read side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, tee
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.graph.common.errors import Busy, InputError, NotFound
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.connection import Graph, Row
from harmgraph.graph.contents import sources
from harmgraph.graph.statements import Statement, statement
from harmgraph.models.subgraph import cache as subgraph_cache
from harmgraph.models.subgraph.split import SHARES
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled

DEFAULT = "subgraph/triples"
NAMED = ("head", "relation", "tail", "split")
PAGED = frozenset({"first", "last"})
PAGE = 20_000  # heads of one label in a page
READERS = 2  # pages under way at once: one is packed by the server while another is unpacked here


def read(
    graph: Graph,
    source: str | None = None,
    *,
    query: str | Statement = DEFAULT,
    parameters: Mapping[str, Any] | None = None,
    nodes: Statement | None = None,
    seed: int = 0,
    shares: tuple[float, float] = SHARES,
    cache: bool = True,
    progress: Progress = silent,
) -> Subgraph:
    """The subgraph that a statement chooses.

    The statement returns ``head`` and ``tail`` (keys; or, read quicker, ``id(…)`` of concepts and entities), ``relation`` (types)
    and, if it likes, ``split``; any other column is an edge feature (numbers, or lists of equal length). A record is one
    edge, or a block of edges where its values are lists. A statement that takes ``$first`` and ``$last`` is run page by page
    of heads, from one key to below the other.

    Args:
        source: name of a source; passed as ``$source``.
        query: name in ``cypher/``, or a statement of the user's own file.
        parameters: what else the statement takes.
        nodes: a statement that returns ``key`` and node features.
        seed, shares: of the split, where the graph has none.
        cache: keep what a statement of ``cypher/`` gave, and use what is kept of an unchanged graph.

    Raises:
        NotFound: no source of that name, or a statement of ``cypher/`` was given a relation that is not there.
        Busy: concepts or entities came or went while they were read by the ids of their nodes.
        InputError: the source is not finished, has no triples, or the statement's columns are of another form.
    """
    found = statement(query) if isinstance(query, str) else query
    taken = {one.name for one in found.parameters}
    given = dict(parameters or {}) | ({"source": source} if source is not None and "source" in taken else {})
    paged = taken >= PAGED
    given = found.arguments(given | (dict.fromkeys(PAGED) if paged else {}))
    given = {name: value for name, value in given.items() if not (paged and name in PAGED)}
    origin = _origin(graph, source, found, given, seed, shares)
    # A user's own file may ask for labels, which change without an import: it is always asked again.
    ours = found.name.startswith("subgraph/")
    kept = cache and nodes is None and ours
    if kept and (known := subgraph_cache.find(origin)):
        return known
    pages, again = tee(_pages(graph))
    records = _paged(graph, found, given, pages) if paged else iter([graph.raw_rows(found, **given)])
    columns = _columns(records, found, progress)
    if len(columns.head) and isinstance(columns.head[0], int):
        columns = _keyed(columns, found, _paged(graph, statement("subgraph/keys"), {}, again))
        before, now = origin["size"]["ends"], _size(graph)["ends"]
        if now != before or _imports(_sources(graph, source)) != origin["imports"]:
            # The id of a node that went may be another's by now.
            raise Busy(
                "the graph was loaded into while it was read", remedy="wait until that load is done, then run it again"
            )
    if not len(columns.head):
        where = f"the source {source!r}" if source else "the graph"
        raise InputError(
            f"{where} has no triples" + ("" if found.name == DEFAULT else f" that {found.name} chooses"),
            remedy="'harmgraph source list' shows what is loaded",
        )
    made = assembled(columns, seed=seed, shares=shares, origin=origin)
    asked = given.get("relation")
    if ours and isinstance(asked, str) and asked not in made.relations:
        # Else shuffling a relation that is not there would give the graph as it is, and a control that is none.
        raise NotFound("relation", asked, made.relations)
    if nodes is not None:
        made = replace(made, node_features=_node_features(graph, nodes, made))
    if kept:
        subgraph_cache.keep(made)
    return made


def _origin(
    graph: Graph,
    source: str | None,
    found: Statement,
    parameters: Mapping[str, Any],
    seed: int,
    shares: tuple[float, float],
) -> dict[str, Any]:
    """What decides the content of the subgraph: sources and their imports, statement, parameters, split.

    Raises:
        NotFound: no source of that name.
        InputError: a source that is not finished loading.
    """
    named = _sources(graph, source)
    for facts in named:
        if facts.get("state") != "complete":
            raise InputError(f"the source {facts['name']!r} is not finished loading", remedy="run its load again")
    return {
        "source": source,
        "imports": _imports(named),
        "size": _size(graph),
        "statement": found.name,
        "text": found.text,
        "parameters": dict(parameters),
        "seed": seed,
        "shares": list(shares),
    }


def _sources(graph: Graph, source: str | None) -> list[dict[str, Any]]:
    """What is known of the source, of every one where none is named."""
    return [sources.facts(graph, source)] if source is not None else sources.every(graph)


def _imports(named: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {facts["name"]: facts.get("import_id", "") for facts in named}


def _size(graph: Graph) -> Row:
    return graph.rows("subgraph/size")[0]


def _paged(
    graph: Graph, found: Statement, given: Mapping[str, Any], pages: Iterable[tuple[str, str | None]]
) -> Iterator[list[Row]]:
    """The records of each page."""
    with ThreadPoolExecutor(READERS) as readers:
        under_way: list[Future[list[Row]]] = []
        try:
            for first, last in pages:
                under_way.append(readers.submit(graph.raw_rows, found, **given, first=first, last=last))
                if len(under_way) > READERS:
                    yield under_way.pop(0).result()
            while under_way:
                yield under_way.pop(0).result()
        finally:
            for page in under_way:
                page.cancel()


def _pages(graph: Graph) -> Iterator[tuple[str, str | None]]:
    """First key of each page and the key that ends it."""
    first = ""
    while True:
        last = graph.rows("subgraph/next_page", first=first, size=PAGE)[0]["key"]
        yield first, last
        if last is None:
            return
        first = last


def _columns(pages: Iterable[list[Row]], found: Statement, progress: Progress) -> Columns:
    """Blocks of edges put together.

    Raises:
        InputError: a column is missing, or the lists of a block differ in length.
    """
    parts: dict[str, list[list[Any]]] = {}
    edges = 0
    for records in pages:
        for record in records:
            if not parts:
                missing = [name for name in NAMED[:3] if name not in record]
                if missing:
                    raise InputError(f"{found.name} returns no column {missing[0]}")
                parts = {name: [] for name in record}
            blocked = isinstance(record["head"], list)
            block = record if blocked else {name: [value] for name, value in record.items()}
            size = len(block["head"])
            for name, values in block.items():
                if not isinstance(values, list) or len(values) != size:
                    raise InputError(
                        f"{found.name} returns lists of different length: {size} heads, {name} otherwise",
                        remedy="collect() leaves nulls out: put coalesce(…) around what may be null",
                    )
                parts[name].append(values)
            edges += size
        progress("reading edges", edges)
    joined = {name: list(chain.from_iterable(blocks)) for name, blocks in parts.items()}
    return Columns(
        joined.get("head", []),
        joined.get("relation", []),
        joined.get("tail", []),
        [value or "" for value in joined.get("split", [])],
        {name: numbers(name, values) for name, values in joined.items() if name not in NAMED},
    )


def _keyed(columns: Columns, found: Statement, pages: Iterable[list[Row]]) -> Columns:
    """Ids of nodes as places among the keys.

    Raises:
        InputError: an id that is of no concept and no entity.
    """
    import pandas

    blocks = list(chain.from_iterable(pages))
    nodes = pandas.Index(np.array(list(chain.from_iterable(block["id"] for block in blocks)), np.int64))
    ends = []
    for column in (columns.head, columns.tail):
        try:
            ids = np.array(column, np.int64)
        except (TypeError, ValueError) as error:
            raise InputError(f"{found.name} returns keys and ids of nodes: it may return one or the other") from error
        places = nodes.get_indexer(pandas.Index(ids))
        if (places < 0).any():
            lost = int(ids[places < 0][0])
            raise InputError(f"{found.name} returns the id {lost}, which is of no Concept and no Entity")
        ends.append(places.astype(np.int64))
    head, tail = ends
    return replace(columns, head=head, tail=tail, keys=list(chain.from_iterable(block["key"] for block in blocks)))


def numbers(name: str, values: list[Any]) -> npt.NDArray[Any]:
    """A feature as an array: whole numbers stay whole; null becomes not-a-number.

    Raises:
        InputError: it holds something else, or lists of different lengths.
    """
    try:
        made = np.asarray(values)
        if made.dtype.kind == "O":
            made = made.astype(np.float64)  # null becomes not-a-number; lists of different lengths raised
    except (ValueError, TypeError) as error:
        raise InputError(f"the feature {name} is not a number everywhere, or its lists differ in length") from error
    if made.dtype.kind not in "biuf":
        raise InputError(f"the feature {name} is not a number everywhere, or its lists differ in length")
    return made.astype(np.float32) if made.dtype.kind == "f" else made


def _node_features(graph: Graph, nodes: Statement, made: Subgraph) -> dict[str, npt.NDArray[Any]]:
    """Node features in the order of the entities; not-a-number where the statement gives none for an entity."""
    records = graph.raw_rows(nodes)
    if records and "key" not in records[0]:
        raise InputError(f"{nodes.name} returns no column key")
    ids = made.entity_ids
    known = [record for record in records if record["key"] in ids]
    places = [ids[record["key"]] for record in known]
    features: dict[str, npt.NDArray[Any]] = {}
    for name in [name for name in (records[0] if records else {}) if name != "key"]:
        values = numbers(name, [record[name] for record in known])
        whole = len(set(places)) == len(made.entities)
        kind = values.dtype if whole else np.dtype(np.float32)
        filled = np.full((len(made.entities), *values.shape[1:]), 0 if whole else np.nan, kind)
        filled[places] = values
        features[name] = filled
    return features
