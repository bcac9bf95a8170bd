"""ConceptNet 5.7: the assertions dump, five tab separated columns, the last one JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Concept, Record, Scalar, Skip, Triple
from harmgraph.loader.corrections.blocklist import Blocklist
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.screen import Screen
from harmgraph.loader.formats.terms import LANGUAGE_CODE, chosen_language, concept, is_language, number, relation

EXTERNAL = ("ExternalURL", "dbpedia")
COLUMNS = 5
WEB = ("http://", "https://")
REST = r"[^\t\n]*\t"  # of a column
TOLD = 60  # characters that tell what a relation or an end is; so what is remembered of a line stays short
KEPT = (("dataset", "dataset"), ("license", "licence"), ("surfaceText", "surface_text"))


class ConceptNet(Importer):
    """``/a/[…] TAB /r/Relation TAB /c/en/head[/pos[/sense]] TAB /c/en/tail TAB {"weight": …}``."""

    name = "conceptnet"
    about = About(
        title="ConceptNet assertions dump",
        home="https://github.com/commonsense/conceptnet5/wiki/Downloads",
        licence="CC-BY-SA-4.0",
        citation="Speer, Chin and Havasi 2017, ConceptNet 5.5",
        version="5.7.0",
        kind="common sense",
    )
    gives = "triples"
    properties = ("weight", "dataset", "licence", "surface_text", "head_sense", "tail_sense")
    options = (
        Option("language", "en", "language of both ends; all for every language"),
        Option("include_external", False, "also read ExternalURL and dbpedia relations"),
    )
    corrections = Blocklist()
    example = (
        "/a/[/r/IsA/,/c/en/lawyer/,/c/en/professional/]\t/r/IsA\t/c/en/lawyer\t/c/en/professional\t"
        '{"dataset": "/d/conceptnet/4/en", "license": "cc:by/4.0", "weight": 1.0}'
    )

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        language = chosen_language(options)
        prefix = "" if language == "all" else f"/c/{language}/"
        elsewhere = _elsewhere(language)
        external: bool = options["include_external"]

        def parse(line: str, line_number: int) -> Record:
            columns = line.split("\t")
            if len(columns) != COLUMNS:
                raise BadLine(f"{len(columns)} columns where {COLUMNS} are expected")
            assertion, relation_uri, head_uri, tail_uri, details = columns
            name = _external(relation_uri[:TOLD])
            if name and not external:
                return Skip(line_number, f"relation {name}")
            if prefix and not (head_uri.startswith(prefix) and tail_uri.startswith(prefix)):
                # Nine lines in ten of the dump end here, so this comes before everything that takes longer.
                languages = _language(head_uri, "head"), _language(tail_uri, "tail")
                if any(other not in ("", language) for other in languages):
                    return Skip(line_number, elsewhere)
            if not assertion.startswith("/a/"):
                raise BadLine("the first column is not an assertion id /a/...")
            head, head_sense = _concept(head_uri, "head")
            tail, tail_sense = _concept(tail_uri, "tail")
            properties = _details(details)
            if head_sense:
                properties["head_sense"] = head_sense
            if tail_sense:
                properties["tail_sense"] = tail_sense
            return Triple(head, relation(relation_uri), tail, assertion, properties, line_number)

        return parse

    def screen(self, options: Mapping[str, Any]) -> Screen | None:
        """See ``Importer.screen``: nine lines in ten of the dump are about other languages than the one that is read."""
        language = chosen_language(options)
        if language == "all":
            return None
        other, leads_out = rf"/c/(?!{language}/){LANGUAGE_CODE}/{REST}", rf"(?!(?:{'|'.join(EXTERNAL)})[/\t])"
        ends = rf"(?:{other}/c/{LANGUAGE_CODE}/{REST}|/c/{language}/{REST}{other})"
        return Screen({_elsewhere(language): rf"{REST}/r/{leads_out}{REST}{ends}[^\n]*\n"}, tabs=COLUMNS - 1)


def _elsewhere(language: str) -> str:
    return f"another language than {language}"


@lru_cache(maxsize=10_000)
def _external(relation_uri: str) -> str:
    """The name of a relation that leads out of ConceptNet; empty for any other. The first ``TOLD`` characters tell."""
    if not relation_uri.startswith("/r/"):
        raise BadLine(f"the relation {relation_uri!r} does not start with /r/")
    name = relation_uri[3:].split("/", 1)[0]
    return name if name in EXTERNAL else ""


def _language(uri: str, role: str) -> str:
    """The language of ``/c/en/text``; empty for a web address."""
    language = _beginning(uri[: uri.find("/", 3, TOLD) + 1])
    if language or uri.startswith(WEB):
        return language
    raise BadLine(f"the {role} {uri[:TOLD]!r} is not of the form /c/language/text")


@lru_cache(maxsize=1_000)
def _beginning(uri: str) -> str:
    """The language of ``/c/en/``; empty where it is none."""
    language = uri[3:-1]
    return language if uri.startswith("/c/") and is_language(language) else ""


def _concept(uri: str, role: str) -> tuple[Concept, str]:
    """The concept of ``/c/en/text/pos/sense``, and what follows the text; a web address is not changed."""
    language = _language(uri, role)
    if not language:
        return Concept(uri, "url"), ""
    text, _, sense = uri[len(language) + 4 :].partition("/")
    return concept(text, language, role), sense.strip("/")


def _details(text: str) -> dict[str, Scalar]:
    details = json_value(text, "the last column is not JSON")
    if not isinstance(details, dict):
        raise BadLine("the last column is not a JSON object")
    properties: dict[str, Scalar] = {}
    if "weight" in details:
        weight = details["weight"]
        if type(weight) is not float or not isfinite(weight):
            if isinstance(weight, bool) or not isinstance(weight, int | float | str):
                raise BadLine("the weight is not a number")
            weight = number(str(weight))
        properties["weight"] = weight
    for key, name in KEPT:
        value = details.get(key)
        if value is None:
            continue
        if not isinstance(value, str):
            raise BadLine(f"{key} is not a text")
        properties[name] = value
    return properties


IMPORTER = ConceptNet()
