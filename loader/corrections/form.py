"""What a form of corrections is: it writes a finding as its maintainers take it, and reads the same lines for ``load --exclude``.

Every importer names its form in ``Importer.corrections``. A form knows neither the graph nor files.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from harmgraph.common.clean_text import one_line
from harmgraph.common.digests import facts_digest
from harmgraph.graph.records import Record, Statement, Triple

Key = tuple[str, ...]
"""What a line leaves out: one of ``ID``, ``URI``, ``TRIPLE`` and ``ROW``, and its values."""

ID = "id"
"""The source's own id of a triple."""
URI = "uri"
"""An address of ConceptNet that begins an end of a triple, its relation or its data set."""
TRIPLE = "triple"
"""Key of the head, relationship type, key of the tail."""
ROW = "row"
"""File, line (empty where it does not matter), and the parts of ``StatementPlace``."""

Texts = Callable[[], Iterable[str]]
"""Gives the lines of the files to load, from the beginning each time that it is called."""


class NotHandedBack(Exception):
    """Raised by a form for a finding that it cannot express; findings are counted by ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Finding:
    """A labelled statement of the graph.

    Attributes:
        said: the statement in words: head, relation and tail, or the sentence.
        head, tail: keys of the ends of a triple; empty for a sentence.
        type: relationship type of a triple.
        relation: the relation's own name, such as ``/r/IsA``.
        assertion: the source's own id of a triple; empty if it has none.
        key: key of a sentence; empty for a triple.
        rank: rank of a statement of Wikidata; empty if it is normal or unknown.
        sentence: the text that was scored; empty if nothing was.
        label, score, by: what was said of it, and by which scorer and version.
        link: address of the statement in Neo4j Browser.
    """

    said: str
    head: str = ""
    type: str = ""
    tail: str = ""
    relation: str = ""
    assertion: str = ""
    key: str = ""
    rank: str = ""
    sentence: str = ""
    measure: str = ""
    label: str = ""
    score: float | None = None
    by: str = ""
    link: str = ""

    @property
    def id(self) -> str:
        """16 hexadecimal digits of what it says and by which measure: the same in the next release, and in every store.

        Of a triple they are of its ends and its type, of a sentence of its text. Which targets it is about is no part, as target
        lists change. Two triples that differ only in the source's own id have one id.
        """
        content = [self.head, self.type, self.tail] if self.head else [self.said]
        return facts_digest({"measure": self.measure, "statement": content}, 8)

    def row(self) -> dict[str, Any]:
        """As a row of ``findings list``."""
        names = ("measure", "label", "score", "by", "head", "type", "tail", "assertion", "sentence")
        return {"finding": self.id, "statement": self.said, **{name: getattr(self, name) for name in names}}

    def remarks(self) -> list[str]:
        """What a maintainer should know of it, in lines without control characters."""
        lines = [self.said]
        if self.sentence and self.sentence != self.said:
            lines.append(f"scored: {self.sentence}")
        if self.label:
            score = "" if self.score is None else f" {self.score:.4g}"
            lines.append(f"{self.measure} {self.label}{score} by {self.by or 'unknown'}")
        lines.append(f"finding: {self.id}")
        if self.rank:
            lines.append(f"rank: {self.rank}")
        if self.link:
            lines.append(self.link)
        return [one_line(line) for line in lines]


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """Where a statement stands in a file of its source.

    Attributes:
        file: name of the file.
        line: from 1; the number of the row in a file that has no lines.
        row: the line itself; empty in such a file.
        head, type, tail, id: the statement: keys of its ends, its type and its own id; of a sentence its term, an empty type, the
            sentence, and its place in the line if it has one.
    """

    file: str
    line: int
    head: str
    type: str
    tail: str
    id: str
    row: str = ""


def parts(record: Triple | Statement) -> tuple[str, str, str, str]:
    """What ``StatementPlace`` has of a record: head, type, tail, id."""
    if isinstance(record, Triple):
        return record.head.key, record.type, record.tail.key, record.assertion
    return record.term, "", record.text, record.place


class Corrections(ABC):
    """A form of corrections.

    Attributes:
        name: the form's name, in reports.
        taken: how the maintainers take it, in one sentence.
        needs_places: whether its lines name places in the files of the source, which are then read again.
    """

    name: ClassVar[str]
    taken: ClassVar[str]
    needs_places: ClassVar[bool] = False

    @abstractmethod
    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """A finding as lines of this form.

        Args:
            places: all places in which it stands; empty unless ``needs_places``.

        Raises:
            NotHandedBack: it cannot be expressed in this form.
        """

    @abstractmethod
    def keys(self, line: str) -> tuple[Key, ...]:
        """What a line leaves out of a load; empty if it is not a line of this form."""

    def ignored(self, line: str) -> bool:
        """Whether a line says nothing: it is empty, or a comment."""
        return not line.strip() or line.lstrip().startswith("#")

    def opening(self, remarks: Iterable[str]) -> list[str]:
        """The lines with which a file of this form begins."""
        return [f"# {one_line(remark)}" for remark in remarks]

    def remarked(self, lines: Sequence[str], remarks: Sequence[str]) -> list[str]:
        """The lines of a finding with the remarks on it, which come before them and after an empty line."""
        return ["", *(f"# {remark}" for remark in remarks), *lines]

    def further(self, keys: Mapping[Key, tuple[int, ...]], texts: Texts) -> Mapping[Key, tuple[int, ...]]:
        """What lines leave out that follows only from the files to load; by default nothing.

        Args:
            keys: what the lines leave out, with the numbers of the lines that say so.
        """
        return {}


def keys_of(record: Record, kinds: frozenset[str], file: str, *, apart: bool) -> Iterable[Key]:
    """The keys by which a record can be left out; none for what is not a statement.

    Args:
        kinds: the kinds of keys that are asked for.
        apart: whether equal lines are kept apart, so that the number of a line matters.
    """
    if not isinstance(record, Triple | Statement):
        return
    if ROW in kinds:
        yield ROW, file, str(record.line) if apart else "", *parts(record)
    if not isinstance(record, Triple):
        return
    if ID in kinds and record.assertion:
        yield ID, record.assertion
    if TRIPLE in kinds:
        yield TRIPLE, record.head.key, record.type, record.tail.key
    if URI in kinds:
        yield from ((URI, uri) for uri in _uris(record))


def _uris(triple: Triple) -> Iterable[str]:
    """The addresses of ConceptNet in a triple, and what each begins with, from two parts on, as ConceptNet's own build does."""
    relation = triple.relation if triple.relation.startswith("/") else f"/r/{triple.relation}"
    ends = [_uri(triple.head.key, triple.properties.get("head_sense"))]
    ends.append(_uri(triple.tail.key, triple.properties.get("tail_sense")))
    for uri in (*ends, relation, str(triple.properties.get("dataset") or "")):
        if not uri.startswith("/"):
            yield uri  # a web address is taken as a whole
            continue
        pieces = uri.strip("/").split("/")
        for count in range(2, len(pieces) + 1):
            yield "/" + "/".join(pieces[:count])


def _uri(key: str, sense: object) -> str:
    language, _, text = key.partition("/")
    if language == "url":
        return text
    return f"/c/{language}/{text.replace(' ', '_')}" + (f"/{sense}" if sense else "")
