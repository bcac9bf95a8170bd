"""Keys, types and normalised text of records."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.errors import BadName, BadRecord
from harmgraph.graph import records
from harmgraph.graph.records import (
    MAX_KEY_LENGTH,
    Concept,
    Entity,
    Implication,
    RelationLabel,
    Statement,
    Target,
    Triple,
    normalise,
    relation_type,
    same_relation,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/r/IsA", "IS_A"),
        ("IsA", "IS_A"),
        ("xWant", "X_WANT"),
        ("P106", "P106"),
        ("/people/person/profession", "PEOPLE_PERSON_PROFESSION"),
        ("HTTPServer", "HTTP_SERVER"),
        ("/r/dbpedia/genre", "DBPEDIA_GENRE"),
        ("is a", "IS_A"),
        ("is-a", "IS_A"),
        ("has_subevent", "HAS_SUBEVENT"),
        ("können", "KOENNEN"),
        ("ko\u0308nnen", "KOENNEN"),
        ("Öffnet", "OEFFNET"),
        ("ÖFFNET", "OEFFNET"),
        ("gehörtZu", "GEHOERT_ZU"),
        ("is\u00a0a", "IS_A"),
        ("x`]->() DETACH DELETE n //", "X_DETACH_DELETE_N"),
    ],
)
def test_a_relation_gives_its_type(name: str, expected: str) -> None:
    assert relation_type(name) == expected


@pytest.mark.parametrize("name", ["", "/r/", "___", "``", "7days", "²", "→", "x" * 201, "\n"])
def test_a_relation_that_gives_no_type_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="gives no relationship type"):
        relation_type(name)


@pytest.mark.parametrize(
    "names",
    [
        ("être", "etre", "êtré"),
        ("pêcher", "pécher", "pecher"),
        ("是", "事", "shi"),
        ("знать", "znat"),
        ("m²", "m2", "m"),
    ],
)
def test_names_that_transliterate_alike_give_different_types(names: tuple[str, ...]) -> None:
    assert len({relation_type(name) for name in names}) == len(names)


def test_a_letter_without_a_transliteration_gives_a_type_all_the_same() -> None:
    assert re.fullmatch(r"[A-Z_]+_[0-9A-F]{6}", relation_type("日本"))
    assert relation_type("日本").startswith("RI")
    assert re.fullmatch(r"RELATION_[0-9A-F]{6}", relation_type("7日"))


def test_spellings_of_one_relation_are_one_type() -> None:
    assert relation_type("êtreLà") == relation_type("être_là") == relation_type("e\u0302tre la\u0300")
    assert same_relation("/r/IsA", "is a")
    assert same_relation("können", "Koennen")
    assert relation_type("C++") == relation_type("C#")
    assert not same_relation("C++", "C#")


@given(st.text(max_size=300))
def test_whatever_a_relation_is_called_its_type_is_safe_in_a_statement(name: str) -> None:
    try:
        made = relation_type(name)
    except BadName:
        return
    assert re.fullmatch(r"[A-Z][A-Z0-9_]{0,199}", made)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Software_Developer ", "software developer"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        ("a   b", "a b"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\x1cb", "a\x1cb"),
        ("İ", "i\u0307"),
        ("__", ""),
    ],
)
def test_normal_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text(max_size=100))
def test_the_normal_form_is_its_own(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_a_concept_is_its_language_and_text() -> None:
    assert Concept("lawyer").key == "en/lawyer"
    assert Concept("lawyer", "de") != Concept("lawyer")


def test_a_statement_is_its_source_term_text_and_line_id() -> None:
    keys = {
        Statement("Cats purr.", "cat").key("kb"),
        Statement("Cats purr.", "cats").key("kb"),
        Statement("Cats purr", "cat").key("kb"),
        Statement("Cats purr.", "cat").key("other"),
        Statement("Cats purr.", "cat").key("kb", "7"),
    }
    assert len(keys) == 5
    assert Statement("Cats purr.", "cat", {"score": 1.0}, 3).key("kb") in keys


def test_the_parts_of_a_statements_key_do_not_run_together() -> None:
    assert Statement("b c", "a").key("kb") != Statement("c", "a b").key("kb")


def test_a_target_has_each_of_its_names_once() -> None:
    assert Target("nurse", "profession", aliases=("nurses", "nurse", "nurses")).names == ("nurse", "nurses")


NUL, HALF, LONG = "a\x00b", "a\ud800b", "y" * 1_000_001
BAD_VALUES = [
    (NUL, "has a NUL character"),
    (f"é{NUL}", "has a NUL character"),
    (HALF, "has half a character (a lone surrogate)"),
    (LONG, "is longer than 1,000,000 characters"),
    (math.inf, "is not a finite number"),
    (-math.inf, "is not a finite number"),
    (math.nan, "is not a finite number"),
    (2**63, "is an integer of more than 64 bits"),
    (-(2**63) - 1, "is an integer of more than 64 bits"),
    ([1], "is neither a text nor a number (list)"),
]


@pytest.mark.parametrize(
    ("value", "why"), BAD_VALUES, ids=[f"{why} {number}" for number, (_, why) in enumerate(BAD_VALUES)]
)
@pytest.mark.parametrize(
    "make",
    [
        lambda properties: Triple(Concept("a"), "IsA", Concept("b"), properties=properties),
        lambda properties: Statement("Cats purr.", properties=properties),
        lambda properties: Entity("wikidata/Q42", "Ann", properties),
    ],
    ids=["triple", "statement", "entity"],
)
def test_a_value_that_cannot_be_stored(make: Callable[[dict[str, Any]], Any], value: Any, why: str) -> None:
    good = {"weight": 0.5, "text": "Bücher", "number": 2**63 - 1, "flag": True, "none": None}
    assert make(good).properties == good
    with pytest.raises(BadRecord) as raised:
        make({**good, "value": value})
    assert (raised.value.part, raised.value.why) == ("value", why)
    assert str(raised.value) == f"the value {why}"


TEXTS: dict[str, Callable[[str], Any]] = {
    "concept": lambda text: Concept(text),
    "language of a concept": lambda text: Concept("a", text),
    "key of an entity": lambda text: Entity(text),
    "name of an entity": lambda text: Entity("wikidata/Q42", text),
    "label": lambda text: RelationLabel("P31", text),
    "relation of a label": lambda text: RelationLabel(text, "is"),
    "relation": lambda text: Triple(Concept("a"), text, Concept("b")),
    "assertion": lambda text: Triple(Concept("a"), "IsA", Concept("b"), text),
    "group": lambda text: Implication(text, "race"),
    "category of a group": lambda text: Implication("women", text),
    "implied statement": lambda text: Implication("women", "gender", text),
    "annotator": lambda text: Implication("women", "gender", "", text),
    "text": lambda text: Statement(text),
    "term": lambda text: Statement("Cats purr.", text),
    "place": lambda text: Statement("Cats purr.", place=text),
    "name": lambda text: Target(text, "gender"),
    "category": lambda text: Target("women", text),
    "title": lambda text: Target("women", "gender", text),
    "alias": lambda text: Target("women", "gender", aliases=("woman", text)),
    "language": lambda text: Target("women", "gender", language=text),
    "part": lambda text: Target("women", "gender", parts=("a", text)),
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("text", [NUL, HALF, LONG], ids=["nul", "surrogate", "long"])
def test_a_text_that_cannot_be_stored(make: Callable[[str], Any], text: str) -> None:
    assert make("is")
    assert make("Bücher")
    with pytest.raises((BadRecord, BadName)):
        make(text)


def test_every_text_of_every_record_is_tried() -> None:
    """A new attribute of a record is checked too, or fails here."""
    kinds = (Concept, Entity, RelationLabel, Triple, Implication, Statement, Target)
    texts = [
        field.name for kind in kinds for field in dataclasses.fields(kind) if field.init and "str" in str(field.type)
    ]
    assert len(texts) == len(TEXTS)


@pytest.mark.parametrize("letter", ["y", "日", "\U0001f642"])
def test_a_key_has_as_many_bytes_as_an_index_takes(letter: str) -> None:
    most = (MAX_KEY_LENGTH - len("en/")) // len(letter.encode())
    assert Concept(letter * most)
    assert Statement("x", letter * most)
    with pytest.raises(BadRecord, match="the concept is longer than 8,000 bytes"):
        Concept(letter * (most + 1))


def test_what_flows_is_frozen_and_slotted() -> None:
    """To type checkers: what is made often is not guarded at run time (``made_often``)."""
    often = records.Concept, records.Entity, Triple, Statement, records.Skip
    for kind in (*often, Target, records.Rejection):
        assert dataclasses.is_dataclass(kind)
        assert vars(kind)["__dataclass_params__"].frozen is (kind not in often)
        assert "__slots__" in vars(kind)
