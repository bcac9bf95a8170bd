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

from harmgraph.graph.common.errors import BadName

Scalar = str | int | float | bool | None
Properties = Mapping[str, Scalar]

MAX_KEY_LENGTH = 8000  # bytes; a range index of Neo4j takes 8 kB of key

_SPACES = re.compile(" +")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_TYPE = re.compile(r"[^A-Za-z0-9]+")
_NOT_LETTERS = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")  # of ASCII
_SEPARATORS = re.compile(r"[\s_/.-]+")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "AE", "Ö": "OE", "Ü": "UE", "ẞ": "SS"}
_UMLAUT = re.compile(r"[äöüßẞ]|[ÄÖÜ](?=([a-zäöüß])?)")


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
    ``/people/person/profession`` -> ``PEOPLE_PERSON_PROFESSION``, ``können`` -> ``KOENNEN``.

    Other letters beyond ASCII are transliterated, which loses what tells names apart (是 and 事 are both "shi", pêcher and
    pécher both "pecher"): a digest of the whole name follows, as in ``SHI_0F4D2A``.

    Raises:
        BadName: nothing is left of it that may stand in a type.
    """
    bare = name.removeprefix("/r/")
    type_name = _upper_snake(bare, _NOT_TYPE) if bare.isascii() else _transliterated(bare)
    if not type_name or not type_name[0].isalpha() or len(type_name) > 200:
        raise BadName("relation", name, "gives no relationship type of the form [A-Z][A-Z0-9_]*")
    return type_name


def same_relation(one: str, other: str) -> bool:
    """Whether two names of one type are spellings of one relation: ``/r/IsA``, ``is a``, ``Is_A``; but not C++ and C#.

    What they differ in is case, spaces, ``_``, ``-``, ``/`` and ``.`` alone, and ``ö`` for ``oe``.
    """
    return _spelled(one) == _spelled(other)


@lru_cache(maxsize=10_000)
def _spelled(name: str) -> str:
    return _SEPARATORS.sub("", _with_umlauts(name.removeprefix("/r/"))).casefold()


def _upper_snake(bare: str, separators: re.Pattern[str]) -> str:
    return "_".join(_CAMEL.sub("_", part) for part in separators.split(bare) if part).upper()


def _with_umlauts(text: str) -> str:
    """NFC, with umlauts as German writes them where it has none."""
    composed = unicodedata.normalize("NFC", text)
    return _UMLAUT.sub(
        # The first of a word in small letters gives one capital: Öffnet is Oeffnet, ÖFFNET is OEFFNET.
        lambda match: _UMLAUTS[match[0]].capitalize() if match[1] else _UMLAUTS[match[0]],
        composed,
    )


def _transliterated(bare: str) -> str:
    text = "".join(letter if _stays(letter) else " " for letter in _with_umlauts(bare))
    if text.isascii():
        return _upper_snake(text, _NOT_TYPE)
    from anyascii import anyascii

    digest = hashlib.blake2b(_upper_snake(text, _NOT_LETTERS).encode(), digest_size=3).hexdigest().upper()
    written = _upper_snake(anyascii(text), _NOT_TYPE)
    if not any(letter.isalpha() for letter in text):
        return ""  # digits alone, as in ASCII
    return f"{written if written[:1].isalpha() else 'RELATION'}_{digest}"


def _stays(letter: str) -> bool:
    """Whether it is a letter, a mark on one, or a digit; other signs part words, as they do in ASCII."""
    return letter.isascii() or unicodedata.category(letter)[0] in "LMN"


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
        language: of the names; concepts and sentences of this language are looked at for them.
    """

    name: str
    category: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    line: int = 0
    language: str = "en"

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


@dataclass(frozen=True, slots=True)
class Import:
    """What marks everything that one import writes.

    Attributes:
        import_id: what the import saw; digest of its files and options.
        since: what it brought first; number of the import within its source (see ``graph.contents.sources.generation``).
    """

    source: str
    import_id: str
    since: int = 1
