"""ConceptNet 5.7: the assertions dump, five tab separated columns, the last one JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graph.records import Concept, Record, Scalar, Triple
from loader.importer import About, BadLine, Importer, LeftOut, Option, Parser
from loader.lines import Lines
from loader.terms import concept, number, relation

EXTERNAL = ("/r/ExternalURL", "/r/dbpedia")
COLUMNS = 5


class ConceptNet(Importer):
    """``/a/[…] TAB /r/Relation TAB /c/en/head[/pos[/sense]] TAB /c/en/tail TAB {"weight": …}``."""

    name = "conceptnet"
    about = About(
        title="ConceptNet assertions dump",
        home="https://github.com/commonsense/conceptnet5/wiki/Downloads",
        licence="CC-BY-SA-4.0",
        citation="Speer, Chin and Havasi 2017, ConceptNet 5.5",
        version="5.7.0",
    )
    gives = "triples"
    properties = ("weight", "dataset", "licence", "surface_text", "head_sense", "tail_sense")
    options = (
        Option("language", "en", "language of both ends; all for every language"),
        Option("include_external", False, "also ExternalURL and dbpedia relations"),
    )
    example = (
        "/a/[/r/IsA/,/c/en/lawyer/,/c/en/professional/]\t/r/IsA\t/c/en/lawyer\t/c/en/professional\t"
        '{"dataset": "/d/conceptnet/4/en", "license": "cc:by/4.0", "weight": 1.0}'
    )

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        language: str = options["language"]
        external: bool = options["include_external"]

        def parse(line: str, number_: int) -> Record:
            columns = line.split("\t")
            if len(columns) != COLUMNS:
                raise BadLine(f"{len(columns)} columns where {COLUMNS} are expected")
            assertion, relation_uri, head_uri, tail_uri, details = columns
            if not external and relation_uri.startswith(EXTERNAL):
                raise LeftOut(f"relation {relation_uri.removeprefix('/r/').split('/')[0]}")
            if not assertion.startswith("/a/") or len(assertion.encode("utf-8", "surrogatepass")) > _MAX_ASSERTION:
                raise BadLine("the first column is no assertion id /a/…")
            if not relation_uri.startswith("/r/"):
                raise BadLine(f"the relation {relation_uri[:60]!r} does not start with /r/")
            head, head_sense = _concept(head_uri, "head")
            tail, tail_sense = _concept(tail_uri, "tail")
            if language != "all" and not head.language == tail.language == language:
                raise LeftOut(f"another language than {language}")
            properties = _details(details)
            if head_sense:
                properties["head_sense"] = head_sense
            if tail_sense:
                properties["tail_sense"] = tail_sense
            return Triple(head, relation(relation_uri), tail, assertion, properties, number_)

        return parse


_MAX_ASSERTION = 16_000


def _concept(uri: str, role: str) -> tuple[Concept, str]:
    """The concept of ``/c/en/text/pos/sense`` and what follows the text; a bare address is a concept of no language."""
    if uri.startswith(("http://", "https://")):
        return concept(uri, "url", role), ""
    parts = uri.split("/", 4)
    if len(parts) < 4 or parts[0] or parts[1] != "c" or not parts[2]:  # noqa: PLR2004
        raise BadLine(f"the {role} {uri[:60]!r} is not of the form /c/language/text")
    return concept(parts[3], parts[2], role), parts[4].strip("/") if len(parts) > 4 else ""  # noqa: PLR2004


def _details(text: str) -> dict[str, Scalar]:
    try:
        details = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"the last column is no JSON ({str(error)[:60]})") from error
    if not isinstance(details, dict):
        raise BadLine("the last column is no JSON object")
    found: dict[str, Scalar] = {}
    if "weight" in details:
        weight = details["weight"]
        if isinstance(weight, bool) or not isinstance(weight, int | float | str):
            raise BadLine("the weight is no number")
        found["weight"] = number(str(weight))
    for key, name in (("dataset", "dataset"), ("license", "licence"), ("surfaceText", "surface_text")):
        value = details.get(key)
        if value is None:
            continue
        if not isinstance(value, str):
            raise BadLine(f"{key} is no text")
        found[name] = value
    return found


IMPORTER = ConceptNet()
