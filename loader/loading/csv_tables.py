"""Writes records as CSV tables for Neo4j's offline importer, each node and each triple once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

from harmgraph.graph.common.errors import GraphError
from harmgraph.graph.common.spill import Spill
from harmgraph.graph.form.steps import newest
from harmgraph.graph.records import Import, Properties, Scalar
from harmgraph.graph.writing.batches import BATCH, CONCEPT, Batch, ImplicationRow, TripleRow
from harmgraph.graph.writing.bulk_import import Table
from harmgraph.loader.loading.keyed_rows import KeyedRows

RECENT = 50_000  # keys of recent nodes, which are not written again
TYPES: dict[type, str] = {str: "string", float: "double", int: "long", bool: "boolean"}
ORIGIN = ("source", "import_id", "since:long")
NAMED = ("name", "term", "named_by:string[]")
DESCRIBED = ("described_by:string[]", "described:string[]")
POST = "Post"
ENTITY_NAMES, ENTITY_DESCRIPTIONS = "entity-names", "entity-descriptions"
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
        self._rows: dict[str, KeyedRows] = {}
        self._triples: dict[tuple[str, str], KeyedRows] = {}
        self._multiline: set[str] = set()
        self._recent: set[str] = set()
        self._open = ExitStack()
        remedy = "make room, or set HARMGRAPH_HOME to another folder"
        self._implications: Spill[list[ImplicationRow]] = Spill(list, folder=folder, remedy=remedy)
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
        ends = {key: self._add_node(key, values) for key, values in batch.nodes.items()}
        for triples in (batch.first, batch.others):
            for kind, rows in triples.items():
                self._add_triples(kind, rows, ends)
        for label, sentences in (("Statement", batch.statements), (POST, batch.posts)):
            for key, text, term, properties in sentences:
                values = self._values(properties, self._kinds)
                self._put(label, f'"{key}"', f",{_quoted(text)},{_quoted(term)}{values}")
        self._add_implications(batch.implications)
        for key, name, term, properties in batch.entities:
            self._describe(_quoted(key), name, term, properties)

    def tables(self) -> Iterator[Table]:
        """Writes the files, one after the other.

        Raises:
            GraphError: a property has values of several types, which a column cannot have.
        """
        marks = (self._mark.source, self._mark.import_id, self._mark.since)
        origin = "".join(f",{_quoted(str(value))}" for value in marks)
        typed = [f"{name}:{self._type(name, kinds)}" for name, kinds in self._kinds.items()]
        described = [f"{name}:{self._type(name, kinds)}" for name, kinds in self._described_kinds.items()]
        headers = {
            "Concept": ("key:ID(Concept)", "text", "language", ":LABEL"),
            "Entity": ("key:ID(Entity)", *NAMED, *described, *DESCRIBED),
            "Statement": ("key:ID(Statement)", "text", "term", *typed, *ORIGIN),
            POST: ("key:ID(Statement)", "text", "term", *typed, *ORIGIN),
        }
        for label in sorted(self._rows):
            if label not in headers:
                continue
            end = (origin if label in ("Statement", POST) else "") + "\n"
            names = self._rows.get(ENTITY_NAMES), "," * len(NAMED)
            descriptions = self._rows.get(ENTITY_DESCRIPTIONS), "," * (len(described) + len(DESCRIBED))
            beside = [names, descriptions] if label == "Entity" else []
            labels = f"Statement:{POST}" if label == POST else label
            yield self._written(labels, label, headers[label], self._rows[label], end, beside)
        for ends in sorted(self._triples):
            header = (f":START_ID({ends[0]})", f":END_ID({ends[1]})", ":TYPE", "assertion", *typed, *ORIGIN)
            yield self._written("", "-".join(ends), header, self._triples[ends], origin + "\n")
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

    def _begun(self) -> Table:
        """The source node in the state ``loading``, so that an import that is killed is recognised as incomplete."""
        rows = self._folder / "Source.csv"
        rows.write_text(f'{_quoted(self._mark.source)},"{self._mark.import_id}","loading"\n', encoding="utf-8")
        return self._table("Source", "Source", ("name", "import_id", "state"), rows)

    def _form(self) -> Table:
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
    ) -> Table:
        path = self._folder / f"{name}.csv"
        rows.write(path, end, beside)
        return self._table(label, name, header, path)

    def _table(self, label: str, name: str, header: Sequence[str], rows: Path) -> Table:
        path = self._folder / f"{name}-header.csv"
        path.write_text(",".join(header) + "\n", encoding="utf-8")
        names = (name, ENTITY_NAMES, ENTITY_DESCRIPTIONS) if name == "Entity" else (name,)
        return Table(label, path, rows, not self._multiline.isdisjoint(names))

    def _add_triples(self, kind: str, rows: Sequence[TripleRow], ends: Mapping[str, tuple[str, str]]) -> None:
        for head_key, tail_key, assertion, properties in rows:
            head, head_label = ends[head_key]
            tail, tail_label = ends[tail_key]
            labels = head_label, tail_label
            table = self._triples.get(labels)
            if table is None:
                table = self._triples[labels] = self._keyed()
            key = f'{head},{tail},"{kind}",{_quoted(assertion)}'
            values = self._values(properties or {}, self._kinds)
            if "\n" in values or "\r" in values or "\n" in key or "\r" in key:
                self._multiline.add("-".join(labels))
            table.put(key, values)

    def _add_node(self, key: str, values: Sequence[str]) -> tuple[str, str]:
        """Adds the node unless it was added recently; returns its quoted key and its label."""
        quoted, label = _quoted(key), "Concept" if values else "Entity"
        if quoted not in self._recent:
            further = "," if len(values) == CONCEPT else ""  # a concept that is no event has no further label
            self._put(label, quoted, "".join(f",{_quoted(value)}" for value in values) + further)
            self._remember(quoted)
        return quoted, label

    def _describe(self, key: str, name: str, term: str, properties: Properties) -> None:
        """Adds the name and the description of an entity; they are kept apart, because not every line has both."""
        if name:
            self._put(ENTITY_NAMES, key, f",{_quoted(name)},{_quoted(term)},{_quoted(self._mark.source)}")
        if properties:
            present = sorted(kind for kind, value in properties.items() if value is not None)
            by, kinds = ARRAY.join([self._mark.source] * len(present)), ARRAY.join(present)
            values = self._values(properties, self._described_kinds)
            self._put(ENTITY_DESCRIPTIONS, key, f"{values},{_quoted(by)},{_quoted(kinds)}")

    def _remember(self, key: str) -> None:
        if len(self._recent) >= RECENT:
            self._recent.clear()
        self._recent.add(key)

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
