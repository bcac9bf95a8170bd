"""Writes records in batches: nodes first, then relationships grouped by type, each by a statement of its own shape.

Everything is merged, so a batch may be sent twice. Measured: ends found by element id and batches of 20,000 list rows are the
quickest shape that is safe against a kill (``docs/decisions/0003-writing.md``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph.connection import Graph
from graph.records import Concept, Entity, Scalar, Statement, Target, Triple
from graph.statements import statement

BATCH = 20_000
BUFFERED = 60_000
KNOWN_NODES = 100_000

TripleRow = tuple[Concept | Entity, Concept | Entity, str, dict[str, Scalar]]


@dataclass(frozen=True, slots=True)
class Import:
    """What marks everything that one import writes."""

    source: str
    import_id: str


class Writer:
    """Streams records of one import into the graph; use ``flush`` at the end.

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
        self._waiting = 0
        self._statements: list[list[object]] = []
        self._targets: list[list[object]] = []
        self._ids: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._types: dict[str, str] = {}  # by the relation's own name
        self.kept_by_other_list = 0

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
        write_relations(self._graph, self._mark, self._relations, self._phrase)

    def _add_triple(self, triple: Triple, assertion: str) -> None:
        kind = self._types.get(triple.relation)
        if kind is None:
            kind = self._types[triple.relation] = triple.type
            self._relations.setdefault(kind, triple.relation)
        waiting = self._triples[kind]
        waiting.append((triple.head, triple.tail, triple.assertion or assertion, {**self._empty, **triple.properties}))
        self._waiting += 1
        if len(waiting) >= BATCH:
            self._flush_type(kind)
        elif self._waiting >= BUFFERED:
            self._flush_type(max(self._triples, key=lambda name: len(self._triples[name])))

    def _flush_type(self, relation_type: str) -> None:
        rows = self._triples.pop(relation_type, [])
        if not rows:
            return
        self._waiting -= len(rows)
        self._know(node for row in rows for node in row[:2])
        ids = self._ids
        self._graph.write(
            statement("load/triples").with_type(relation_type),
            rows=[[ids[head.key], ids[tail.key], assertion, values] for head, tail, assertion, values in rows],
            source=self._mark.source,
            import_id=self._mark.import_id,
        )
        if len(ids) > KNOWN_NODES:
            # Oldest first: dictionaries keep the order of insertion.
            for key in list(ids)[: len(ids) - KNOWN_NODES // 2]:
                del ids[key]

    def _know(self, nodes: Iterable[Concept | Entity]) -> None:
        """Fills the map for these nodes, creating those that the graph lacks."""
        missing = {node.key: node for node in nodes if node.key not in self._ids}
        concepts = [[key, node.text, node.language] for key, node in missing.items() if isinstance(node, Concept)]
        entities = [[key, node.name] for key, node in missing.items() if isinstance(node, Entity)]
        for name, rows in (("load/concepts", concepts), ("load/entities", entities)):
            for start in range(0, len(rows), BATCH):
                written = self._graph.write(name, rows=rows[start : start + BATCH])
                self._ids.update(written.rows[0]["ids"])

    def _flush_statements(self) -> None:
        if self._statements:
            rows, self._statements = self._statements, []
            self._graph.write("load/statements", rows=rows, source=self._mark.source, import_id=self._mark.import_id)

    def _flush_targets(self) -> None:
        if self._targets:
            rows, self._targets = self._targets, []
            written = self._graph.write(
                "load/targets", rows=rows, source=self._mark.source, import_id=self._mark.import_id
            )
            self.kept_by_other_list += len(rows) - written.rows[0]["written"]


def write_relations(graph: Graph, mark: Import, relations: Mapping[str, str], phrase: Callable[[str], str]) -> None:
    """Writes the ``Relation`` of each type that has none.

    Args:
        relations: the relation's own name by its type.
        phrase: the phrase of a relation by its own name.
    """
    if relations:
        rows = [[kind, name, phrase(name)] for kind, name in sorted(relations.items())]
        graph.write("load/relations", rows=rows, source=mark.source)
