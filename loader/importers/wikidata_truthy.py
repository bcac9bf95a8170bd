"""Wikidata's truthy dump: the best statements without qualifiers, as N-Triples."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Entity, Record, RelationLabel, Triple
from harmgraph.loader.corrections.quickstatements import QuickStatements
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.screen import Screen
from harmgraph.loader.wikidata.ids import (
    chosen_languages,
    chosen_properties,
    entity,
    rank_of,
    text,
    wikidata_property,
)

ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
UNKNOWN = ("_:", "<http://www.wikidata.org/.well-known/genid/")
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
DESCRIPTION = "http://schema.org/description"
NO_STATEMENT, NO_ENTITY = "neither a direct statement nor a label", "value is not an entity"
OTHER_PROPERTY, OTHER_LANGUAGE = "another property", "name in another language"
_START = re.compile(r"(<[^<>\s]*>|_:\S+)[ \t]+<([^<>\s]*)>[ \t]+(?=\S)")
# None of these leaves a line: the screen looks for them in many at once.
ADDRESS, QUOTED, LANGUAGE_TAG = r"<[^<>\s]*>", r'[^"\\\n]*(?:\\.[^"\\\n]*)*', r"[A-Za-z]+(?:-[A-Za-z0-9]+)*"
LITERAL = rf'"{QUOTED}"(?:@[A-Za-z0-9-]+|\^\^{ADDRESS})?'
_LITERAL = re.compile(LITERAL)
_IN_LANGUAGE = re.compile(rf'"({QUOTED})"@({LANGUAGE_TAG})')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_LETTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


class WikidataTruthy(Importer):
    """Statements ``prop/direct``, labels and descriptions; an entity gets the label in the first language of the list."""

    name = "wikidata-truthy"
    about = About(
        title="Wikidata's truthy statements as N-Triples",
        home="https://www.wikidata.org/wiki/Wikidata:Database_download",
        licence="CC0-1.0",
        citation="Vrandecic and Kroetzsch 2014, Wikidata: A Free Collaborative Knowledgebase",
        version="that of the dump",
        kind="entities",
    )
    gives = "triples"
    divisible = False
    options = (
        Option("properties", "", "properties to keep, such as P31,P21; all by default"),
        Option(
            "language", "en", "languages of names, the preferred one first, such as en,de; mul is always added last"
        ),
    )
    corrections = QuickStatements()
    example = f"<{ENTITY}Q42> <{DIRECT}P31> <{ENTITY}Q5> ."

    def described(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """See ``Importer.described``."""
        return ("description",)

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``.

        Raises:
            BadName: an option is not a list of properties or languages.
        """
        properties = frozenset(chosen_properties("properties", options["properties"]))
        better = _better(chosen_languages(options["language"]))

        def parse(line: str, line_number: int) -> Record:
            if line.startswith("#"):
                raise LeftOut("comment")
            line = line.strip(" \t")
            start = _START.match(line)
            value = line[start.end() : -1].rstrip(" \t") if start else ""
            if not start or not value or not line.endswith("."):
                raise BadLine("no N-Triples line: <subject> <predicate> object .")
            subject, predicate = start.groups()
            if value[0] == '"' and not _LITERAL.fullmatch(value):
                raise BadLine("the quotes of the value do not match")
            if predicate.startswith(DIRECT):
                return _statement(subject, predicate.removeprefix(DIRECT), value, properties, line_number)
            if predicate in (LABEL, DESCRIPTION):
                return _named(subject, predicate, value, better, line_number)
            raise LeftOut(NO_STATEMENT)

        return parse

    def screen(self, options: Mapping[str, Any]) -> Screen | None:
        """See ``Importer.screen``: names in other languages and other kinds of names are most of the dump."""
        properties = chosen_properties("properties", options["properties"])
        languages = "|".join(map(re.escape, chosen_languages(options["language"])))
        item, direct, unknown = map(re.escape, (f"<{ENTITY}", DIRECT, UNKNOWN[1]))
        names = f"(?:{re.escape(LABEL)}|{re.escape(DESCRIPTION)})"
        number = "[1-9][0-9]{0,14}"
        subject, end = rf"{item}[QP]{number}> <", r" \.\n"
        lines = {
            OTHER_LANGUAGE: rf'{names}> "{QUOTED}"@(?!(?i:{languages}) ){LANGUAGE_TAG}',
            NO_STATEMENT: rf"(?!{direct}|{names}>)[^<>\s]*> (?:{LITERAL}|{ADDRESS})",
        }
        if properties:
            lines[OTHER_PROPERTY] = rf"{direct}(?!(?:{'|'.join(properties)})>)P{number}> (?:{LITERAL}|{ADDRESS})"
        else:
            lines[NO_ENTITY] = rf"{direct}P{number}> (?:{LITERAL}|(?!{unknown}|{item}){ADDRESS})"
        return Screen({reason: subject + line + end for reason, line in lines.items()})


def _statement(subject: str, name: str, value: str, properties: frozenset[str], line_number: int) -> Record:
    wikidata_property(name)
    head = entity(_id(subject))
    if properties and name not in properties:
        raise LeftOut(OTHER_PROPERTY)
    if value.startswith(UNKNOWN):
        raise LeftOut("unknown value")
    if not value.startswith(f"<{ENTITY}"):
        if value[0] not in '"<':
            raise BadLine("the value is neither an address nor a text")
        raise LeftOut(NO_ENTITY)
    return Triple(head, name, entity(_id(value)), line=line_number)


def _named(
    subject: str, predicate: str, value: str, better: Callable[[str, str, str], bool], line_number: int
) -> Record:
    if not subject.startswith(f"<{ENTITY}"):
        raise LeftOut(NO_STATEMENT)
    named_entity = entity(_id(subject))
    match = _IN_LANGUAGE.fullmatch(value)
    if not match:
        raise BadLine("a label without a language")
    if not better(named_entity.key, predicate, match[2].lower()):
        raise LeftOut(OTHER_LANGUAGE)
    name = text(_unescaped(match[1]), "name").strip(" ")
    if not name:
        raise BadLine("the name is empty")
    if predicate == DESCRIPTION:
        return Entity(named_entity.key, "", {"description": name}, line_number)
    identifier = _id(subject)
    if identifier.startswith("P"):
        return RelationLabel(wikidata_property(identifier), name, line_number)
    return Entity(named_entity.key, name, line=line_number)


def _better(languages: tuple[str, ...]) -> Callable[[str, str, str], bool]:
    """A function that tells whether a name is in a better language than all names of the same entity before it.

    The lines of an entity are together in the dump, and the last name that is written is kept.
    """
    about = ""
    best: dict[str, int] = {}

    def better(key: str, predicate: str, language: str) -> bool:
        nonlocal about
        rank = rank_of(language, languages)
        if rank == len(languages):  # it changes nothing, so that lines that are not looked at change nothing either
            return False
        if key != about:
            about = key
            best.clear()
        if rank >= best.get(predicate, len(languages)):
            return False
        best[predicate] = rank
        return True

    return better


def _id(address: str) -> str:
    if not address.startswith(f"<{ENTITY}"):
        raise BadLine(f"{address[:60]!r} is not an entity of Wikidata")
    return address[len(ENTITY) + 1 : -1]


def _unescaped(written: str) -> str:
    return _ESCAPE.sub(_letter, written) if "\\" in written else written


def _letter(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    if code:
        number = int(code, 16)
        if number > 0x10FFFF:
            raise BadLine("an escape that is not a character")
        return chr(number)
    if escape[3] not in _LETTERS:
        raise BadLine("an escape that N-Triples does not know")
    return _LETTERS[escape[3]]


IMPORTER = WikidataTruthy()
