"""The bundled sample keeps to the two formats and covers all categories; read with the standard library alone."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "loader" / "sample"
HEADER = ["SOURCE", "TERM", "QUANTIFIER", "GENERIC SENTENCE", "SCORE"]
SOME_TARGETS = {
    "profession": {"teacher", "doctor", "nurse", "politician", "lawyer", "prisoner"},
    "gender": {"mother", "grandmother", "man", "woman"},
    "origin": {"french", "german", "american", "japan"},
    "religion": {"church", "muslim", "christian", "hindu"},
}


def rows(name: str) -> list[list[str]]:
    with (SAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def assertions() -> list[list[str]]:
    return rows("conceptnet.csv")


@pytest.fixture(scope="module")
def sentences() -> list[list[str]]:
    return rows("genericskb.tsv")


def text_of(concept: str) -> str:
    return concept.split("/")[3].replace("_", " ")


def test_each_assertion_has_five_columns_and_names_its_parts(assertions: list[list[str]]) -> None:
    assert 280 <= len(assertions) <= 330
    for row in assertions:
        assert len(row) == 5, row
        assertion, relation, head, tail, _ = row
        external = relation == "/r/ExternalURL"
        assert assertion == f"/a/[{relation}/,{head}/,{'/' if external else ''}{tail}/]"
        assert relation.startswith("/r/")
        assert head.startswith("/c/")
        assert tail.startswith("http://" if external else "/c/")
        assert " " not in head + tail


def test_no_assertion_comes_twice(assertions: list[list[str]]) -> None:
    counted = Counter(row[0] for row in assertions)
    assert [one for one, times in counted.items() if times > 1] == []


def test_the_last_column_says_where_a_line_is_from(assertions: list[list[str]]) -> None:
    surfaces = 0
    for row in assertions:
        details = json.loads(row[4])
        assert details["dataset"] == "/d/harmgraph/sample"
        assert details["license"] == "Apache-2.0"
        assert isinstance(details["weight"], float)
        assert details["weight"] > 0
        assert all(source["contributor"].startswith("/s/") for source in details["sources"])
        if "surfaceText" in details:
            surfaces += 1
            for end in ("surfaceStart", "surfaceEnd"):
                assert f"[[{details[end]}]]" in details["surfaceText"]
    assert surfaces > len(assertions) / 3


def test_it_holds_what_a_reader_has_to_tell_apart(assertions: list[list[str]]) -> None:
    english = [row for row in assertions if row[2].startswith("/c/en/") and row[3].startswith("/c/en/")]
    others = [row for row in assertions if row not in english and row[1] != "/r/ExternalURL"]
    assert len({row[1] for row in assertions}) >= 20
    assert len([row for row in assertions if row[1] == "/r/ExternalURL"]) >= 3
    assert len(others) >= 3
    same = Counter((text_of(row[2]), row[1], text_of(row[3])) for row in english)
    assert max(same.values()) == 2, "a concept with and without its part of speech: one triple, two assertions"
    names = set().union(*SOME_TARGETS.values())
    assert any({text_of(row[2]), text_of(row[3])} <= names for row in english), "two targets in one line"
    assert any(text_of(row[2]) == "kettle" for row in english), "a line about no target"


@pytest.mark.parametrize("category", sorted(SOME_TARGETS))
def test_every_category_is_there_in_both_files(
    category: str, assertions: list[list[str]], sentences: list[list[str]]
) -> None:
    ends = {text_of(end) for row in assertions for end in row[2:4] if end.startswith("/c/en/")}
    terms = {row[1] for row in sentences[1:]}
    assert SOME_TARGETS[category] <= ends
    assert len(SOME_TARGETS[category] & terms) >= 3


def test_targets_have_uneven_counts(assertions: list[list[str]]) -> None:
    counted = Counter(text_of(end) for row in assertions for end in set(row[2:4]) if end.startswith("/c/en/"))
    assert counted["teacher"] >= 15
    assert counted["politician"] >= 15
    assert counted["peru"] == 1


def test_each_generic_sentence_has_its_columns(sentences: list[list[str]]) -> None:
    assert sentences[0] == HEADER
    assert 140 <= len(sentences) - 1 <= 160
    for row in sentences[1:]:
        assert len(row) == len(HEADER), row
        source, term, _, sentence, score = row
        assert source
        assert term == term.lower().strip()
        assert sentence.endswith(".")
        assert 0.0 <= float(score) <= 1.0
    texts = [row[3] for row in sentences[1:]]
    assert len(set(texts)) == len(texts)


def test_terms_stand_in_singular_and_in_plural(sentences: list[list[str]]) -> None:
    teachers = [row[3].lower().split() for row in sentences[1:] if row[1] == "teacher"]
    assert any("teacher" in words for words in teachers)
    assert any("teachers" in words for words in teachers)
