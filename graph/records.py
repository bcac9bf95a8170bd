"""The records that importers yield and the writer writes into the graph.

All are slotted, and frozen to type checkers: whoever has one may share it. Records with the same key are the same node or
relationship.

They check themselves where they are made, whoever makes them: every text is Unicode without NUL and of bounded length, every
number is finite and fits into the 64 bits of the database. What cannot be stored raises ``BadRecord``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite

from harmgraph.common.digests import text_digest
from harmgraph.common.errors import BadName, BadRecord
from harmgraph.common.made_often import made_often

Scalar = str | int | float | bool | None
Properties = Mapping[str, Scalar]

RELATIONSHIP_TYPE = re.compile(r"[A-Z][A-Z0-9_]*")
"""What a relationship type looks like. Not each is the name of a relation: those of names in other scripts are none."""
MAX_KEY_LENGTH = 8000  # bytes; a range index of Neo4j allows keys of 8 kB
MAX_NAME = 1_000  # characters of a name; its normal form is short enough for an index with any letters
MAX_ASSERTION = 20_000  # characters of an id of ConceptNet, which repeats relation, head and tail
MAX_TEXT = 1_000_000  # characters of any other text
LARGEST = 1 << 63  # what integers of the database are below
NOT_FINITE = "is not a finite number"

_SPACES = re.compile(" +")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_TYPE = re.compile(r"[^A-Za-z0-9]+")
_NOT_LETTERS = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")  # of ASCII
_SEPARATORS = re.compile(r"[\s_/.-]+")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "AE", "Ö": "OE", "Ü": "UE", "ẞ": "SS"}
_UMLAUT = re.compile(r"[äöüßẞ]|[ÄÖÜ](?=([a-zäöüß])?)")


def check_text(text: str, what: str, longest: int = MAX_TEXT) -> None:
    """Checks that the graph can store a text.

    Args:
        what: what the text is, for the message.
        longest: the most characters that it may have.

    Raises:
        BadRecord: it is too long, or has a NUL or half of a surrogate pair.
    """
    if len(text) > longest:
        raise BadRecord(f"is longer than {longest:,} characters", what)
    if "\x00" in text:
        raise BadRecord("has a NUL character", what)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise BadRecord("has half a character (a lone surrogate)", what) from error


def check_key(key: str, what: str) -> None:
    """Checks that the graph can store a text that an index has: as ``check_text``, and it has at most ``MAX_KEY_LENGTH`` bytes.

    Raises:
        BadRecord: it cannot.
    """
    check_text(key, what)
    # A letter has at most four bytes, so short keys need not be encoded to know.
    if len(key) > MAX_KEY_LENGTH // 4 and len(key.encode()) > MAX_KEY_LENGTH:
        raise BadRecord(f"is longer than {MAX_KEY_LENGTH:,} bytes", what)


def _check_properties(properties: Properties) -> None:
    for name, value in properties.items():
        # Most are short texts of ASCII and floats; the questions are cheap, because reading asks them of every line.
        if type(value) is str:
            if not value.isascii() or "\x00" in value or len(value) > MAX_TEXT:
                check_text(value, name)
        elif type(value) is not float:
            _check_other(name, value)
        elif not isfinite(value):
            raise BadRecord(NOT_FINITE, name)


def _check_other(name: str, value: object) -> None:
    if isinstance(value, str):
        check_text(value, name)
    elif isinstance(value, float):
        if not isfinite(value):
            raise BadRecord(NOT_FINITE, name)
    elif isinstance(value, int):
        if not -LARGEST <= value < LARGEST:
            raise BadRecord("is an integer of more than 64 bits", name)
    elif value is not None:
        raise BadRecord(f"is neither a text nor a number ({type(value).__name__})", name)


def normalise(text: str) -> str:
    """The normal form of a term: NFC, lower case, ``_`` as a space, single spaces, no spaces at the ends.

    Only U+0020 counts as a space: other control characters and separators are part of the text.
    """
    if text.isascii():
        spaced = text.lower().replace("_", " ")  # ASCII is already NFC
    else:
        spaced = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower().replace("_", " "))
    # The test avoids the regular expression for most terms; it takes four times as long as the rest.
    return (_SPACES.sub(" ", spaced) if "  " in spaced else spaced).strip(" ")


@lru_cache(maxsize=20_000)
def relation_type(name: str) -> str:
    """The relationship type for the name of a relation, in UPPER_SNAKE.

    ``/r/IsA`` -> ``IS_A``, ``xWant`` -> ``X_WANT``, ``P106`` -> ``P106``,
    ``/people/person/profession`` -> ``PEOPLE_PERSON_PROFESSION``, ``können`` -> ``KOENNEN``.

    Other non-ASCII letters are transliterated. Since different names can then be equal (是 and 事 are both "shi", pêcher and
    pécher both "pecher"), a digest of the whole name is appended, as in ``SHI_0F4D2A``.

    Raises:
        BadName: the name contains nothing that can be used in a type, is too long, or cannot be stored.
    """
    try:
        check_text(name, "relation", MAX_NAME)
    except BadRecord as bad:
        raise BadName("relation", name, bad.why) from bad
    bare = name.removeprefix("/r/")
    type_name = _upper_snake(bare, _NOT_TYPE) if bare.isascii() else _transliterated(bare)
    if not type_name or not type_name[0].isalpha() or len(type_name) > 200:
        raise BadName("relation", name, "gives no relationship type of the form [A-Z][A-Z0-9_]*")
    return type_name


def same_relation(name: str, other: str) -> bool:
    """Whether two names of one type are spellings of the same relation: ``/r/IsA``, ``is a``, ``Is_A``; but not C++ and C#.

    Spellings may differ only in case, spaces, ``_``, ``-``, ``/`` and ``.``, and in ``ö`` for ``oe``.
    """
    return _spelled(name) == _spelled(other)


@lru_cache(maxsize=10_000)
def _spelled(name: str) -> str:
    return _SEPARATORS.sub("", _with_umlauts(name.removeprefix("/r/"))).casefold()


def _upper_snake(bare: str, separators: re.Pattern[str]) -> str:
    return "_".join(_CAMEL.sub("_", part) for part in separators.split(bare) if part).upper()


def _with_umlauts(text: str) -> str:
    """The text in NFC, with German umlauts written as ``ae``, ``oe``, ``ue`` and ``ss``."""
    composed = unicodedata.normalize("NFC", text)
    return _UMLAUT.sub(
        # A capital umlaut before a small letter becomes one capital: Öffnet is Oeffnet, ÖFFNET is OEFFNET.
        lambda match: _UMLAUTS[match[0]].capitalize() if match[1] else _UMLAUTS[match[0]],
        composed,
    )


def _transliterated(bare: str) -> str:
    text = "".join(letter if _stays(letter) else " " for letter in _with_umlauts(bare))
    if text.isascii():
        return _upper_snake(text, _NOT_TYPE)
    from anyascii import anyascii

    digest = text_digest(_upper_snake(text, _NOT_LETTERS), 3).upper()
    written = _upper_snake(anyascii(text), _NOT_TYPE)
    if not any(letter.isalpha() for letter in text):
        return ""  # only digits: no type, as with ASCII names
    return f"{written if written[:1].isalpha() else 'RELATION'}_{digest}"


def _stays(letter: str) -> bool:
    """Whether a character is a letter, a combining mark or a digit; other characters separate words, as in ASCII names."""
    return letter.isascii() or unicodedata.category(letter)[0] in "LMN"


@made_often
class Concept:
    """A term or phrase of a commonsense knowledge base. ``text`` is normalised (see ``normalise``).

    Attributes:
        event: whether it is an event, state or activity, such as ``personx get exercise``; its node is also ``:Event``.
    """

    text: str
    language: str = "en"
    event: bool = False
    key: str = field(init=False, repr=False, compare=False)
    """``en/lawyer``: language and normalised text. Kept, because reading asks for it several times a triple."""

    def __post_init__(self) -> None:
        key = f"{self.language}/{self.text}"
        check_key(key, "concept")
        object.__setattr__(self, "key", key)


@made_often
class Entity:
    """An item of Wikidata or Freebase: head or tail of a triple or, as a separate record, its description.

    A separate record creates no node: it is only used if the entity occurs in a triple of the same load, before or after it.

    Attributes:
        key: such as ``wikidata/Q42``.
        name: the name in the chosen language, empty if the file has none.
        properties: further values from the file, by the names that the importer declares; empty in a triple.
    """

    key: str
    name: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0

    def __post_init__(self) -> None:
        check_key(self.key, "key")
        if self.name:
            check_text(self.name, "name", MAX_NAME)
        if self.properties:
            _check_properties(self.properties)


@dataclass(frozen=True, slots=True)
class RelationLabel:
    """A readable label of a relation: ``P106`` is "occupation". Only used if the relation occurs in the same load."""

    relation: str
    label: str
    line: int = 0

    def __post_init__(self) -> None:
        relation_type(self.relation)
        check_text(self.label, "label", MAX_NAME)

    @property
    def type(self) -> str:
        """The relationship type (see ``relation_type``)."""
        return relation_type(self.relation)


@made_often
class Triple:
    """One assertion: head, relation, tail.

    Attributes:
        relation: the name of the relation in the file, such as ``/r/IsA``.
        assertion: the id of the assertion in the source, empty if the file has none.
        properties: further values from the file, by the names that the importer declares.
        line: line number in the file, from 1; 0 if it comes from no file.
    """

    head: Concept | Entity
    relation: str
    tail: Concept | Entity
    assertion: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0

    def __post_init__(self) -> None:
        relation_type(self.relation)  # checks the name too; it remembers names, so this costs little
        assertion, properties = self.assertion, self.properties
        if assertion and not (assertion.isascii() and len(assertion) <= MAX_ASSERTION and "\x00" not in assertion):
            check_text(assertion, "id of the assertion", MAX_ASSERTION)
        if properties:
            _check_properties(properties)

    @property
    def type(self) -> str:
        """The relationship type (see ``relation_type``)."""
        return relation_type(self.relation)


@dataclass(frozen=True, slots=True)
class Implication:
    """What an annotator says that a post implies about a group (Sap et al. 2020, section 2).

    Attributes:
        group: the group as in the file, such as ``black folks``.
        category: the kind of group, such as ``race``.
        text: the implied statement as in the file; empty if only the group was named.
        annotator: who says so, as in the file; empty if the file does not say.
    """

    group: str
    category: str
    text: str = ""
    annotator: str = ""

    def __post_init__(self) -> None:
        for name, what in ((self.group, "group"), (self.category, "category"), (self.annotator, "annotator")):
            check_text(name, what, MAX_NAME)
        check_text(self.text, "implied statement")

    @property
    def assertion(self) -> str:
        """Digest of annotator, group and text: the id of the implication within its post."""
        parts = "\x1f".join((self.annotator, self.group, self.text))
        return text_digest(parts)


@made_often
class Statement:
    """A free sentence.

    Attributes:
        text: the sentence as in the file.
        term: the annotated topic, normalised; empty if the file has none.
        properties: further values from the file, by the names that the importer declares.
        implies: of a post with a social bias frame: what it implies, which may be nothing; its node is also ``:Post``. None
            for other sentences.
        place: where in its line it stands, if a line can have several equal sentences.
    """

    text: str
    term: str = ""
    properties: Properties = field(default_factory=dict)
    line: int = 0
    implies: tuple[Implication, ...] | None = None
    place: str = ""

    def __post_init__(self) -> None:
        check_text(self.text, "text")
        if self.term:
            check_key(self.term, "term")
        if self.place:
            check_text(self.place, "place")
        if self.properties:
            _check_properties(self.properties)

    def key(self, source: str, assertion: str = "") -> str:
        """Digest of source, annotated term and text, of the line's id if duplicates are kept, and of the place if any."""
        parts = "\x1f".join((source, self.term, self.text, assertion, *((self.place,) if self.place else ())))
        return text_digest(parts)


@dataclass(frozen=True, slots=True)
class Target:
    """A group that can be harmed.

    Attributes:
        name: the normalised name, which is the key.
        category: origin, gender, religion, profession, or one defined by the user.
        title: the name as written in the list.
        aliases: further normalised names of the same group.
        language: language of the names; they are searched in concepts and sentences of this language.
        parts: normalised names of the groups that it combines: black and woman of ``black woman``; empty for other targets.
    """

    name: str
    category: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    line: int = 0
    language: str = "en"
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in (self.name, self.title, *self.aliases, *self.parts):
            check_text(name, "name", MAX_NAME)
        check_text(self.category, "category", MAX_NAME)
        check_text(self.language, "language", MAX_NAME)

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


@made_often
class Skip:
    """A line, or a part of one, that is left out on purpose, such as one in another language; counted by reason.

    Attributes:
        line: its number; of several lines that of the last one.
        count: number of lines, or of parts of the line, that are left out.
        lines: number of lines.
    """

    line: int
    reason: str
    count: int = 1
    lines: int = 1


Record = Triple | Statement | Target | Entity | RelationLabel | Rejection | Skip


@dataclass(frozen=True, slots=True)
class Import:
    """The marks on everything that one import writes.

    Attributes:
        import_id: digest of the import's files and options; marks all that the import contains.
        since: number of the import within its source (see ``graph.contents.sources.generation``); marks what it added.
    """

    source: str
    import_id: str
    since: int = 1
