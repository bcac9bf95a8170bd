"""The dump of ConceptNet: concepts, senses, languages, addresses, JSON."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections import Counter
from itertools import product
from operator import or_
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from tests.support.reading import counts, each_line, of_line, outcomes, reason
from tests.support.screens import found_by_screen, mutations

PIECES = ("\t", "/", "/c/", "/c/en/", "/c/fr/", "en", "e", "-", "_", "\r", "\x85", "\u2028", "x" * 60, "dbpedia/")


def line(
    head: str = "/c/en/lawyer", relation: str = "/r/IsA", tail: str = "/c/en/person", details: Any = None, **raw: str
) -> str:
    details = {"weight": 1.0} if details is None else details
    text = raw.get("json", json.dumps(details))
    return "\t".join([raw.get("assertion", f"/a/[{relation}/,{head}/,{tail}/]"), relation, head, tail, text])


def triple(folder: Path, *args: Any, language: str = "en", external: bool = False, **kwargs: Any) -> Triple:
    found = of_line("conceptnet", folder, line(*args, **kwargs), language=language, include_external=external)
    assert isinstance(found, Triple), reason(found)
    return found


def test_everything_the_line_says_is_kept(tmp_path: Path) -> None:
    details = {
        "dataset": "/d/wiktionary/en",
        "license": "cc:by-sa/4.0",
        "sources": [{"process": "p"}],
        "surfaceText": "[[A Lawyer]] is a kind of [[person]]",
        "weight": 2,
    }
    found = triple(tmp_path, "/c/en/criminal_lawyer/n/wn/person", "/r/IsA", "/c/en/person/n", details)
    assert found == Triple(
        Concept("criminal lawyer", "en"),
        "/r/IsA",
        Concept("person", "en"),
        "/a/[/r/IsA/,/c/en/criminal_lawyer/n/wn/person/,/c/en/person/n/]",
        {
            "weight": 2.0,
            "dataset": "/d/wiktionary/en",
            "licence": "cc:by-sa/4.0",
            "surface_text": "[[A Lawyer]] is a kind of [[person]]",
            "head_sense": "n/wn/person",
            "tail_sense": "n",
        },
        1,
    )
    assert found.type == "IS_A"
    assert isinstance(found.properties["weight"], float)


def test_a_sense_is_not_identity_but_the_assertion_is(tmp_path: Path) -> None:
    plain, sense = triple(tmp_path, "/c/en/lawyer"), triple(tmp_path, "/c/en/lawyer/n")
    assert plain.head == sense.head
    assert plain.assertion != sense.assertion


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("/c/en/New_York", "new york"),
        ("/c/en/100%_sure", "100% sure"),
        ("/c/en/a%20b", "a%20b"),
        ("/c/en/é", "é"),
        ("/c/en/__x__y_", "x y"),
        ("/c/en/n/n", "n"),
        ("/c/en/lawyer/", "lawyer"),
    ],
)
def test_the_text_of_a_concept(tmp_path: Path, uri: str, text: str) -> None:
    assert triple(tmp_path, uri).head == Concept(text, "en")


def test_languages(tmp_path: Path) -> None:
    other = line("/c/de/anwalt", tail="/c/de/mensch")
    assert of_line("conceptnet", tmp_path, other) == Skip(1, "another language than en")
    assert of_line("conceptnet", tmp_path, line("/c/enm/lawyer")) == Skip(1, "another language than en")
    assert of_line("conceptnet", tmp_path, line(tail="/c/de/mensch")) == Skip(1, "another language than en")
    assert triple(tmp_path, "/c/de/anwalt", tail="/c/de/mensch", language="de").head.key == "de/anwalt"
    assert triple(tmp_path, tail="/c/de/mensch", language="all").tail.key == "de/mensch"
    with pytest.raises(BadName, match="is not a language code"):
        of_line("conceptnet", tmp_path, line(), language="../x")


def test_external_relations_are_left_out_unless_wanted(tmp_path: Path) -> None:
    page = "http://en.wiktionary.org/wiki/Lawyer_(UK)"
    address = line(relation="/r/ExternalURL", tail=page)
    genre = line(relation="/r/dbpedia/genre")
    assert of_line("conceptnet", tmp_path, address) == Skip(1, "relation ExternalURL")
    assert of_line("conceptnet", tmp_path, genre) == Skip(1, "relation dbpedia")
    assert triple(tmp_path, relation="/r/ExternalURL", tail=page, external=True).tail == Concept(page, "url")
    assert triple(tmp_path, relation="/r/dbpedia/genre", external=True).type == "DBPEDIA_GENRE"
    foreign = line("/c/de/anwalt", "/r/ExternalURL", page)
    assert of_line("conceptnet", tmp_path, foreign, include_external=True) == Skip(1, "another language than en")
    assert triple(tmp_path, relation="/r/ExternalURLOf").type == "EXTERNAL_URL_OF"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("a b c", "1 columns where 5 are expected"),
        (line() + "\tmore", "6 columns where 5 are expected"),
        (line(assertion="a"), "the first column is not an assertion id"),
        (line(assertion="/a/" + "x" * 20_000), "the id of the assertion is longer than 20,000 characters"),
        (line(relation="IsA"), "the relation 'IsA' does not start with /r/"),
        (line(relation="/r/"), "gives no relationship type"),
        (line(relation="/r/Names"), "which is reserved"),
        (line("lawyer"), "the head 'lawyer' is not of the form /c/language/text"),
        (line(tail="/c/en"), "the tail '/c/en' is not of the form"),
        (line(tail="/c//x"), "the tail '/c//x' is not of the form"),
        (line(tail="/d/en/x"), "the tail '/d/en/x' is not of the form"),
        (line("/c/en/"), "the head is empty"),
        (line("/c/en/_"), "the head is empty"),
        (line("/c/en/" + "x" * 9_000), "the head is longer than 8,000 bytes"),
        (line(json="{"), "the last column is not JSON"),
        (line(json=""), "the last column is not JSON"),
        (line(json="[1]"), "the last column is not a JSON object"),
        (line(json="[" * 100_000), "the last column is not JSON"),
        (line(json='{"a": ' * 100_000), "the last column is not JSON"),
        (line(json='{"weight": NaN}'), "the weight 'nan' is not a number"),
        (line(json='{"weight": Infinity}'), "the weight 'inf' is not a number"),
        (line(json='{"weight": 1e999}'), "the weight 'inf' is not a number"),
        (line(json='{"weight": %s}' % ("9" * 4_000)), "is not a number"),
        (line(json='{"weight": %s}' % ("9" * 5_000)), "the last column is not JSON"),
        (line(json='{"weight": true}'), "the weight is not a number"),
        (line(json='{"weight": [1]}'), "the weight is not a number"),
        (line(json='{"weight": null}'), "the weight is not a number"),
        (line(details={"dataset": {"a": 1}}), "dataset is not a text"),
        (line(json='{"surfaceText": "half \\ud800"}'), "the surface_text has half a character (a lone surrogate)"),
    ],
    ids=range(29),
)
def test_what_cannot_be_read(tmp_path: Path, bad: str, why: str) -> None:
    found = of_line("conceptnet", tmp_path, bad)
    assert isinstance(found, Rejection)
    assert why in found.reason


def test_details_may_lack(tmp_path: Path) -> None:
    assert triple(tmp_path, json="{}").properties == {}
    assert triple(tmp_path, json='{"surfaceText": null, "weight": "0.5"}').properties == {"weight": 0.5}


EXTERNAL = re.compile(r"/r/(ExternalURL|dbpedia)\b")


def test_the_sample_of_the_dump(data: Path) -> None:
    path = data / "conceptnet" / "assertions_5x_sample.csv"
    rows = [row.split("\t") for row in path.read_bytes().decode().split("\n")[:-1]]
    external = sum(bool(EXTERNAL.match(row[1])) for row in rows)
    english = sum(all(end.split("/")[2] == "en" for end in row[2:4]) for row in rows if not EXTERNAL.match(row[1]))
    assert counts("conceptnet", path) == Counter(
        {
            "record": english,
            "relation ExternalURL": external,
            "another language than en": len(rows) - english - external,
        }
    )
    assert counts("conceptnet", path, language="all") == {"record": 764 - external, "relation ExternalURL": external}
    everything = outcomes("conceptnet", path, language="all", include_external=True)
    assert len({found.assertion for found in everything if isinstance(found, Triple)}) == len(rows) == 764


def test_the_true_format(data: Path) -> None:
    path = data / "formats" / "conceptnet-assertions-5.7.0.csv"
    rows = path.read_bytes().count(b"/a/[/r/")
    assert rows
    assert counts("conceptnet", path, language="all") == {"record": rows}
    assert counts("conceptnet", path) == {"another language than en": rows}


def test_what_is_wrong_is_said_before_what_is_in_another_language(tmp_path: Path) -> None:
    ends = (
        *("/c/en/lawyer", "/c/fr/avocat/n", "/c/en/", "/c//x", "/c/fr", "http://a.org/b", "/c/1x/y", "/x/fr/y"),
        *("/c/en-gb/a", "/c/x!/y"),
    )
    relations = ("/r/IsA", "/r/ExternalURL", "/r/dbpedia/genre", "/r/", "r/IsA", "/r/dbpediax")
    details = ('{"weight": 1.0}', "broken")
    columns = list(product(relations, ends, ends, details))
    lines = [f"/a/[{relation}/]\t{relation}\t{head}\t{tail}\t{detail}" for relation, head, tail, detail in columns]
    wrong = [f"{line}\tmore" for line in lines[:20]] + [line.rpartition("\t")[0] for line in lines[:20]]
    path = tmp_path / "lines.csv"
    path.write_text("\n".join(lines + wrong), encoding="utf-8")
    for language in ("en", "fr", "all"):
        for external in (False, True):
            read = importers.get("conceptnet").records(path, language=language, include_external=external)
            found = [type(record) for record in each_line(read)]
            assert found[: len(lines)] == [becomes(*row, language=language, external=external) for row in columns]
            assert set(found[len(lines) :]) == {Rejection}


def test_the_screen_finds_what_the_parser_would_leave_out(data: Path, tmp_path: Path) -> None:
    lines = (data / "conceptnet" / "assertions_5x_sample.csv").read_text(encoding="utf-8").splitlines()
    assert found_by_screen("conceptnet", tmp_path, lines) > len(lines) / 2


@pytest.mark.parametrize("options", [{}, {"language": "fr", "include_external": True}, {"language": "all"}])
def test_no_mutation_passes_the_screen_that_the_parser_would_not_leave_out(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    ends = "/c/en/lawyer", "/c/fr/avocat/n", "/c/de/anwalt", "http://a.org/b"
    relations = "/r/IsA", "/r/ExternalURL", "/r/dbpedia/genre"
    lines = [line(*ends_and_relation) for ends_and_relation in product(ends, relations, ends)]
    made = mutations(lines, PIECES, 6_000)
    assert bool(found_by_screen("conceptnet", tmp_path, made, **options)) == (options.get("language") != "all")


def test_what_is_remembered_of_lines_is_short(tmp_path: Path) -> None:
    long = "x" * 100_000
    rows = [f"/a/[]\t/r/{long}{number}\t/c/{long}{number}/y\t/c/fr/z\t{{}}" for number in range(50)]
    path = tmp_path / "lines.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for record in importers.get("conceptnet").records(path):
        assert isinstance(record, Rejection)
        assert "is not of the form /c/language/text" in record.reason
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 1_000_000


def becomes(relation: str, head: str, tail: str, details: str, *, language: str, external: bool) -> type[Record]:
    """What a line of five columns becomes."""
    if not relation.startswith("/r/"):
        return Rejection
    if EXTERNAL.match(relation) and not external:
        return Skip
    addresses = [end.startswith("http://") for end in (head, tail)]
    spoken = [re.match(r"/c/([a-z][a-z-]*)/", end) for end in (head, tail)]
    if not all(map(or_, addresses, map(bool, spoken))):
        return Rejection
    if language != "all" and any(found and found[1] != language for found in spoken):
        return Skip
    return Rejection if "/c/en/" in (head, tail) or relation == "/r/" or details == "broken" else Triple
