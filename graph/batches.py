"""Records gathered into batches of plain rows, which ``graph.writer`` writes and which can pass between processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.first_time import FirstTime
from graph.records import Concept, Scalar, Statement, Target, Triple

BATCH = 20_000
FIRST_BATCH = 5_000  # so that the server has work early

CONCEPT = 2  # values of a concept: text and language; an entity has its name alone

TripleRow = tuple[str, str, str, dict[str, Scalar] | None]
"""Keys of head and tail, assertion, properties or None."""
StatementRow = tuple[str, str, str, dict[str, Scalar]]
"""Key, text, term, properties."""


@dataclass(frozen=True, slots=True)
class Batch:
    """At most ``BATCH`` records.

    Attributes:
        nodes: the ends of the triples by their key: text and language of a concept, name of an entity.
        first: triples by their type that surely come for the first time in their load.
        others: triples by their type that may repeat an earlier one; they follow those of ``first``.
        statements: rows of ``cypher/load/statements``.
        targets: rows of ``cypher/load/targets``.
        relations: the relation's own name by its type, of types that no earlier batch has.
    """

    nodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    first: dict[str, list[TripleRow]] = field(default_factory=dict)
    others: dict[str, list[TripleRow]] = field(default_factory=dict)
    statements: list[StatementRow] = field(default_factory=list)
    targets: list[list[object]] = field(default_factory=list)
    relations: dict[str, str] = field(default_factory=dict)


class Batches:
    """Gathers the records of one import.

    Args:
        source: name of the source.
        properties: names of the properties that the importer may give; one that a record lacks is removed from an
            older version of it.
    """

    def __init__(self, source: str, properties: Sequence[str] = ()) -> None:
        self._source = source
        self._empty: dict[str, Scalar] = dict.fromkeys(properties)
        self._types: dict[str, str] = {}  # by the relation's own name
        self._named: set[str] = set()
        self._first_time = FirstTime()
        self._batch = Batch()
        self._waiting = 0
        self._room = FIRST_BATCH

    def add(self, record: Triple | Statement | Target, assertion: str = "") -> Batch | None:
        """Takes a record; gives the batch that it fills. ``assertion`` stands in where the record has none of its own."""
        if isinstance(record, Triple):
            self._add_triple(record, record.assertion or assertion)
        elif isinstance(record, Statement):
            key = record.key(self._source, assertion)
            self._batch.statements.append((key, record.text, record.term, {**self._empty, **record.properties}))
        else:
            row: list[object] = [record.name, record.title or record.name, record.category, list(record.names)]
            self._batch.targets.append(row)
        self._waiting += 1
        return self.rest() if self._waiting >= self._room else None

    def rest(self) -> Batch | None:
        """What waits; None where nothing does."""
        if not self._waiting:
            return None
        batch, self._batch, self._waiting, self._room = self._batch, Batch(), 0, BATCH
        return batch

    def _add_triple(self, triple: Triple, assertion: str) -> None:
        batch, kind = self._batch, self._types.get(triple.relation)
        if kind is None:
            kind = self._types[triple.relation] = triple.type
            if kind not in self._named:
                self._named.add(kind)
                batch.relations[kind] = triple.relation
        head, tail = triple.head, triple.tail
        head_key, tail_key = head.key, tail.key
        batch.nodes[head_key] = (head.text, head.language) if isinstance(head, Concept) else (head.name,)
        batch.nodes[tail_key] = (tail.text, tail.language) if isinstance(tail, Concept) else (tail.name,)
        values = {**self._empty, **triple.properties} if triple.properties else None
        surely_new = self._first_time.note(hash((head_key, kind, tail_key, assertion)))
        triples = batch.first if surely_new else batch.others
        rows = triples.get(kind)
        if rows is None:
            rows = triples[kind] = []
        rows.append((head_key, tail_key, assertion, values))
