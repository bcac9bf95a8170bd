"""Wikidata's JSON dump: one entity per line, with ranks, qualifiers, names in all languages and links to the wikis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Record
from harmgraph.loader.corrections.quickstatements import QuickStatements
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.wikidata.ids import chosen_languages, chosen_properties, chosen_statements
from harmgraph.loader.wikidata.statements import ChosenStatements, EntityReader
from harmgraph.loader.wikidata.values import QUALIFIERS

KEPT_RANKS = ("best", "valid", "all")
LONGEST = 64_000_000  # bytes; the longest entities have some millions
BRACKETS = ("[", "]", "],")
NO_ENTITY = "no JSON object: one entity a line is expected"


class WikidataJson(Importer):
    """The dump's array with one entity per line, or the output of Special:EntityData.

    Triples are statements whose value is an entity. Entities get a name, a description and the number of wikis. Statements
    with other values are left out and counted, except those of ``--literals``.
    """

    name = "wikidata-json"
    about = About(
        title="Wikidata's JSON dump, or a subset of it",
        home="https://www.wikidata.org/wiki/Wikidata:Database_download",
        licence="CC0-1.0",
        citation="Vrandecic and Kroetzsch 2014, Wikidata: A Free Collaborative Knowledgebase",
        version="that of the dump",
        kind="entities",
    )
    gives = "triples"
    properties = ("rank", "qualifiers")
    longest_line = LONGEST
    options = (
        Option("properties", "", "properties to keep, such as P31,P21; all by default"),
        Option("around", "", "keep only entities with this statement, such as P31=Q5; of several, with all of them"),
        Option(
            "language", "en", "languages of names, the preferred one first, such as en,de; mul is always added last"
        ),
        Option(
            "ranks",
            "best",
            "statements to keep: best (preferred, or normal if none is), valid (not deprecated) or all",
            choices=KEPT_RANKS,
        ),
        QUALIFIERS,
        Option(
            "literals",
            "",
            "properties such as P569,P570 whose best values become properties of the entity, unless they are entities",
        ),
    )
    corrections = QuickStatements()
    example = (
        '{"type":"item","id":"Q42","labels":{"en":{"language":"en","value":"Douglas Adams"}},"claims":{"P31":[{"mainsnak":'
        '{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":5,"id":"Q5"},'
        '"type":"wikibase-entityid"}},"type":"statement","id":"Q42$1","rank":"normal"}]}},'
    )

    def carried(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """See ``Importer.carried``."""
        return (*self.properties, *chosen_properties("qualifiers", options["qualifiers"]))

    def described(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """See ``Importer.described``."""
        literals = chosen_properties("literals", options["literals"])
        return ("language", "description", "sitelinks", "wikipedia", *literals)

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; a line gives the triples of an entity, its name and facts, and what was left out.

        Raises:
            BadName: an option is not a list of properties, statements or languages.
        """
        chosen = ChosenStatements(
            frozenset(chosen_properties("properties", options["properties"])),
            chosen_statements("around", options["around"]),
            chosen_languages(options["language"]),
            options["ranks"],
            chosen_properties("qualifiers", options["qualifiers"]),
            chosen_properties("literals", options["literals"]),
        )

        def parse(line: str, line_number: int) -> list[Record]:
            body = line.strip(" \t")
            if body in BRACKETS:
                raise LeftOut("bracket of the array")
            parsed = json_value(body.removesuffix(","), NO_ENTITY)
            reader = EntityReader(chosen, lines.name, line_number)
            return [record for entity in _entities(parsed) for record in reader.records(entity)]

        return parse


def _entities(parsed: object) -> list[Mapping[str, Any]]:
    if isinstance(parsed, dict) and "id" not in parsed and isinstance(parsed.get("entities"), dict):
        entities = list(parsed["entities"].values())
        if entities and all(isinstance(entity, dict) for entity in entities):
            return entities
    if not isinstance(parsed, dict):
        raise BadLine(NO_ENTITY)
    if "redirect" in parsed:
        raise LeftOut("redirect")
    if "missing" in parsed:
        raise LeftOut("missing entity")
    return [parsed]


IMPORTER = WikidataJson()
