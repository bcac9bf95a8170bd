"""Wikidata's JSON dump: ranks, qualifiers, values that are not entities, names, subsets, and what is damaged."""

from __future__ import annotations

import bz2
import copy
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Entity, Record, Rejection, RelationLabel, Skip, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.plan import Plan
from tests.support import wikidata_sample as sample

NAME = "wikidata-json"


def records(tmp_path: Path, *entities: dict[str, Any], **options: Any) -> list[Record]:
    path = tmp_path / "dump.json"
    path.write_text(sample.dump(*entities), encoding="utf-8")
    return list(importers.get(NAME).records(path, **options))


def triples(found: list[Record]) -> set[tuple[str, str, str]]:
    return {
        (one.head.key.removeprefix("wikidata/"), one.relation, one.tail.key.removeprefix("wikidata/"))
        for one in found
        if isinstance(one, Triple)
    }


def skips(found: list[Record]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for one in found:
        if isinstance(one, Skip):
            counted[one.reason] += one.count
    del counted["bracket of the array"]
    return dict(counted)


def described(found: list[Record]) -> dict[str, Entity]:
    return {one.key.removeprefix("wikidata/"): one for one in found if isinstance(one, Entity)}


def test_the_best_statements_of_an_entity(tmp_path: Path) -> None:
    found = records(tmp_path, sample.ADAMS)
    assert triples(found) == {
        ("Q42", "P31", "Q5"),
        ("Q42", "P106", "Q36180"),
        ("Q42", "P69", "Q691283"),
        ("Q42", "P140", "Q7066"),
    }
    assert skips(found) == {
        "not of the best rank": 1,
        "deprecated rank": 1,
        "value is not an entity (time)": 1,
        "value is not an entity (quantity)": 1,
        "value is not an entity (monolingualtext)": 1,
        "value is not an entity (globecoordinate)": 1,
        "value is not an entity (string)": 2,
        "unknown value": 1,
        "no value": 1,
    }
    claims = sum(len(several) for several in sample.ADAMS["claims"].values())
    assert claims == len(triples(found)) + sum(skips(found).values())
    assert {one.line for one in found} == {1, 2, 3}


@pytest.mark.parametrize(
    ("ranks", "occupations"),
    [("best", {"Q36180"}), ("valid", {"Q36180", "Q28389"}), ("all", {"Q36180", "Q28389", "Q33999"})],
)
def test_ranks(tmp_path: Path, ranks: str, occupations: set[str]) -> None:
    found = records(tmp_path, sample.ADAMS, ranks=ranks, properties="P106")
    assert {tail for _, _, tail in triples(found)} == occupations
    marked = {one.tail.key[9:]: one.properties.get("rank") for one in found if isinstance(one, Triple)}
    expected = {"Q36180": "preferred", "Q28389": None, "Q33999": "deprecated"}
    assert marked == {tail: expected[tail] for tail in occupations}


def test_a_deprecated_statement_alone_is_not_the_best(tmp_path: Path) -> None:
    alone = sample.entity("Q1", claims={"P31": [sample.claim("Q1$1", sample.item("Q5"), "deprecated")]})
    assert triples(records(tmp_path, alone)) == set()
    assert skips(records(tmp_path, alone)) == {"deprecated rank": 1}


def test_a_preferred_unknown_value_leaves_no_statement(tmp_path: Path) -> None:
    claims = {"P26": [sample.claim("a", sample.UNKNOWN, "preferred"), sample.claim("b", sample.item("Q2"))]}
    found = records(tmp_path, sample.entity("Q1", claims=claims))
    assert triples(found) == set()
    assert skips(found) == {"unknown value": 1, "not of the best rank": 1}


def test_qualifiers(tmp_path: Path) -> None:
    found = records(tmp_path, sample.ADAMS, properties="P69", qualifiers="P580,P812")
    (triple,) = [one for one in found if isinstance(one, Triple)]
    assert triple.assertion == "Q42$69"
    assert json.loads(str(triple.properties["qualifiers"])) == {
        "P580": ["1971"],
        "P582": ["1974-05"],
        "P812": ["Q186579", "somevalue"],
        "P1545": ["1"],
    }
    assert {name: triple.properties[name] for name in ("P580", "P812")} == {
        "P580": "1971",
        "P812": "Q186579 | somevalue",
    }
    assert set(triple.properties) == {"qualifiers", "P580", "P812"}
    assert importers.get(NAME).carried({"qualifiers": "P580,P812"}) == ("rank", "qualifiers", "P580", "P812")


def test_a_qualifier_of_an_unknown_type_is_left_out_alone(tmp_path: Path) -> None:
    strange = sample.value("wikilambda-zobject", {"Z1K1": "Z6"})
    several = {"P580": [sample.time("+1971-00-00T00:00:00Z", 9), strange], "P1": [strange]}
    claims = {"P69": [sample.claim("a", sample.item("Q2"), **several)]}
    found = records(tmp_path, sample.entity("Q1", claims=claims))
    (triple,) = [one for one in found if isinstance(one, Triple)]
    assert triple.properties == {"qualifiers": '{"P580": ["1971"]}'}
    assert skips(found) == {"qualifier of another type": 2}
    assert not [one for one in found if isinstance(one, Rejection)]
    alone = sample.entity("Q1", claims={"P69": [sample.claim("a", sample.item("Q2"), P1=[strange])]})
    assert triples(records(tmp_path, alone)) == {("Q1", "P69", "Q2")}


def test_literals_become_properties_of_the_entity(tmp_path: Path) -> None:
    chosen = "P569,P2048,P345,P1559,P625,P106"
    found = records(tmp_path, sample.ADAMS, literals=chosen)
    said = described(found)["Q42"].properties
    assert {name: said[name] for name in ("P569", "P2048", "P345", "P1559", "P625")} == {
        "P569": "1952-03-11",
        "P2048": 1.96,
        "P345": "nm0010930",
        "P1559": "Douglas Adams",
        "P625": "51.5,-0.1",
    }
    assert "P106" not in said
    assert skips(found)["further value of an entity's property"] == 1
    assert ("Q42", "P106", "Q36180") in triples(found)


@pytest.mark.parametrize("ranks", ["best", "valid", "all"])
def test_literals_are_of_the_best_rank_whatever_triples_are_kept(tmp_path: Path, ranks: str) -> None:
    days = (("+1950-01-01T00:00:00Z", "deprecated"), ("+1951-01-01T00:00:00Z", "normal"))
    claims = {
        "P569": [sample.claim(rank, sample.time(day), rank) for day, rank in days],
        "P570": [sample.claim(rank, sample.time(day), rank) for day, rank in days[:1]],
        "P2048": [
            sample.claim("a", sample.quantity("+1")),
            sample.claim("b", sample.quantity("+2"), "preferred"),
            sample.claim("c", sample.quantity("+3"), "preferred"),
        ],
    }
    found = records(tmp_path, sample.entity("Q1", claims=claims), literals="P569,P570,P2048", ranks=ranks)
    assert described(found)["Q1"].properties == {"P569": "1951-01-01", "P2048": 2.0}
    assert skips(found) == {
        "deprecated rank": 2,
        "not of the best rank": 1,
        "further value of an entity's property": 1,
    }


@pytest.mark.parametrize(
    ("when", "precision", "expected"),
    [
        ("+1952-03-11T00:00:00Z", 11, "1952-03-11"),
        ("+1952-03-00T00:00:00Z", 10, "1952-03"),
        ("+1952-00-00T00:00:00Z", 9, "1952"),
        ("-0044-03-15T00:00:00Z", 11, "-0044-03-15"),
        ("+1900-00-00T00:00:00Z", 7, "+1900-00-00T00:00:00Z/7"),
    ],
)
def test_times(tmp_path: Path, when: str, precision: int, expected: str) -> None:
    one = sample.entity("Q1", claims={"P569": [sample.claim("a", sample.time(when, precision))]})
    assert described(records(tmp_path, one, literals="P569"))["Q1"].properties == {"P569": expected}


def test_names_in_the_first_language_that_is_there(tmp_path: Path) -> None:
    found = records(tmp_path, *sample.EVERY)
    assert {key: one.name for key, one in described(found).items()} == {
        "Q42": "Douglas Adams",
        "Q5": "human",
        "Q7066": "atheist",
        "Q60": "New York City",
        "P106": "occupation",
    }
    assert described(found)["Q42"].properties == {
        "description": "English writer",
        "sitelinks": 2,
        "wikipedia": "Douglas Adams",
    }
    assert described(found)["Q5"].properties == {"language": "mul"}
    assert [one for one in found if isinstance(one, RelationLabel)] == [RelationLabel("P106", "occupation", 7)]
    assert skips(found)["entity without names and statements"] == 2  # Q999, and Q36180 has no English name
    other = described(records(tmp_path, *sample.EVERY, language="de,fr"))
    assert (other["Q36180"].name, other["Q36180"].properties) == ("Schriftsteller", {})
    french = described(records(tmp_path, sample.WRITER, language="en,fr,de"))
    assert (french["Q36180"].name, french["Q36180"].properties) == ("\u00e9crivain", {"language": "fr"})


def test_languages_however_their_codes_are_written(tmp_path: Path) -> None:
    one = sample.entity("Q1", {"en-gb": {"language": "en-gb", "value": "colour"}, **sample.texts(fr="couleur")})
    for given in ("en-gb", "en-GB", "EN_gb", "de,EN-GB,fr"):
        assert described(records(tmp_path, one, language=given))["Q1"].name == "colour", given
    assert described(records(tmp_path, one, language="FR"))["Q1"].properties == {}  # it is the first language


def test_a_subset_around_a_statement(tmp_path: Path) -> None:
    found = records(tmp_path, *sample.EVERY, around="P31=Q5", properties="P31,P106")
    assert triples(found) == {("Q42", "P31", "Q5"), ("Q42", "P106", "Q36180")}
    assert skips(found)["statement of an entity without P31=Q5"] == 3
    assert set(described(found)) == {"Q42", "Q5", "Q7066", "Q60", "P106"}  # names of what may be a tail
    assert triples(records(tmp_path, *sample.EVERY, around="P31=Q5,P140=Q7066", properties="P31")) == {
        ("Q42", "P31", "Q5")
    }
    assert triples(records(tmp_path, *sample.EVERY, around="P31=Q5,P140=Q1")) == set()
    assert triples(records(tmp_path, *sample.EVERY, around="P106=Q28389")) == set()  # not of the best rank


@pytest.mark.parametrize(
    ("ranks", "around"),
    [
        ("best", {"Q36180"}),
        ("valid", {"Q36180", "Q28389"}),
        ("all", {"Q36180", "Q28389", "Q33999"}),
    ],
)
def test_a_subset_around_a_statement_of_the_chosen_ranks(tmp_path: Path, ranks: str, around: set[str]) -> None:
    for value in ("Q36180", "Q28389", "Q33999", "Q1"):
        found = records(tmp_path, sample.ADAMS, around=f"P106={value}", ranks=ranks, properties="P31")
        assert triples(found) == ({("Q42", "P31", "Q5")} if value in around else set()), value


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"properties": "instance of"}, "is not a property of Wikidata"),
        ({"around": "Q5"}, "is not a statement of Wikidata: write it as P31=Q5"),
        ({"around": "P31=human"}, "is not a statement of Wikidata"),
        ({"language": ""}, "is not a language code"),
        ({"language": "en,e n"}, "is not a language code"),
        ({"qualifiers": "Q1"}, "is not a property of Wikidata"),
        ({"literals": "birth"}, "is not a property of Wikidata"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadName, match=why):
        records(tmp_path, sample.ADAMS, **options)


def test_old_ids_without_their_letter(tmp_path: Path) -> None:
    snak = sample.value("wikibase-entityid", {"entity-type": "item", "numeric-id": 5})
    assert triples(records(tmp_path, sample.entity("Q1", claims={"P31": [sample.claim("a", snak)]}))) == {
        ("Q1", "P31", "Q5")
    }


def test_what_the_web_gives_for_one_entity(tmp_path: Path) -> None:
    path = tmp_path / "Q42.json"
    path.write_text(json.dumps({"entities": {"Q42": sample.ADAMS, "Q5": sample.HUMAN}}))
    found = list(importers.get(NAME).records(path))
    assert len(triples(found)) == 5
    for line, reason in (
        ('{"entity":"Q1","redirect":"Q2"}', "redirect"),
        ('{"id":"Q3","missing":""}', "missing entity"),
    ):
        path.write_text(line)
        assert list(importers.get(NAME).records(path)) == [Skip(1, reason)]


def broken(change: Any) -> dict[str, Any]:
    one = copy.deepcopy(sample.ADAMS)
    change(one)
    return one


DAMAGE: dict[str, Any] = {
    "no id": lambda one: one.pop("id"),
    "id of another form": lambda one: one.update(id="42"),
    "id that is a number": lambda one: one.update(id=42),
    "claims that are a text": lambda one: one.update(claims="x"),
    "claims of a property that are a text": lambda one: one["claims"].update(P31="x"),
    "a property of another form": lambda one: one["claims"].update(x=[]),
    "a statement that is a number": lambda one: one["claims"]["P31"].append(7),
    "no main value": lambda one: one["claims"]["P31"][0].pop("mainsnak"),
    "no value": lambda one: one["claims"]["P31"][0]["mainsnak"].pop("datavalue"),
    "a value that is a list": lambda one: one["claims"]["P31"][0]["mainsnak"].update(datavalue=[]),
    "an entity that is a text": lambda one: one["claims"]["P31"][0]["mainsnak"]["datavalue"].update(value="Q5"),
    "an entity of another form": lambda one: one["claims"]["P31"][0]["mainsnak"]["datavalue"]["value"].update(id="5"),
    "an unknown rank": lambda one: one["claims"]["P31"][0].update(rank="top"),
    "an id of a statement that is a number": lambda one: one["claims"]["P31"][0].update(id=7),
    "qualifiers that are a text": lambda one: one["claims"]["P69"][0].update(qualifiers="x"),
    "a qualifier that is a text": lambda one: one["claims"]["P69"][0]["qualifiers"].update(P580="x"),
    "a qualifier without a value": lambda one: one["claims"]["P69"][0]["qualifiers"]["P580"].append({}),
    "labels that are a text": lambda one: one.update(labels="x"),
    "a label that is a text": lambda one: one["labels"].update(en="x"),
    "a label that is a number": lambda one: one["labels"]["en"].update(value=7),
    "a label with half a surrogate pair": lambda one: one["labels"]["en"].update(value="\ud800"),
    "a label that is too long": lambda one: one["labels"]["en"].update(value="x" * 1_001),
    "sitelinks that are a number": lambda one: one.update(sitelinks=7),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_is_damaged_is_rejected_and_the_rest_stays(tmp_path: Path, what: str) -> None:
    path = tmp_path / "dump.json"
    path.write_text("[\n" + json.dumps(broken(DAMAGE[what])) + ",\n" + json.dumps(sample.CITY) + "\n]")
    found = list(importers.get(NAME).records(path))
    (rejection,) = [one for one in found if isinstance(one, Rejection)]
    assert rejection.line == 2
    assert rejection.reason
    assert ("Q60", "P31", "Q515") in triples(found)
    if not what.startswith(("no id", "id ", "claims that")):
        assert ("Q42", "P140", "Q7066") in triples(found)


@pytest.mark.parametrize("damaged", [{"time": "x"}, {"time": 7}, {}, {"time": "1952"}])
def test_a_damaged_time_that_is_wanted(tmp_path: Path, damaged: dict[str, Any]) -> None:
    one = sample.entity("Q1", sample.texts(en="x"), {"P569": [sample.claim("a", sample.value("time", damaged))]})
    found = records(tmp_path, one, literals="P569")
    assert described(found)["Q1"].name == "x"
    assert len([one for one in found if isinstance(one, Rejection)]) == 1


def test_a_line_longer_than_a_million_bytes(tmp_path: Path) -> None:
    long = copy.deepcopy(sample.ADAMS)
    long["claims"]["P50"] = [sample.claim(f"Q42${number}", sample.item(f"Q{number}")) for number in range(1, 9_000)]
    assert len(json.dumps(long)) > 1_000_000
    assert len(triples(records(tmp_path, long))) == 4 + 8_999


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_compressed_dump(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "dump"
    path.write_bytes(pack(sample.dump(*sample.EVERY).encode()))
    assert triples(list(importers.get(NAME).records(path))) == triples(records(tmp_path, *sample.EVERY))


ENTITIES = parse("entities", "MATCH (e:Entity) RETURN properties(e) AS p ORDER BY e.key")


def load(graph: Graph, tmp_path: Path, *entities: dict[str, Any], **options: Any) -> LoadReport:
    path = tmp_path / "load.json"
    path.write_text(sample.dump(*entities), encoding="utf-8")
    return pipeline.load(graph, Plan(importers.get(NAME), (path,), "wikidata", options=options))


def test_in_the_graph(graph: Graph, tmp_path: Path) -> None:
    options = {"around": "P31=Q5", "qualifiers": "P580", "literals": "P569,P2048"}
    report = load(graph, tmp_path, *sample.EVERY, **options)
    assert (report.read, report.records, report.named, report.rejected, report.in_graph) == (9, 4, 6, 0, 4)
    entities = {row["p"]["key"]: row["p"] for row in graph.rows(ENTITIES)}
    assert set(entities) == {f"wikidata/Q{number}" for number in (42, 5, 36180, 691283, 7066)}
    assert entities["wikidata/Q42"] == {
        "key": "wikidata/Q42",
        "name": "Douglas Adams",
        "term": "douglas adams",
        "named_by": ["wikidata"],
        "described_by": ["wikidata"] * 5,
        "described": ["P2048", "P569", "description", "sitelinks", "wikipedia"],
        "description": "English writer",
        "sitelinks": 2,
        "wikipedia": "Douglas Adams",
        "P569": "1952-03-11",
        "P2048": 1.96,
    }
    assert entities["wikidata/Q691283"] == {"key": "wikidata/Q691283"}  # the dump has no line of it
    (relation,) = graph.rows(
        parse("r", "MATCH (r:Relation {type: 'P106'}) RETURN r.name AS name, r.template AS phrase")
    )
    assert relation == {"name": "occupation", "phrase": "occupation"}
    (edge,) = graph.rows(parse("e", "MATCH ()-[r:P69]->() RETURN r.P580 AS start, r.assertion AS id"))
    assert edge == {"start": "1971", "id": "Q42$69"}
    whole = digest(graph)
    load(graph, tmp_path, *sample.EVERY, **options)
    assert digest(graph) == whole


@pytest.mark.parametrize(("limit", "read"), [(1, 2), (4, 2), (5, 3)])
def test_a_limit_takes_the_whole_line_that_reaches_it(tmp_path: Path, limit: int, read: int) -> None:
    path = tmp_path / "limited.json"
    path.write_text(sample.dump(*sample.EVERY), encoding="utf-8")
    report = pipeline.dry_run(Plan(importers.get(NAME), (path,), "wikidata", limit=limit))
    assert (report.records, report.read, report.named) == ((4, 2, 1), (5, 3, 2))[read - 2]


def test_the_order_of_the_entities_does_not_matter(graph: Graph, tmp_path: Path) -> None:
    contents = []
    for entities in (sample.EVERY, sample.EVERY[::-1]):
        load(graph, tmp_path, *entities)
        contents.append([row["p"] for row in graph.rows(ENTITIES)])
        graph.autocommit("schema/wipe")
    assert contents[0] == contents[1]


def test_a_newer_dump_takes_names_and_properties_back(graph: Graph, tmp_path: Path) -> None:
    load(graph, tmp_path, *sample.EVERY, literals="P569", qualifiers="P580")
    load(graph, tmp_path, sample.entity("Q42", [], sample.ADAMS["claims"]))
    entities = {row["p"]["key"]: row["p"] for row in graph.rows(ENTITIES)}
    assert entities["wikidata/Q42"] == {"key": "wikidata/Q42"}
    (relation,) = graph.rows(parse("r", "MATCH (r:Relation {type: 'P106'}) RETURN properties(r) AS r"))
    assert relation["r"] == {"type": "P106", "name": "P106", "template": "P106", "source": "wikidata"}
