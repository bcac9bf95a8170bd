"""Writes records as CSV tables for Neo4j's offline importer, each node and each triple once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

from harmgraph.common.errors import GraphError
from harmgraph.common.spill import Spill
from harmgraph.graph.form.steps import newest
from harmgraph.graph.records import Import, Properties, Scalar
from harmgraph.graph.writing.batches import BATCH, EVENT, Batch, ImplicationRow, TripleRow
from harmgraph.graph.writing.bulk_import import CsvTable
from harmgraph.graph.writing.first_time import FirstTime
from harmgraph.graph.writing.known_nodes import KnownNodes
from harmgraph.loader.loading.keyed_rows import REMEDY, KeyedRows
from harmgraph.loader.loading.once_rows import OnceRows

TYPES: dict[type, str] = {str: "string", float: "double", int: "long", bool: "boolean"}
ORIGIN = ("source", "import_id", "since:long")
NAMED = ("name", "term", "named_by:string[]")
DESCRIBED = ("described_by:string[]", "described:string[]")
POST = "Post"
EVENT_MARK = "\x00"  # before the key of an event; no key begins with it
ENTITY_NAMES, ENTITY_DESCRIPTIONS = "entity-names", "entity-descriptions"
NO_TEXT = '""'
ARRAY = "\x1f"  # equals bulk_import.ARRAY_DELIMITER


class CsvTables:
    """Collects the records of an import; ``tables`` writes them. Does what ``graph.writing.writer.Writer`` does in a load.

    Like there, the last of several equal triples or sentences decides the properties.

    Args:
        folder: for the files; whoever made it removes them.
        properties: names of the properties that triples or sentences can have.
        described: names of the properties that entities can have.
    """

    def __init__(self, folder: Path, mark: Import, properties: Sequence[str], described: Sequence[str] = ()) -> None:
        self._folder = folder
        self._mark = mark
        self._kinds: dict[str, set[type]] = {name: set() for name in properties}
        self._described_kinds: dict[str, set[type]] = {name: set() for name in described}
        self._origin = "".join(f",{_quoted(str(value))}" for value in (mark.source, mark.import_id, mark.since))
        self._rows: dict[str, KeyedRows] = {}
        self._concepts: OnceRows | None = None
        self._triples: dict[tuple[str, str], OnceRows] = {}
        self._multiline: set[str] = set()
        # Nodes that are written; it may forget some, which are then written and merged again.
        self._known = KnownNodes()
        self._first_time = FirstTime()
        self._open = ExitStack()
        self._implications: Spill[list[ImplicationRow]] = Spill(list, folder=folder, remedy=REMEDY)
        self._open.callback(self._implications.close)
        self.relations: dict[str, str] = {}
        self.labels: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def add(self, batch: Batch) -> None:
        """Adds a batch of triples or statements."""
        self.relations.update(batch.relations)
        self.labels.update(batch.labels)
        ends = _all_quoted(batch.nodes)
        entities = self._add_nodes(batch.nodes, ends)
        for triples in (batch.first, batch.others):
            for kind, rows in triples.items():
                self._add_triples(kind, rows, ends, entities, surely_new=triples is batch.first)
        for label, sentences in (("Statement", batch.statements), (POST, batch.posts)):
            for key, text, term, properties in sentences:
                values = self._values(properties, self._kinds)
                self._put(label, f'"{key}"', f",{_quoted(text)},{_quoted(term)}{values}")
        self._add_implications(batch.implications)
        for key, name, term, properties in batch.entities:
            self._describe(_quoted(key), name, term, properties)

    def tables(self) -> Iterator[CsvTable]:
        """Writes the files, one after the other.

        Raises:
            GraphError: a property has values of several types, which a column cannot have.
        """
        typed = [f"{name}:{self._type(name, kinds)}" for name, kinds in self._kinds.items()]
        described = [f"{name}:{self._type(name, kinds)}" for name, kinds in self._described_kinds.items()]
        headers = {
            "Entity": ("key:ID(Entity)", *NAMED, *described, *DESCRIBED),
            "Statement": ("key:ID(Statement)", "text", "term", *typed, *ORIGIN),
            POST: ("key:ID(Statement)", "text", "term", *typed, *ORIGIN),
        }
        if self._concepts:
            columns = ("key:ID(Concept)", "text", "language", ":LABEL")
            yield self._once_written("Concept", "Concept", columns, self._concepts)
        for label in sorted(self._rows):
            if label not in headers:
                continue
            end = (self._origin if label in ("Statement", POST) else "") + "\n"
            names = self._rows.get(ENTITY_NAMES), "," * len(NAMED)
            descriptions = self._rows.get(ENTITY_DESCRIPTIONS), "," * (len(described) + len(DESCRIBED))
            beside = [names, descriptions] if label == "Entity" else []
            labels = f"Statement:{POST}" if label == POST else label
            yield self._written(labels, label, headers[label], self._rows[label], end, beside)
        for ends in sorted(self._triples):
            header = (f":START_ID({ends[0]})", f":END_ID({ends[1]})", ":TYPE", "assertion", *typed, *ORIGIN)
            yield self._once_written("", "-".join(ends), header, self._triples[ends])
        yield self._begun()
        yield self._form()

    def implications(self) -> Iterator[list[ImplicationRow]]:
        """What the posts imply, in batches and in the order of the files; they have no table, see ``complete_offline``."""
        yield from self._implications.pieces(0)

    def _add_implications(self, rows: Sequence[ImplicationRow]) -> None:
        waiting = self._implications.waiting[0]
        waiting += rows
        if len(waiting) >= BATCH:
            self._implications.write(0)

    def _begun(self) -> CsvTable:
        """The source node in the state ``loading``, so that an import that is killed is recognised as incomplete."""
        rows = self._folder / "Source.csv"
        rows.write_text(f'{_quoted(self._mark.source)},"{self._mark.import_id}","loading"\n', encoding="utf-8")
        return self._table("Source", "Source", ("name", "import_id", "state"), rows)

    def _form(self) -> CsvTable:
        """The version of the new graph's form, as ``schema/begin_form`` notes it."""
        rows = self._folder / "Schema.csv"
        rows.write_text(f"graph,{newest()}\n", encoding="utf-8")
        return self._table("Schema", "Schema", ("name", "version:long"), rows)

    def _written(
        self,
        label: str,
        name: str,
        header: Sequence[str],
        rows: KeyedRows,
        end: str,
        beside: Sequence[tuple[KeyedRows | None, str]] = (),
    ) -> CsvTable:
        path = self._folder / f"{name}.csv"
        rows.write(path, end, beside)
        return self._table(label, name, header, path)

    def _once_written(self, label: str, name: str, header: Sequence[str], rows: OnceRows) -> CsvTable:
        if rows.multiline:
            self._multiline.add(name)
        return self._table(label, name, header, *rows.write())

    def _table(self, label: str, name: str, header: Sequence[str], *rows: Path) -> CsvTable:
        path = self._folder / f"{name}-header.csv"
        path.write_text(",".join(header) + "\n", encoding="utf-8")
        names = (name, ENTITY_NAMES, ENTITY_DESCRIPTIONS) if name == "Entity" else (name,)
        return CsvTable(label, path, rows, not self._multiline.isdisjoint(names))

    def _add_triples(
        self, kind: str, rows: Sequence[TripleRow], ends: Mapping[str, str], entities: Set[str], *, surely_new: bool
    ) -> None:
        empty = self._values({}, self._kinds)
        middle = f',"{kind}",'
        lines = [
            (
                f"{ends[head]},{ends[tail]}{middle}{_quoted(assertion) if assertion else NO_TEXT}",
                self._values(properties, self._kinds) if properties else empty,
            )
            for head, tail, assertion, properties in rows
        ]
        by_labels: dict[tuple[str, str], list[tuple[str, str]]] = {("Concept", "Concept"): lines}
        if entities:
            by_labels = {}
            for (head, tail, _, _), line in zip(rows, lines, strict=True):
                labels = ("Entity" if head in entities else "Concept", "Entity" if tail in entities else "Concept")
                by_labels.setdefault(labels, []).append(line)
        for labels, triples in by_labels.items():
            table = self._triples.get(labels)
            if table is None:
                table = self._triples[labels] = self._once("-".join(labels), self._origin + "\n")
            table.put(triples, surely_new=surely_new)

    def _add_nodes(self, nodes: Mapping[str, Sequence[str]], ends: Mapping[str, str]) -> set[str]:
        """Adds the nodes that are not known; returns which are entities."""
        # An event is known by a name of its own, so that a concept that turns out to be one is written again.
        names = {key: EVENT_MARK + key if len(values) == EVENT else key for key, values in nodes.items()}
        known = self._known.find(names.values())
        entities = {key for key, values in nodes.items() if not values}
        new: dict[str, int] = {}
        first: list[tuple[str, str]] = []
        others: list[tuple[str, str]] = []
        for key, name in names.items():
            if name in known:
                continue
            new[key] = new[name] = 0
            if key in entities:
                self._put("Entity", ends[key], "")
                continue
            further = "," if name == key else ""  # a concept that is not an event has no further label
            row = "".join([f",{_quoted(value)}" for value in nodes[key]]) + further
            (first if self._first_time.note(hash(key)) else others).append((ends[key], row))
        self._known.add(new)
        if first or others:
            if self._concepts is None:
                self._concepts = self._once("Concept", "\n")
            self._concepts.put(first, surely_new=True)
            self._concepts.put(others, surely_new=False)
        return entities

    def _describe(self, key: str, name: str, term: str, properties: Properties) -> None:
        """Adds the name and the description of an entity; they are kept apart, because not every line has both."""
        if name:
            self._put(ENTITY_NAMES, key, f",{_quoted(name)},{_quoted(term)},{_quoted(self._mark.source)}")
        if properties:
            present = sorted(kind for kind, value in properties.items() if value is not None)
            by, kinds = ARRAY.join([self._mark.source] * len(present)), ARRAY.join(present)
            values = self._values(properties, self._described_kinds)
            self._put(ENTITY_DESCRIPTIONS, key, f"{values},{_quoted(by)},{_quoted(kinds)}")

    def _once(self, name: str, end: str) -> OnceRows:
        return self._open.enter_context(closing(OnceRows(self._folder, name, end)))

    def _put(self, label: str, key: str, row: str) -> None:
        rows = self._rows.get(label)
        if rows is None:
            rows = self._rows[label] = self._keyed()
        if "\n" in row or "\r" in row or "\n" in key or "\r" in key:
            self._multiline.add(label)
        rows.put(key, row)

    def _keyed(self) -> KeyedRows:
        return self._open.enter_context(closing(KeyedRows(self._folder)))

    def _values(self, properties: Properties, kinds: Mapping[str, set[type]]) -> str:
        columns = []
        for name, types in kinds.items():
            value = properties.get(name)
            if value is None:
                columns.append(",")
            else:
                types.add(type(value))
                columns.append("," + _column(value))
        return "".join(columns)

    def _type(self, name: str, kinds: set[type]) -> str:
        if len(kinds) > 1:
            type_names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise GraphError(
                f"the property {name!r} has values of several types ({type_names})",
                where=self._mark.source,
                remedy="load without --bulk",
            )
        return TYPES[next(iter(kinds))] if kinds else "string"


def _column(value: Scalar) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _quoted(text: str) -> str:
    """Quotes any text: an empty column without quotes would be a missing value, not an empty string."""
    return '"' + text.replace('"', '""') + '"' if '"' in text else f'"{text}"'


def _all_quoted(texts: Collection[str]) -> dict[str, str]:
    """Each text and how it is quoted; quickly if none has a quote, as is usual."""
    if any('"' in text for text in texts):
        return {text: _quoted(text) for text in texts}
    return {text: f'"{text}"' for text in texts}
