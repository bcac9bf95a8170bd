"""Wikidata's truthy N-Triples: direct statements, names in several languages, what is left out and what is damaged."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Record, Rejection, RelationLabel, Skip, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.reading import of_line, of_lines, reason
from tests.support.screens import found_by_screen, mutations

NAME = "wikidata-truthy"
LABEL, DESCRIPTION = "<http://www.w3.org/2000/01/rdf-schema#label>", "<http://schema.org/description>"
SAMPLE = """\
<https://www.wikidata.org/wiki/Special:EntityData/Q42> <http://schema.org/about> <http://www.wikidata.org/entity/Q42> .
<http://www.wikidata.org/entity/Q42> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://wikiba.se/ontology#Item> .
<http://www.wikidata.org/entity/Q42> <http://www.w3.org/2000/01/rdf-schema#label> "Douglas Adams (de)"@de .
<http://www.wikidata.org/entity/Q42> <http://www.w3.org/2004/02/skos/core#prefLabel> "Douglas Adams"@en .
<http://www.wikidata.org/entity/Q42> <http://www.w3.org/2000/01/rdf-schema#label> "Douglas Adams"@en .
<http://www.wikidata.org/entity/Q42> <http://schema.org/description> "English writer"@en .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q5> .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P1082> "7"^^<http://www.w3.org/2001/XMLSchema#decimal> .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct-normalized/P214> <http://viaf.org/viaf/113230702> .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P18> <http://commons.wikimedia.org/wiki/x.jpg> .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P26> _:genid1 .
<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P22> <http://www.wikidata.org/.well-known/genid/1> .
<http://www.wikidata.org/entity/P31> <http://www.w3.org/2000/01/rdf-schema#label> "instance of"@en .
<http://www.wikidata.org/entity/Q5> <http://www.w3.org/2000/01/rdf-schema#label> "human"@mul .
"""


def line(identifier: str, predicate: str, value: str) -> str:
    return f"<http://www.wikidata.org/entity/{identifier}> {predicate} {value} ."


def read(tmp_path: Path, text: str, **options: Any) -> list[Record]:
    path = tmp_path / "truthy.nt"
    path.write_text(text, encoding="utf-8")
    return list(importers.get(NAME).records(path, **options))


def test_every_kind_of_line(tmp_path: Path) -> None:
    found = read(tmp_path, SAMPLE)
    assert [one for one in found if not isinstance(one, Skip)] == [
        Entity("wikidata/Q42", "Douglas Adams", line=5),
        Entity("wikidata/Q42", "", {"description": "English writer"}, 6),
        Triple(Entity("wikidata/Q42"), "P31", Entity("wikidata/Q5"), line=7),
        RelationLabel("P31", "instance of", 13),
        Entity("wikidata/Q5", "human", line=14),
    ]
    assert [reason(one) for one in found if isinstance(one, Skip)] == [
        "neither a direct statement nor a label",
        "neither a direct statement nor a label",
        "name in another language",
        "neither a direct statement nor a label",
        "value is not an entity",
        "neither a direct statement nor a label",
        "value is not an entity",
        "unknown value",
        "unknown value",
    ]


@pytest.mark.parametrize("languages", ["en,de", "de,en"])
@pytest.mark.parametrize("lines", [("de", "en"), ("en", "de"), ("fr", "de", "en", "de")])
def test_the_best_language_wins_in_any_order(tmp_path: Path, languages: str, lines: tuple[str, ...]) -> None:
    text = "".join(line("Q1", LABEL, f'"{code}"@{code}') + "\n" for code in lines)
    found = [one for one in read(tmp_path, text, language=languages) if isinstance(one, Entity)]
    assert found[-1].name == languages.split(",", maxsplit=1)[0]
    other = read(tmp_path, text + line("Q2", LABEL, '"zwei"@de') + "\n", language=languages)
    assert other[-1] == Entity("wikidata/Q2", "zwei", line=len(lines) + 1)


def test_languages_however_their_codes_are_written(tmp_path: Path) -> None:
    found = of_line(NAME, tmp_path, line("Q1", LABEL, '"colour"@en-gb'), language="EN_GB")
    assert found == Entity("wikidata/Q1", "colour", line=1)


def test_escapes(tmp_path: Path) -> None:
    found = of_line(NAME, tmp_path, line("Q1", LABEL, r'"caf\u00E9 \"x\" \\ \U0001F600"@en'))
    assert found == Entity("wikidata/Q1", 'caf\u00e9 "x" \\ \U0001f600', line=1)


def test_properties(tmp_path: Path) -> None:
    kept, left = of_lines(
        NAME,
        tmp_path,
        line("Q1", "<http://www.wikidata.org/prop/direct/P31>", "<http://www.wikidata.org/entity/Q5>"),
        line("Q1", "<http://www.wikidata.org/prop/direct/P21>", "<http://www.wikidata.org/entity/Q5>"),
        properties="P31",
    )
    assert isinstance(kept, Triple)
    assert reason(left) == "another property"
    with pytest.raises(BadName):
        of_line(NAME, tmp_path, SAMPLE.split("\n", maxsplit=1)[0], properties="31")
    with pytest.raises(BadName):
        of_line(NAME, tmp_path, SAMPLE.split("\n", maxsplit=1)[0], language="")


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        ("Q42 P31 Q5", "no N-Triples line"),
        ("<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P31>", "no N-Triples line"),
        ("<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P31> <x>", "no N-Triples line"),
        (
            line("Q42", "<http://www.wikidata.org/prop/direct/31>", "<http://www.wikidata.org/entity/Q5>"),
            "not a property",
        ),
        (line("42", "<http://www.wikidata.org/prop/direct/P31>", "<http://www.wikidata.org/entity/Q5>"), "not an id"),
        (line("Q42", "<http://www.wikidata.org/prop/direct/P31>", "<http://www.wikidata.org/entity/x>"), "not an id"),
        (line("Q42", "<http://www.wikidata.org/prop/direct/P31>", "Q5"), "neither an address nor a text"),
        (line("Q42", LABEL, '"torn@en'), "the quotes of the value do not match"),
        (line("Q42", LABEL, '"no language"'), "a label without a language"),
        (line("Q42", LABEL, r'"\ud800"@en'), "the name has half a character (a lone surrogate)"),
        (line("Q42", LABEL, r'"\UFFFFFFFF"@en'), "an escape that is not a character"),
        (line("Q42", LABEL, r'"\q"@en'), "an escape that N-Triples does not know"),
        (line("Q42", LABEL, '" "@en'), "the name is empty"),
        (line("Q42", LABEL, f'"{"x" * 1_001}"@en'), "the name is longer than 1,000 characters"),
    ],
    ids=range(14),
)
def test_what_cannot_be_read(tmp_path: Path, damaged: str, why: str) -> None:
    found = of_line(NAME, tmp_path, damaged)
    assert isinstance(found, Rejection)
    assert why in found.reason


def test_in_the_graph(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "latest-truthy.nt.gz"
    path.write_bytes(gzip.compress(SAMPLE.encode()))
    report = pipeline.load(graph, Plan(importers.get(NAME), (path,), "truthy"))
    assert (report.read, report.records, report.named, report.in_graph) == (14, 1, 4, 1)
    (row,) = graph.rows(
        parse(
            "row",
            "MATCH (h)-[r:P31]->(t) MATCH (k:Relation {type: type(r)}) "
            "RETURN h.name AS h, h.description AS what, k.name AS r, t.name AS t",
        )
    )
    assert row == {"h": "Douglas Adams", "what": "English writer", "r": "instance of", "t": "human"}


PIECES = (
    "\\\\",
    '"',
    "@en",
    "@EN",
    "@de",
    "@mul",
    "-",
    ".",
    " ",
    "  ",
    "<",
    ">",
    "P31",
    "Q",
    "/",
    "\r",
    "\t",
    "\x85",
    "#",
    "0",
    "\\",
)
MUCH = (
    line("Q42", LABEL, '"Douglas \\"Adams\\""@fr'),
    line("Q42", DESCRIPTION, '"writer"@de-at'),
    line("Q7", LABEL, '"x"@EN'),
    line("Q7", "<http://www.w3.org/2004/02/skos/core#altLabel>", '"x"@en'),
    line("P31", LABEL, '"instance of"@nl'),
    line("Q42", "<http://www.wikidata.org/prop/direct/P569>", '"1952"^^<http://www.w3.org/2001/XMLSchema#gYear>'),
    line("Q42", "<http://wwwXwikidata.org/prop/direct/P569>", '"1952"'),
)


@pytest.mark.parametrize("options", [{}, {"language": "de-AT,fr"}, {"properties": "P31,P5"}, {"properties": "P569"}])
def test_no_mutation_passes_the_screen_that_the_parser_would_not_leave_out(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    made = mutations([*SAMPLE.splitlines(), *MUCH], PIECES, 8_000)
    assert found_by_screen(NAME, tmp_path, made, **options) > 100
