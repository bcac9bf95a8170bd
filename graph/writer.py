"""Writes records in batches: nodes first, then relationships grouped by type, each by a statement of its own shape.

Everything is merged, so a batch may be sent twice. Measured: ends found by element id and batches of 20,000 list rows are the
quickest shape that is safe against a kill (``docs/decisions/0003-writing.md``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Self

from graph.background import Background
from graph.connection import Graph, Written
from graph.records import Concept, Entity, Scalar, Statement, Target, Triple
from graph.statements import statement

BATCH = 20_000
BUFFERED = 20_000
KNOWN_NODES = 100_000

Node = Concept | Entity
TripleRow = tuple[str, str, str, dict[str, Scalar] | None]  # keys of head and tail, assertion, properties


@dataclass(frozen=True, slots=True)
class Import:
    """What marks everything that one import writes.

    Attributes:
        import_id: what the import saw; digest of its files and options.
        since: what it brought first; number of the import within its source (see ``graph.sources.generation``).
    """

    source: str
    import_id: str
    since: int = 1


class Writer:
    """Streams records of one import into the graph; use ``flush`` at the end, and as a context manager where it may fail.

    A batch is written by a thread while the next one is gathered: client and server work at the same time.

    Memory is bounded: ``BUFFERED`` triples wait for their type's batch to fill, and the map from key to element id
    holds ``KNOWN_NODES`` nodes; a node that has left the map is merged again by its key.

    Args:
        properties: names of the properties that the importer may give; one that a record lacks is removed from an
            older version of it.
        phrase: the phrase of a relation by its own name, kept as ``Relation.template``.
    """

    def __init__(
        self, graph: Graph, mark: Import, properties: Sequence[str] = (), phrase: Callable[[str], str] = str
    ) -> None:
        self._graph = graph
        self._mark = mark
        self._phrase = phrase
        self._empty: dict[str, Scalar] = dict.fromkeys(properties)
        self._triples: dict[str, list[TripleRow]] = defaultdict(list)
        self._nodes: dict[str, dict[str, Node]] = defaultdict(dict)  # the ends of those triples, by type
        self._waiting = 0
        self._statements: list[list[object]] = []
        self._targets: list[list[object]] = []
        self._ids: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._types: dict[str, str] = {}  # by the relation's own name
        self._background = Background()
        self.kept_by_other_list = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._background.close()

    def add(self, record: Triple | Statement | Target, assertion: str = "") -> None:
        """Takes a record; writes when a batch is full. ``assertion`` stands in where the record has none of its own."""
        if isinstance(record, Triple):
            self._add_triple(record, assertion)
        elif isinstance(record, Statement):
            key = record.key(self._mark.source, assertion)
            self._statements.append([key, record.text, record.term, {**self._empty, **record.properties}])
            if len(self._statements) >= BATCH:
                self._flush_statements()
        else:
            self._targets.append([record.name, record.title or record.name, record.category, list(record.names)])
            if len(self._targets) >= BATCH:
                self._flush_targets()

    def flush(self) -> None:
        """Writes all that waits."""
        for relation_type in sorted(self._triples):
            self._flush_type(relation_type)
        self._flush_statements()
        self._flush_targets()
        self._background.wait()
        self._background.close()
        write_relations(self._graph, self._mark, self._relations, self._phrase)

    def _add_triple(self, triple: Triple, assertion: str) -> None:
        kind = self._types.get(triple.relation)
        if kind is None:
            kind = self._types[triple.relation] = triple.type
            self._relations.setdefault(kind, triple.relation)
        waiting, nodes = self._triples[kind], self._nodes[kind]
        head, tail = triple.head.key, triple.tail.key
        nodes[head] = triple.head
        nodes[tail] = triple.tail
        values = {**self._empty, **triple.properties} if triple.properties else None
        waiting.append((head, tail, triple.assertion or assertion, values))
        self._waiting += 1
        if len(waiting) >= BATCH:
            self._flush_type(kind)
        elif self._waiting >= BUFFERED:
            self._flush_type(max(self._triples, key=lambda name: len(self._triples[name])))

    def _flush_type(self, relation_type: str) -> None:
        rows, nodes = self._triples.pop(relation_type, []), self._nodes.pop(relation_type, {})
        if not rows:
            return
        self._waiting -= len(rows)
        self._background.run(lambda: self._write_triples(relation_type, rows, nodes))

    def _write_triples(self, relation_type: str, rows: list[TripleRow], nodes: dict[str, Node]) -> None:
        self._know(nodes)
        ids = self._ids
        self._graph.write(
            statement("load/triples").with_type(relation_type),
            rows=[[ids[head], ids[tail], assertion, values] for head, tail, assertion, values in rows],
            source=self._mark.source,
            import_id=self._mark.import_id,
            since=self._mark.since,
            without=self._empty,
        )
        if len(ids) > KNOWN_NODES:
            # Oldest first: dictionaries keep the order of insertion.
            for key in list(ids)[: len(ids) - KNOWN_NODES // 2]:
                del ids[key]

    def _know(self, nodes: Mapping[str, Node]) -> None:
        """Fills the map for these nodes, creating those that the graph lacks."""
        concepts: list[list[str]] = []
        entities: list[list[str]] = []
        for key, node in nodes.items():
            if key in self._ids:
                continue
            if isinstance(node, Concept):
                concepts.append([key, node.text, node.language])
            else:
                entities.append([key, node.name])
        for name, rows in (("load/concepts", concepts), ("load/entities", entities)):
            for start in range(0, len(rows), BATCH):
                written = self._graph.write(name, rows=rows[start : start + BATCH])
                self._ids.update(written.rows[0]["ids"])

    def _flush_statements(self) -> None:
        if self._statements:
            rows, self._statements = self._statements, []
            self._background.run(lambda: self._write("load/statements", rows))

    def _flush_targets(self) -> None:
        if self._targets:
            rows, self._targets = self._targets, []
            self._background.run(lambda: self._write_targets(rows))

    def _write_targets(self, rows: list[list[object]]) -> None:
        written = self._write("load/targets", rows)
        self.kept_by_other_list += len(rows) - written.rows[0]["written"]

    def _write(self, query: str, rows: list[list[object]]) -> Written:
        return self._graph.write(query, rows=rows, **asdict(self._mark))


def write_relations(graph: Graph, mark: Import, relations: Mapping[str, str], phrase: Callable[[str], str]) -> None:
    """Writes the ``Relation`` of each type that has none.

    Args:
        relations: the relation's own name by its type.
        phrase: the phrase of a relation by its own name.
    """
    if relations:
        rows = [[kind, name, phrase(name)] for kind, name in sorted(relations.items())]
        graph.write("load/relations", rows=rows, source=mark.source)
