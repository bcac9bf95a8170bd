"""Digests stay what they are: imports, trainings and parts of data are found again by them."""

from __future__ import annotations

from harmgraph.common.digests import facts_digest, text_digest, text_number, texts_digest


def test_they_are_those_of_earlier_versions() -> None:
    facts = ["é", {"b": 1, "a": None}]
    assert facts_digest(facts) == "347f1ac11fb61bf41b342da133bfde1e"
    assert facts_digest(facts, 8) == "22544626b9849bb5"
    assert text_digest("é") == "d4b1b0202b21bb84e60a3d272ecab0db"
    assert text_number("é") == 14_635_220_546_840_893_743


def test_the_order_of_keys_does_not_count() -> None:
    assert facts_digest({"a": 1, "b": (2, 3)}) == facts_digest({"b": [2, 3], "a": 1})
    assert facts_digest([1, 2]) != facts_digest([2, 1])


def test_texts_are_joined() -> None:
    assert texts_digest(iter(["ab", "", "c"])) == text_digest("abc")
    assert texts_digest([]) == text_digest("")


def test_half_a_character_has_a_digest() -> None:
    assert text_digest("\ud800") != text_digest("\ud801")
    assert text_number("\ud800") != text_number("\ud801")
