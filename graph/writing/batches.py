"""Collects records into batches of plain rows, which ``graph.writing.writer`` writes and which processes can exchange."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harmgraph.graph.records import (
    Concept,
    Entity,
    RelationLabel,
    Scalar,
    Statement,
    Target,
    Triple,
    normalise,
)
from harmgraph.graph.writing.deferred_rows import DeferredRows, NotedRows
from harmgraph.graph.writing.first_time import FirstOfFew, FirstTime

BATCH = 20_000
FIRST_BATCH = 5_000  # smaller, so that the server has work early

LABEL = 2  # number of values of a relation's label: type and label
CONCEPT = 2  # number of values of a concept: text and language; an entity has none, its name is written separately
EVENT = 3  # number of values of a concept that is an event: text, language and the label that it has too
NO_FILE = -1  # file number of a name that came with a triple

TripleRow = tuple[str, str, str, dict[str, Scalar] | None]
"""Keys of head and tail, assertion, properties or None."""
StatementRow = tuple[str, str, str, dict[str, Scalar]]
"""Key, text, term, properties."""
ImplicationRow = tuple[str, str, str, str, str, str, str]
"""Key of the post, name of the group, the group as the file has it, category, text, annotator, assertion."""
EntityRow = tuple[str, str, str, dict[str, Scalar]]
"""Key, name, the name normalised, properties."""


@dataclass(frozen=True, slots=True)
class Batch:
    """At most ``BATCH`` records.

    Attributes:
        nodes: the heads and tails of the triples by key: text and language of a concept, and ``Event`` if it is one; an empty
            tuple for an entity.
        first: triples by type that certainly occur for the first time in this load.
        others: triples by type that may repeat an earlier one; they are written after those of ``first``.
        statements: rows of ``cypher/load/statements``.
        posts: rows of ``cypher/load/posts``.
        implications: what these posts imply.
        targets: rows of ``cypher/load/targets``.
        relations: the names of relations by type, only for types that are in no earlier batch.
        entities: names and descriptions of entities; these batches follow all others.
        labels: the labels of relations from files, by type.
    """

    nodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    first: dict[str, list[TripleRow]] = field(default_factory=dict)
    others: dict[str, list[TripleRow]] = field(default_factory=dict)
    statements: list[StatementRow] = field(default_factory=list)
    posts: list[StatementRow] = field(default_factory=list)
    implications: list[ImplicationRow] = field(default_factory=list)
    targets: list[list[object]] = field(default_factory=list)
    relations: dict[str, str] = field(default_factory=dict)
    entities: list[EntityRow] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


class Batches:
    """Collects the records of one import.

    Args:
        source: name of the source.
        properties: names of the properties that the importer may set on a triple or statement; a property that a record
            lacks is removed from an older version of it.
        described: the same for entities.
        part: whether these are only a few of the records, whose batches and ``deferred`` others join. Then all is in memory.

    Attributes:
        names_kept: by file number, how many of its descriptions of entities and relations belong to ones that occur in triples;
            complete once ``last`` is exhausted.
    """

    def __init__(
        self,
        source: str,
        properties: Sequence[str] = (),
        described: Sequence[str] = (),
        *,
        part: bool = False,
    ) -> None:
        self._source = source
        self._empty: dict[str, Scalar] = dict.fromkeys(properties)
        self._undescribed: dict[str, Scalar] = dict.fromkeys(described)
        self._types: dict[str, str] = {}  # by the relation's name
        self._named: set[str] = set()
        self._first_time = FirstOfFew() if part else FirstTime()
        self._names: dict[str, str] = {}  # names that came with triples in this batch
        # descriptions of entities and relations; their triples may come later
        self._deferred = NotedRows() if part else DeferredRows()
        self.names_kept: Counter[int] = Counter()
        self._entities = False  # whether the batch has any
        self._batch = Batch()
        self._waiting = 0
        self._room = BATCH if part else FIRST_BATCH

    def add(
        self, record: Triple | Statement | Target | Entity | RelationLabel, assertion: str = "", file: int = 0
    ) -> Batch | None:
        """Adds a record; returns the batch if this fills it. Descriptions of entities and relations wait for ``last``.

        Args:
            assertion: the id to use if the record has none of its own.
            file: number of the file that the record comes from.
        """
        if isinstance(record, Triple):  # most are
            self._add_triple(record, record.assertion or assertion)
        elif isinstance(record, Entity):
            self._note_entity(record, file)
            return None
        elif isinstance(record, RelationLabel):
            self._deferred.put(record.type, (file, (record.type, record.label)))
            return None
        elif isinstance(record, Statement):
            key = record.key(self._source, assertion)
            row = (key, record.text, record.term, {**self._empty, **record.properties})
            if record.implies is None:
                self._batch.statements.append(row)
            else:
                self._batch.posts.append(row)
                self._batch.implications.extend(
                    (key, normalise(made.group), made.group, made.category, made.text, made.annotator, made.assertion)
                    for made in record.implies
                )
        else:
            title, names = record.title or record.name, list(record.names)
            parts = list(record.parts)
            self._batch.targets.append([record.name, title, record.category, names, record.language, parts])
        self._waiting += 1
        return self.rest() if self._waiting >= self._room else None

    def join(self, later: Batch, digests: bytes) -> Batch | None:
        """Adds a batch of a part, of later records; returns what waited if both are too many for a batch.

        A batch may have a quarter more than ``BATCH`` here, so that what comes in pieces makes no small ones.

        Args:
            later: at most as many records as a batch has; whoever gave it does not use it any more.
            digests: its ``digests_of``.
        """
        for kind in self._named.intersection(later.relations):
            del later.relations[kind]
        self._named.update(later.relations)
        assert isinstance(self._first_time, FirstTime)
        _demote(later, self._first_time.known_among(digests))
        records = sum(len(rows) for triples in (later.first, later.others) for rows in triples.values())
        records += len(later.statements) + len(later.posts) + len(later.targets)
        full = self.rest() if self._waiting + records > self._room + BATCH // 4 else None
        if self._waiting:
            _extend(self._batch, later)
        else:
            self._batch = later
        self._waiting += records
        return full

    @property
    def deferred(self) -> tuple[list[tuple[str, Any]], bytes]:
        """The descriptions that a part has, and digests of the keys that its triples have, for ``join_deferred``."""
        assert isinstance(self._deferred, NotedRows)
        return self._deferred.noted, self._deferred.wanted.tobytes()

    def join_deferred(self, rows: Iterable[tuple[str, Any]], wanted: bytes) -> None:
        """Adds the ``deferred`` of a part."""
        assert isinstance(self._deferred, DeferredRows)
        self._deferred.add(rows, wanted)

    def rest(self) -> Batch | None:
        """The records that wait, as a batch; None if there are none."""
        if not self._waiting:
            return None
        batch, self._batch, self._waiting, self._room = self._batch, Batch(), 0, BATCH
        if self._entities:
            for key, values in batch.nodes.items():
                if not values:
                    self._deferred.want(key)
            self._names.clear()
            self._entities = False
        return batch

    def last(self) -> Iterator[Batch]:
        """The remaining batches after all records were added: waiting records, then descriptions of entities and relations."""
        batch = self.rest()
        if batch:
            yield batch
        batch = Batch()
        for file, row in self._deferred.rows():
            if file != NO_FILE:
                self.names_kept[file] += 1
            if len(row) == LABEL:
                batch.labels[row[0]] = row[1]
            else:
                batch.entities.append(row)
                if len(batch.entities) >= BATCH:
                    yield batch
                    batch = Batch()
        if batch.entities or batch.labels:
            yield batch

    def close(self) -> None:
        """Drops all waiting descriptions."""
        self._deferred.close()

    def _note_entity(self, entity: Entity, file: int) -> None:
        row = entity_row(entity, self._undescribed)
        if row:
            self._deferred.put(entity.key, (file, row))

    def _end(self, key: str, entity: Entity) -> tuple[str, ...]:
        """The node values of an entity in a triple, which are empty; if it has a name, that is set aside."""
        self._entities = True
        if entity.name and self._names.get(key) != entity.name:
            self._names[key] = entity.name
            self._deferred.put(key, (NO_FILE, (key, entity.name, normalise(entity.name), {})))
        return ()

    def _add_triple(self, triple: Triple, assertion: str) -> None:
        batch, kind = self._batch, self._types.get(triple.relation)
        if kind is None:
            kind = self._types[triple.relation] = triple.type
            if kind not in self._named:
                self._named.add(kind)
                batch.relations[kind] = triple.relation
                self._deferred.want(kind)
        head, tail = triple.head, triple.tail
        head_key, tail_key = head.key, tail.key
        nodes = batch.nodes
        for key, end in ((head_key, head), (tail_key, tail)):
            if not isinstance(end, Concept):
                nodes[key] = self._end(key, end)
            elif end.event or key not in nodes:  # what was an event in this batch stays one
                nodes[key] = _values(end)
        values = {**self._empty, **triple.properties} if triple.properties else None
        surely_new = self._first_time.note(hash((head_key, kind, tail_key, assertion)))
        triples = batch.first if surely_new else batch.others
        rows = triples.get(kind)
        if rows is None:
            rows = triples[kind] = []
        rows.append((head_key, tail_key, assertion, values))


def digests_of(batch: Batch) -> bytes:
    """The digests of the triples of ``first`` in their order, 64 bits each, by which ``Batches`` knows triples."""
    return array(
        "q",
        [
            hash((head, kind, tail, assertion))
            for kind, rows in batch.first.items()
            for head, tail, assertion, _ in rows
        ],
    ).tobytes()


def _demote(batch: Batch, places: Sequence[int]) -> None:
    """Moves triples from ``first`` to ``others``, before those that are there: they came earlier.

    Args:
        places: which triples of ``first``, counted in its order; ascending.
    """
    if not places:
        return
    begin = at = 0
    for kind, rows in list(batch.first.items()):
        start, at = at, bisect_left(places, begin + len(rows), at)
        chosen = {place - begin for place in places[start:at]}
        begin += len(rows)
        if chosen:
            batch.others[kind] = [rows[place] for place in sorted(chosen)] + batch.others.get(kind, [])
            batch.first[kind] = [row for place, row in enumerate(rows) if place not in chosen]
            if not batch.first[kind]:
                del batch.first[kind]


def _extend(batch: Batch, later: Batch) -> None:
    nodes = batch.nodes
    events = {key: nodes[key] for key in nodes.keys() & later.nodes.keys() if len(nodes[key]) == EVENT}
    nodes.update(later.nodes)
    nodes.update(events)
    for triples, more in ((batch.first, later.first), (batch.others, later.others)):
        for kind, rows in more.items():
            triples.setdefault(kind, []).extend(rows)
    batch.statements.extend(later.statements)
    batch.posts.extend(later.posts)
    batch.implications.extend(later.implications)
    batch.targets.extend(later.targets)
    batch.relations.update(later.relations)


def entity_row(entity: Entity, undescribed: Mapping[str, Scalar]) -> EntityRow | None:
    """The row of an entity's name and description; None if it has neither.

    Args:
        undescribed: null for each property that an entity may have.
    """
    values = {**undescribed, **entity.properties} if entity.properties else {}
    return (entity.key, entity.name, normalise(entity.name), values) if entity.name or values else None


def _values(concept: Concept) -> tuple[str, ...]:
    return (concept.text, concept.language, "Event") if concept.event else (concept.text, concept.language)
