"""Writes batches of records: nodes first, then relationships, in one transaction with a statement for each type.

A batch may be sent twice: everything is merged, or guarded by the number of the batch. As measured, finding heads and tails by
element id and batches of 20,000 list rows is the fastest way that is safe against a kill (``docs/decisions/0003-writing.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import TracebackType
from typing import Any, Self

from harmgraph.graph.connection import Graph, Row, Written
from harmgraph.graph.contents import entity_names
from harmgraph.graph.records import Entity, Import, RelationLabel, Scalar, Target, Triple, same_relation
from harmgraph.graph.records import Statement as Sentence
from harmgraph.graph.statements import CypherStatement, statement
from harmgraph.graph.target_names import group_names
from harmgraph.graph.writing.background import Background
from harmgraph.graph.writing.batches import BATCH, CONCEPT, EVENT, Batch, Batches, EntityRow, ImplicationRow, TripleRow
from harmgraph.graph.writing.known_nodes import KnownNodes


class Writer:
    """Streams the records of one import into the graph. Call ``flush`` at the end; use it as a context manager if it may fail.

    One thread writes the nodes of a batch and another its relationships while the next batch is collected, so the server and
    this program work at the same time. The two threads never write the same nodes or relationships.

    Memory is bounded: a few batches wait, and the ids of a limited number of nodes are kept (``graph.writing.known_nodes``);
    a forgotten node is merged again by its key.

    Args:
        properties: names of the properties that the importer may set; a property that a record lacks is removed from an
            older version of it.
        phrase: returns the phrase of a relation for its name, saved as ``Relation.template``.
        described: names of the properties that the importer may set on an entity.
        empty_source: whether the graph contains nothing of the source; see ``write``.
        renews_names: whether the graph contains another import of the source. The names that it gave to entities and
            relations are then removed before the new ones are written, once everything is read.

    Attributes:
        kept_by_other_list: number of targets that another list of the same language added first and that keep its category.
        groups: whether targets of groups were found or made.
        called_by_language: names such as ``chef (de)``, of targets that a list of another language has too.
        shared_types: by type, the name of the relation in the graph and the different name in this import.
    """

    def __init__(
        self,
        graph: Graph,
        mark: Import,
        properties: Sequence[str] = (),
        phrase: Callable[[str], str] = str,
        described: Sequence[str] = (),
        *,
        empty_source: bool = False,
        renews_names: bool = False,
    ) -> None:
        self._graph = graph
        self._mark = mark
        self._phrase = phrase
        self._empty: dict[str, Scalar] = dict.fromkeys(properties)
        self._gather = partial(Batches, mark.source, properties, described)
        self._gathered: Batches | None = None  # has a filter of 8 MiB, which is not needed for whole batches
        self._known = KnownNodes()  # by key, the last part of the element id
        self._database = ""  # the parts of the element id before it
        self._relations: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._nodes = Background()
        self._relationships = Background()
        self._number = 0
        self._empty_source = empty_source
        self._renews_names = renews_names
        self.kept_by_other_list = 0
        self.groups = False
        self.called_by_language: list[str] = []
        self.shared_types: dict[str, tuple[str, str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads and drops waiting records; what is being written is not tried again."""
        if self._gathered:
            self._gathered.close()
        with self._graph.hurried():
            self._nodes.close()
            self._relationships.close()

    def add(self, record: Triple | Sentence | Target | Entity | RelationLabel, assertion: str = "") -> None:
        """Adds a record and writes a full batch. ``assertion`` is used if the record has no id of its own."""
        if self._gathered is None:
            self._gathered = self._gather()
        batch = self._gathered.add(record, assertion)
        if batch:
            self.write(batch)

    def write(self, batch: Batch) -> None:
        """Hands a batch to the thread; waits while earlier ones are being written.

        With ``empty_source`` (the graph contains nothing of the source, see ``graph.contents.sources.begin``), triples that
        certainly occur for the first time are created, which is a fifth faster than merging.
        """
        self._relations.update(batch.relations)
        self._labels.update(batch.labels)
        self._nodes.run(lambda: self._write(batch))

    def flush(self) -> None:
        """Writes all waiting records."""
        for batch in self._gathered.last() if self._gathered else ():
            self.write(batch)
        self._nodes.wait()
        self._relationships.wait()
        self._renew()
        self.close()
        relations = self._relations, self._labels, self._phrase
        self.shared_types = write_relations(self._graph, self._mark, *relations)

    def _write(self, batch: Batch) -> None:
        if batch.nodes:
            self._write_triples(batch, self._ids_of(batch.nodes))
        if batch.statements:
            self._write_rows("load/statements", batch.statements)
        if batch.posts:
            self._write_rows("load/posts", batch.posts)
        if batch.implications:
            self.groups = True
            write_implications(self._graph, self._mark, batch.implications)
        if batch.targets:
            written = self._write_rows("load/targets", batch.targets)
            self.kept_by_other_list += len(batch.targets) - written.rows[0]["written"]
            self.called_by_language += written.rows[0]["called"]
        if batch.entities:
            self._relationships.wait()  # it locks the nodes that are written next
            self._renew()
            write_entities(self._graph, self._mark, batch.entities)

    def _renew(self) -> None:
        if self._renews_names:
            self._renews_names = False
            entity_names.forget(self._graph, self._mark.source)

    def _write_triples(self, batch: Batch, ids: Mapping[str, int]) -> None:
        others = self._shaped("load/triples", batch.others, ids)
        if not self._empty_source:
            merged = [*self._shaped("load/triples", batch.first, ids), *others]
            self._relationships.run(lambda: self._graph.write_together(merged))
            return
        self._number += 1
        guard = statement("load/batch"), {"source": self._mark.source, "batch": self._number}
        writes = [*self._shaped("load/new_triples", batch.first, ids), *others]
        self._relationships.run(lambda: self._graph.write_together(writes, guard=guard))

    def _shaped(
        self, name: str, triples: Mapping[str, Sequence[TripleRow]], ids: Mapping[str, int]
    ) -> list[tuple[CypherStatement, Mapping[str, Any]]]:
        """A statement and its parameters for each type."""
        database = self._database
        common = asdict(self._mark)
        if name == "load/triples":
            common["without"] = self._empty
        writes: list[tuple[CypherStatement, Mapping[str, Any]]] = []
        for kind in sorted(triples):
            rows = [
                [f"{database}{ids[head]}", f"{database}{ids[tail]}", assertion, values]
                for head, tail, assertion, values in triples[kind]
            ]
            writes.append((statement(name).with_type(kind), {"rows": rows, **common}))
        return writes

    def _ids_of(self, nodes: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
        """The ids of these nodes; creates those that the graph lacks."""
        ids = self._known.find(nodes)
        concepts: list[list[str]] = []
        events: list[list[str]] = []
        entities: list[list[str]] = []
        by_values = {CONCEPT: concepts, EVENT: events}
        for key, values in nodes.items():
            if key not in ids:
                by_values.get(len(values), entities).append([key, *values])
        new: dict[str, int] = {}
        for name, rows in (("load/concepts", concepts), ("load/events", events), ("load/entities", entities)):
            for start in range(0, len(rows), BATCH):
                written = self._graph.write(name, rows=rows[start : start + BATCH])
                for key, element_id in written.rows[0]["ids"]:
                    database, _, number = element_id.rpartition(":")
                    new[key] = int(number)
                self._database = f"{database}:"
        self._known.add(new)
        return ids | new

    def _write_rows(self, query: str, rows: Sequence[Sequence[object]]) -> Written:
        return self._graph.write(query, rows=rows, **asdict(self._mark))


def write_relations(
    graph: Graph,
    mark: Import,
    relations: Mapping[str, str],
    labels: Mapping[str, str],
    phrase: Callable[[str], str],
) -> dict[str, tuple[str, str]]:
    """Writes a ``Relation`` for each type that has none, and the labels that the source gives to relations.

    Args:
        relations: the names of relations by type.
        labels: the labels of relations by type, if the source has any.
        phrase: returns the phrase of a relation for its name.

    Returns:
        By type, the name of an existing relation and its name in this import, if these are not spellings of one name.
    """
    standing: tuple[Row, ...] = ()
    if relations:
        rows = [[kind, name, phrase(name)] for kind, name in sorted(relations.items())]
        standing = graph.write("load/relations", rows=rows, source=mark.source).rows
    if labels:
        graph.write("load/relation_labels", rows=sorted(map(list, labels.items())), source=mark.source)
    names = {row["type"]: (row["name"], relations[row["type"]]) for row in standing}
    return {kind: both for kind, both in names.items() if not same_relation(*both)}


def write_entities(graph: Graph, mark: Import, rows: Sequence[EntityRow]) -> None:
    """Writes names and descriptions of entities that are in the graph."""
    names = [row[:3] for row in rows if row[1]]
    described = [
        (key, values, sorted(name for name, value in values.items() if value is not None))
        for key, _, _, values in rows
        if values
    ]
    if names:
        graph.write("load/entity_names", rows=names, source=mark.source)
    if described:
        graph.write("load/entity_descriptions", rows=described, source=mark.source)


def write_implications(graph: Graph, mark: Import, rows: Sequence[ImplicationRow]) -> None:
    """Writes what posts imply about groups; the targets of the groups are those of the lists, or made."""
    marks = asdict(mark)
    groups = [[name, group_names(name)] for name in sorted({row[1] for row in rows})]
    targets = {row["group"]: row["target"] for row in graph.write("load/groups", rows=groups, **marks).rows}
    for start in range(0, len(rows), BATCH):
        implied = [
            [
                key,
                targets[name],
                assertion,
                {"group": group, "category": category, "text": text, "annotator": annotator},
            ]
            for key, name, group, category, text, annotator, assertion in rows[start : start + BATCH]
        ]
        graph.write("load/implications", rows=implied, **marks)
