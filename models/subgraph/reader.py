"""Reads a subgraph from Neo4j: edges as columns, in pages that are read in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, tee
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import Busy, InputError, NotFound
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph, Row
from harmgraph.graph.contents import sources
from harmgraph.graph.statements import CypherStatement, statement
from harmgraph.models.config import Origin
from harmgraph.models.subgraph.cache import find_subgraph, store_subgraph
from harmgraph.models.subgraph.split import SHARES
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import SubgraphSizeRow

DEFAULT = "subgraph/triples"
NAMED = ("head", "relation", "tail", "split")
PAGED = frozenset({"first", "last"})
PAGE = 20_000  # heads of one label in a page
READERS = 2  # pages read at once: the server packs one while another is unpacked here


def read_subgraph(
    graph: Graph,
    source: str | None = None,
    *,
    query: str | CypherStatement = DEFAULT,
    parameters: Mapping[str, Any] | None = None,
    nodes: CypherStatement | None = None,
    seed: int = 0,
    shares: tuple[float, float] = SHARES,
    cache: bool = True,
) -> Subgraph:
    """Reads the subgraph that a statement selects.

    The statement returns ``head`` and ``tail`` (keys; or, which is faster, ``id(…)`` of concepts and entities), ``relation``
    (types) and optionally ``split``; any other column is an edge feature (numbers, or lists of equal length). A record is an
    edge, or a block of edges if its values are lists. A statement with the parameters ``$first`` and ``$last`` is run page by
    page, for heads from the first key to before the last.

    Args:
        source: name of a source; passed as ``$source``.
        query: name in ``cypher/``, or a statement from the user's own file.
        parameters: other parameters of the statement.
        nodes: a statement that returns ``key`` and node features.
        seed, shares: of the random split, if the graph has none.
        cache: whether to cache the result of a statement of ``cypher/``, and to use the cached one of an unchanged graph.

    Raises:
        NotFound: no source of that name, or the relation given to a statement of ``cypher/`` does not occur.
        Busy: concepts or entities were added or removed while they were read by node id.
        InputError: the source is not finished loading or has no triples, or the statement's columns have the wrong form.
    """
    selection = statement(query) if isinstance(query, str) else query
    parameter_names = {parameter.name for parameter in selection.parameters}
    arguments = dict(parameters or {}) | (
        {"source": source} if source is not None and "source" in parameter_names else {}
    )
    paged = parameter_names >= PAGED
    arguments = selection.arguments(arguments | (dict.fromkeys(PAGED) if paged else {}))
    arguments = {name: value for name, value in arguments.items() if not (paged and name in PAGED)}
    origin = origin_of(graph, source, selection, arguments, seed, shares)
    # A user's own statement may use labels, which change without an import, so its result is not cached.
    ours = selection.name.startswith("subgraph/")
    use_cache = cache and nodes is None and ours
    if use_cache and (cached := find_subgraph(origin)):
        return cached
    pages, again = tee(pages_of_heads(graph))
    records = (
        read_paged(graph, selection, arguments, pages) if paged else iter([graph.raw_rows(selection, **arguments)])
    )
    columns = _columns(records, selection)
    if len(columns.head) and isinstance(columns.head[0], int):
        columns = _keyed(columns, selection, read_paged(graph, statement("subgraph/keys"), {}, again))
        before, now = origin.size["ends"], _size(graph)["ends"]
        if now != before or _imports(_sources(graph, source)) != origin.imports:
            # Neo4j may have given the id of a removed node to a new one.
            raise changed()
    if not len(columns.head):
        where = f"the source {source!r}" if source else "the graph"
        raise InputError(
            f"{where} has no triples" + ("" if selection.name == DEFAULT else f" that {selection.name} selects"),
            remedy="'harmgraph source list' shows what is loaded",
        )
    subgraph = assembled(columns, seed=seed, shares=shares, origin=origin)
    if ours:
        _check_occur(subgraph, arguments)
    if nodes is not None:
        subgraph = replace(subgraph, node_features=_node_features(graph, nodes, subgraph))
    if use_cache:
        store_subgraph(subgraph, origin)
    return subgraph


def changed() -> Busy:
    """The error about a graph that another command changed while it was read."""
    return Busy("the graph changed while it was read", remedy="wait until the load is finished, then run it again")


def _check_occur(subgraph: Subgraph, arguments: Mapping[str, Any]) -> None:
    """Relations and values that a statement of ``cypher/`` was given must occur.

    Shuffling a relation that does not occur would leave the graph as it is, and so would balancing objects of nobody who has
    either value; balancing by a value that nobody has would leave out everyone. The model would be called a control, or
    balanced, and be neither.

    Raises:
        NotFound: one does not occur.
        InputError: the two values are one, or nobody who has either is at the end that ``over_inverse`` says.
    """
    relation, over = arguments.get("relation"), arguments.get("over")
    if isinstance(relation, str) and relation not in subgraph.relations:
        raise NotFound("relation", relation, subgraph.relations)
    if isinstance(over, str) and over not in subgraph.relations:
        raise NotFound("relation", over, subgraph.relations, remedy="or balancing leaves none of its triples")
    values = [arguments[name] for name in ("a", "b") if isinstance(arguments.get(name), str)]
    if not values or not isinstance(relation, str):
        return
    if len(set(values)) < len(values):
        raise InputError(f"the values to balance are both {values[0]}", remedy="give two values: a and b")
    of_relation = subgraph.relation == subgraph.relation_ids[relation]
    inverse = bool(arguments.get("inverse"))
    people, held = (subgraph.tail, subgraph.head) if inverse else (subgraph.head, subgraph.tail)
    occurring = [subgraph.entities[place] for place in np.unique(held[of_relation])]
    for value in values:
        if value not in occurring:
            raise NotFound(f"value of {relation}", value, occurring)
    if isinstance(over, str):
        ids = [subgraph.entity_ids[value] for value in values]
        concerned = people[of_relation & np.isin(held, ids)]
        ends = subgraph.tail if arguments.get("over_inverse") else subgraph.head
        if not np.isin(ends[subgraph.relation == subgraph.relation_ids[over]], concerned).any():
            raise InputError(
                f"no triple of {over} is of someone who has {' or '.join(values)}",
                remedy="turn over_inverse, or name another relation with over",
            )


def origin_of(
    graph: Graph,
    source: str | None,
    query: CypherStatement,
    parameters: Mapping[str, Any],
    seed: int,
    shares: tuple[float, float],
) -> Origin:
    """Everything that determines the subgraph: sources and their imports, statement, parameters, split.

    Raises:
        NotFound: no source of that name.
        InputError: a source is not finished loading.
    """
    named = _sources(graph, source)
    for facts in named:
        if facts.get("state") != "complete":
            raise InputError(f"the source {facts['name']!r} is not finished loading", remedy="run its load again")
    return Origin(
        statement=query.name,
        text=query.text,
        parameters=dict(parameters),
        source=source,
        imports=_imports(named),
        size=dict(_size(graph)),
        seed=seed,
        shares=shares,
    )


def _sources(graph: Graph, source: str | None) -> list[dict[str, Any]]:
    """The facts of the named source, or of every source if none is named."""
    return [sources.facts(graph, source)] if source is not None else sources.every(graph)


def _imports(named: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {facts["name"]: facts.get("import_id", "") for facts in named}


def _size(graph: Graph) -> SubgraphSizeRow:
    return graph.rows("subgraph/size")[0]


def read_paged(
    graph: Graph, query: CypherStatement, arguments: Mapping[str, Any], pages: Iterable[tuple[str, str | None]]
) -> Iterator[list[Row]]:
    """The records of each page."""
    with ThreadPoolExecutor(READERS) as readers:
        under_way: list[Future[list[Row]]] = []
        try:
            for first, last in pages:
                under_way.append(readers.submit(graph.raw_rows, query, **arguments, first=first, last=last))
                if len(under_way) > READERS:
                    yield under_way.pop(0).result()
            while under_way:
                yield under_way.pop(0).result()
        finally:
            for page in under_way:
                page.cancel()


def pages_of_heads(graph: Graph) -> Iterator[tuple[str, str | None]]:
    """The first key of each page, and the first key after it."""
    first = ""
    while True:
        last = graph.rows("subgraph/next_page", first=first, size=PAGE)[0]["key"]
        yield first, last
        if last is None:
            return
        first = last


def _columns(pages: Iterable[list[Row]], query: CypherStatement) -> Columns:
    """Joins blocks of edges.

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
                    raise InputError(f"{query.name} returns no column {missing[0]}")
                parts = {name: [] for name in record}
            blocked = isinstance(record["head"], list)
            block = record if blocked else {name: [value] for name, value in record.items()}
            size = len(block["head"])
            for name, values in block.items():
                if not isinstance(values, list) or len(values) != size:
                    raise InputError(
                        f"{query.name} returns lists of different length: {size} heads, {name} otherwise",
                        remedy="collect() drops nulls: put coalesce(…) around values that may be null",
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


def _keyed(columns: Columns, query: CypherStatement, pages: Iterable[list[Row]]) -> Columns:
    """Replaces node ids by indices into the keys.

    Raises:
        InputError: an id is not that of a concept or an entity.
    """
    import pandas

    blocks = list(chain.from_iterable(pages))
    nodes = pandas.Index(np.array(list(chain.from_iterable(block["id"] for block in blocks)), np.int64))
    ends = []
    for column in (columns.head, columns.tail):
        try:
            ids = np.array(column, np.int64)
        except (TypeError, ValueError) as error:
            raise InputError(f"{query.name} returns both keys and node ids: it must return one or the other") from error
        places = nodes.get_indexer(pandas.Index(ids))
        if (places < 0).any():
            lost = int(ids[places < 0][0])
            raise InputError(f"{query.name} returns the id {lost}, which is not the id of a Concept or an Entity")
        ends.append(places.astype(np.int64))
    head, tail = ends
    return replace(columns, head=head, tail=tail, keys=list(chain.from_iterable(block["key"] for block in blocks)))


def numbers(name: str, values: list[Any]) -> npt.NDArray[Any]:
    """A feature as an array: integers stay integers; null becomes NaN.

    Raises:
        InputError: a value is not a number, or its lists differ in length.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)  # null becomes NaN; lists of different lengths have raised
    except (ValueError, TypeError) as error:
        raise InputError(
            f"the feature {name} has values that are not numbers, or lists that differ in length"
        ) from error
    if array.dtype.kind not in "biuf":
        raise InputError(f"the feature {name} has values that are not numbers, or lists that differ in length")
    return array.astype(np.float32) if array.dtype.kind == "f" else array


def _node_features(graph: Graph, nodes: CypherStatement, subgraph: Subgraph) -> dict[str, npt.NDArray[Any]]:
    """Node features in the order of the entities; NaN for an entity that the statement does not return."""
    records = graph.raw_rows(nodes)
    if records and "key" not in records[0]:
        raise InputError(f"{nodes.name} returns no column key")
    ids = subgraph.entity_ids
    known = [record for record in records if record["key"] in ids]
    places = [ids[record["key"]] for record in known]
    features: dict[str, npt.NDArray[Any]] = {}
    for name in [name for name in (records[0] if records else {}) if name != "key"]:
        values = numbers(name, [record[name] for record in known])
        whole = len(set(places)) == len(subgraph.entities)
        kind = values.dtype if whole else np.dtype(np.float32)
        filled = np.full((len(subgraph.entities), *values.shape[1:]), 0 if whole else np.nan, kind)
        filled[places] = values
        features[name] = filled
    return features
