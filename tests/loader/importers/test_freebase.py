"""Subsets of Freebase: orders of the columns, forms of the ids, names, parts of a benchmark."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Rejection, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.plan import Plan
from tests.support.reading import of_line, of_lines, outcomes, reason

NAME = "freebase"
HEAD, RELATION, TAIL = "/m/027rn", "/location/country/form_of_government", "/m/06cx9"
PARTS = ("train.txt.gz", "valid.txt.gz", "test.txt.gz")


def parts(found: object) -> tuple[str, str, str]:
    assert isinstance(found, Triple), reason(found)  # type: ignore[arg-type]
    return found.head.key, found.relation, found.tail.key


EXPECTED = ("freebase/m.027rn", RELATION, "freebase/m.06cx9")


@pytest.mark.parametrize("order", ["hrt", "htr", "rht"])
def test_the_order_of_the_columns_is_seen(tmp_path: Path, order: str) -> None:
    cells = {"h": HEAD, "r": RELATION, "t": TAIL}
    line = "\t".join(cells[letter] for letter in order)
    torn = "torn line"
    assert parts(of_lines(NAME, tmp_path, torn, line)[1]) == EXPECTED
    assert parts(of_line(NAME, tmp_path, line, order=order)) == EXPECTED


@pytest.mark.parametrize("order", ["rth", "thr", "trh"])
def test_an_order_that_cannot_be_seen_is_an_option(tmp_path: Path, order: str) -> None:
    cells = {"h": HEAD, "r": RELATION, "t": TAIL}
    line = "\t".join(cells[letter] for letter in order)
    assert parts(of_line(NAME, tmp_path, line, order=order)) == EXPECTED
    with pytest.raises(BadName, match="is not one of auto, hrt"):
        of_line(NAME, tmp_path, line, order="xyz")


@pytest.mark.parametrize(
    "line",
    [
        "m.027rn\tlocation.country.form_of_government\tm.06cx9",
        "/m/027rn /location/country/form_of_government /m/06cx9",
        "<http://rdf.freebase.com/ns/m.027rn>\t<http://rdf.freebase.com/ns/location.country.form_of_government>\t"
        "<http://rdf.freebase.com/ns/m.06cx9>",
    ],
)
def test_other_forms_of_the_same_ids(tmp_path: Path, line: str) -> None:
    found = of_line(NAME, tmp_path, line)
    head, _, tail = parts(found)
    assert isinstance(found, Triple)
    assert (head, found.type, tail) == (EXPECTED[0], "LOCATION_COUNTRY_FORM_OF_GOVERNMENT", EXPECTED[2])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/m/027rn\t/a/b", "2 columns where 3 are expected"),
        ("/m/027rn\t/a/b\t/m/1\t/m/2", "4 columns where 3 are expected"),
        ("\t/a/b\t/m/1", "is not an id of Freebase"),
        ("/m/0 1\t/a/b\t/m/1", "is not an id of Freebase"),
        ("/m/1\t\t/m/2", "gives no relationship type"),
        ("/m/1\t/names\t/m/2", "which is reserved"),
        ("/m/1\t/m/3\t/m/2", "is the order of the columns different?"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    found = of_lines(NAME, tmp_path, "/m/1\t/a/b\t/m/2", line)[1]
    assert isinstance(found, Rejection)
    assert why in found.reason


def test_numbers_in_the_place_of_ids_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "train2id.txt"
    path.write_text("3\n0 1 2\n4\t5\t6\n")
    with pytest.raises(UnreadableFile, match=r"has numbers instead of ids; .*such as /m/027rn"):
        outcomes(NAME, path)


@pytest.mark.parametrize("line", ["Q60684\tP106\tQ4964182", "Q1 P2 Q3", "Q1,P2,Q3", "Q1,P2,Q3,P4,Q5"])
def test_triples_of_wikidata_are_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "valid.txt"
    path.write_text(f"{line}\n" * 3)
    with pytest.raises(UnreadableFile, match=r"valid\.txt: has triples of Wikidata's ids; .* codex, or wd50k"):
        outcomes(NAME, path)
    path.write_text(f"{HEAD}\t{RELATION}\t{TAIL}\n{line}\n")  # one among others does not tell what the file is
    assert len(outcomes(NAME, path)) == 2


@pytest.mark.parametrize("part", ["train", "valid", "test"])
def test_codex_is_not_loaded_as_freebase(data: Path, part: str) -> None:
    with pytest.raises(UnreadableFile, match="has triples of Wikidata's ids"):
        outcomes(NAME, data / "codex-m" / f"{part}.txt")


@pytest.mark.parametrize(
    ("name", "split"),
    [("train.txt", "train"), ("fb_valid.tsv", "valid"), ("dev.txt", "valid"), ("test", "test"), ("latest.txt", "")],
)
def test_the_part_is_told_by_the_name_of_the_file(tmp_path: Path, name: str, split: str) -> None:
    path = tmp_path / name
    path.write_text(f"{HEAD}\t{RELATION}\t{TAIL}\n")
    (found,) = outcomes(NAME, path)
    assert isinstance(found, Triple)
    assert (found.properties, found.assertion) == ({"split": split} if split else {}, split)
    (told,) = outcomes(NAME, path, split="test")
    assert isinstance(told, Triple)
    assert told.properties == {"split": "test"}
    (untold,) = outcomes(NAME, path, split="none")
    assert isinstance(untold, Triple)
    assert untold.properties == {}


def names(tmp_path: Path, *lines: str) -> list[object]:
    path = tmp_path / "mid2name.tsv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return list(outcomes(NAME, path, names=str(path)))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Gary_Rydstrom", "Gary Rydstrom"),
        ("Actor-GB", "Actor"),
        ("Waffen-SS", "Waffen-SS"),
        ("Jean-Luc_Godard", "Jean-Luc Godard"),
        ("\u5317\u4eac", "\u5317\u4eac"),
    ],
)
def test_names(tmp_path: Path, written: str, name: str) -> None:
    assert names(tmp_path, f"/m/0c94fn\t{written}") == [Entity("freebase/m.0c94fn", name, line=1)]


def test_names_that_cannot_be_read(tmp_path: Path) -> None:
    lines = ("/m/1", "/m/1\t_", "/m/1\ta\tb", "no id\tname", f"/m/1\t{'n' * 1_001}")
    found = names(tmp_path, *lines)
    assert [type(one) for one in found] == [Rejection] * len(lines)


def load(graph: Graph, *paths: Path, **options: Any) -> LoadReport:
    return pipeline.load(graph, Plan(importers.get(NAME), paths, "fb", options=options))


SPLITS = parse(
    "splits", "MATCH ()-[r {source: 'fb'}]->() RETURN r.split AS split, count(*) AS triples ORDER BY triples DESC"
)


def test_fb15k_237_is_read_whole(data: Path) -> None:
    folder = data / "fb15k-237"
    for part, triples in zip(PARTS, (272_115, 17_535, 20_466), strict=True):
        rows = gzip.decompress((folder / part).read_bytes()).decode().splitlines()
        found = outcomes(NAME, folder / part)
        assert [type(one) for one in found] == [Triple] * triples
        assert Counter(one.relation for one in found if isinstance(one, Triple)) == Counter(
            row.split("\t")[1] for row in rows
        )
        assert {one.properties["split"] for one in found if isinstance(one, Triple)} == {part.split(".")[0]}
    named = outcomes(NAME, folder / "mid2name.tsv", names=str(folder / "mid2name.tsv"))
    assert Counter(type(one) for one in named) == {Entity: 14_951}


def test_fb15k_237_in_the_graph(graph: Graph, data: Path) -> None:
    folder = data / "fb15k-237"
    report = load(graph, *(folder / part for part in PARTS[1:]), names=str(folder / "mid2name.tsv"))
    assert (report.records, report.duplicates, report.named, report.in_graph) == (38_001, 0, 14_951, 38_001)
    assert [tuple(row.values()) for row in graph.rows(SPLITS)] == [("test", 20_466), ("valid", 17_535)]
    nameless = graph.rows(parse("nameless", "MATCH (e:Entity) WHERE e.name IS NULL RETURN count(*) AS n"))
    assert nameless == [{"n": 0}]
    asked = parse(
        "professions",
        "MATCH (:Entity)-[r:PEOPLE_PERSON_PROFESSION]->(o:Entity) RETURN o.name AS name, count(*) AS n "
        "ORDER BY n DESC LIMIT 1",
    )
    assert graph.rows(asked)[0]["name"] == "Actor"
    (relation,) = graph.rows(
        parse(
            "name", "MATCH (r:Relation {type: 'PEOPLE_PERSON_PROFESSION'}) RETURN r.name AS name, r.template AS phrase"
        )
    )
    assert relation == {"name": "/people/person/profession", "phrase": "profession"}
