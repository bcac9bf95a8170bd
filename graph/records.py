"""The records that flow from a file to the graph: what an importer yields and the writer takes.

All are frozen and slotted. A record knows its key; two records of one key are one node or one relationship.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from graph.errors import BadName

Scalar = str | int | float | bool | None
Properties = Mapping[str, Scalar]

MAX_KEY_LENGTH = 8000  # bytes; a range index of Neo4j takes 8 kB of key

_SPACES = re.compile(" +")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_TYPE = re.compile(r"[^A-Za-z0-9]+")


def normalise(text: str) -> str:
    """The identity of a term: NFC, lower case, ``_`` as a space, single spaces, none at the ends.

    Only U+0020 counts as a space: other control characters and separators are part of what the file says.
    """
    if text.isascii():
        spaced = text.lower().replace("_", " ")  # NFC leaves it as it is
    else:
        spaced = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower().replace("_", " "))
    # The test spares most terms the expression, which takes four times as long as all the rest.
    return (_SPACES.sub(" ", spaced) if "  " in spaced else spaced).strip(" ")


@lru_cache(maxsize=10_000)
def relation_type(name: str) -> str:
    """The relationship type of a relation's own name, in UPPER_SNAKE.

    ``/r/IsA`` -> ``IS_A``, ``xWant`` -> ``X_WANT``, ``P106`` -> ``P106``,
    ``/people/person/profession`` -> ``PEOPLE_PERSON_PROFESSION``.

    Raises:
        BadName: nothing is left of it that may stand in a type.
    """
    bare = name.removeprefix("/r/")
    parts = [part for part in _NOT_TYPE.split(bare) if part]
    made = "_".join(_CAMEL.sub("_", part) for part in parts).upper()
    if not made or not made[0].isalpha() or len(made) > 200:
        raise BadName("relation", name, "gives no relationship type of the form [A-Z][A-Z0-9_]*")
    return made


@dataclass(frozen=True, slots=True)
class Concept:
    """A term or phrase of a commonsense knowledge base. ``text`` is normalised (see ``normalise``)."""

    text: str
    language: str = "en"

    @property
    def key(self) -> str:
        """``en/lawyer``: language and normalised text."""
        return f"{self.language}/{self.text}"


@dataclass(frozen=True, slots=True)
class Entity:
    """An item of Wikidata or Freebase: the end of a triple, or as a record of its own what a file says of it.

    As a record it makes no node: it is kept where the entity stands in a triple of the same load, before or after it.

    Attributes:
        key: as ``wikidata/Q42``.
        name: in the chosen language, empty where the file has none.
        properties: what else the file says of it, by the names that the importer declares; none on the end of a triple.
    """

    key: str
    name: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0


@dataclass(frozen=True, slots=True)
class RelationLabel:
    """What people call a relation: ``P106`` is "occupation". Kept where the relation occurs in the same load."""

    relation: str
    label: str
    line: int = 0

    @property
    def type(self) -> str:
        """The relationship type (see ``relation_type``)."""
        return relation_type(self.relation)


@dataclass(frozen=True, slots=True)
class Triple:
    """One assertion: head, relation, tail.

    Attributes:
        relation: the relation's own name in the file, such as ``/r/IsA``.
        assertion: the source's own id of the assertion, empty where the file has none.
        properties: what else the file says of it, by the names that the importer declares.
        line: where it stands in its file, from 1; 0 where it comes from no file.
    """

    head: Concept | Entity
    relation: str
    tail: Concept | Entity
    assertion: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0

    @property
    def type(self) -> str:
        """The relationship type (see ``relation_type``)."""
        return relation_type(self.relation)


@dataclass(frozen=True, slots=True)
class Statement:
    """A free sentence.

    Attributes:
        text: the sentence as the file has it.
        term: the annotated topic, normalised; empty where the file annotates none.
        properties: what else the file says of it, by the names that the importer declares.
    """

    text: str
    term: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0

    def key(self, source: str, assertion: str = "") -> str:
        """Digest of source, annotated term and text, and of the line's id where duplicates are kept."""
        parts = "\x1f".join((source, self.term, self.text, assertion))
        return hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Target:
    """A group that can be harmed.

    Attributes:
        name: normalised, the key.
        category: origin, gender, religion, profession, or one of the user's.
        title: the name as its list writes it.
        aliases: normalised further names that mean the same group.
    """

    name: str
    category: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    line: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its aliases, each once."""
        return tuple(dict.fromkeys((self.name, *self.aliases)))


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line that cannot be read. ``text`` is its beginning, at most 200 characters."""

    file: str
    line: int
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Skip:
    """A line, or a part of one, that is left out on purpose, such as another language; counted by its reason.

    Attributes:
        count: how many parts of the line.
    """

    line: int
    reason: str
    count: int = 1


Record = Triple | Statement | Target | Entity | RelationLabel | Rejection | Skip
