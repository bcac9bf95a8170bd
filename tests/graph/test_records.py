"""Keys, types and normalised text of records."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.graph import records
from harmgraph.graph.common.errors import BadName
from harmgraph.graph.records import (
    Concept,
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


def test_what_flows_is_frozen_and_slotted() -> None:
    for kind in (records.Concept, records.Entity, Triple, Statement, Target, records.Rejection, records.Skip):
        assert dataclasses.is_dataclass(kind)
        assert vars(kind)["__dataclass_params__"].frozen
        assert "__slots__" in vars(kind)
