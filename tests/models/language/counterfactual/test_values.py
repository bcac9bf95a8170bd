"""Values in token ids: whole words alone, as they are written, and what stands in their place."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.models.language.counterfactual.values import Matcher, Sensitive, check_values
from harmgraph.models.language.fresh import new_tokenizer

VALUES = tuple(
    Sensitive("occupation", value, value) for value in ("nurse", "guard", "night guard", "CEO", "astrophysicist")
)


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    texts = ["the nurse and a guard", "nurses guard the night guard", "a CEO and the nurse", "bodyguard"] * 5
    return Matcher(new_tokenizer(texts, 400), VALUES)


def found(matcher: Matcher, text: str) -> list[tuple[str, bool]]:
    ids = np.array(matcher._tokenizer(text, add_special_tokens=False)["input_ids"])
    places = matcher.places(ids)
    for place in places:
        assert (
            matcher._tokenizer.decode(ids[place.first : place.last].tolist()).strip()
            == matcher.values[place.value].value
        )
    return [(matcher.values[place.value].value, place.spaced) for place in places]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the nurse sees a guard", [("nurse", True), ("guard", True)]),
        ("nurse, and guard.", [("nurse", False), ("guard", True)]),
        ("nurses and a bodyguard and a guardian", []),
        ("the night guard", [("night guard", True)]),
        ('a (nurse) or "guard"', [("nurse", False), ("guard", False)]),
        ("a Nurse, a ceo and a CEO", [("CEO", True)]),
        ("one astrophysicist", [("astrophysicist", True)]),
        ("", []),
    ],
)
def test_whole_words_are_found_as_they_are_written(matcher: Matcher, text: str, values: list[tuple[str, bool]]) -> None:
    assert found(matcher, text) == values


def test_another_value_is_written_like_the_one_in_its_place(matcher: Matcher) -> None:
    ids = np.array(matcher._tokenizer("nurse and nurse", add_special_tokens=False)["input_ids"])
    first, second = matcher.places(ids)
    assert matcher._tokenizer.decode(matcher.exchanged(first, 1)) == "guard"
    assert matcher._tokenizer.decode(matcher.exchanged(second, 1)) == " guard"


def test_a_value_is_exchanged_for_one_of_its_attribute_and_of_another_subgroup() -> None:
    values = (
        Sensitive("name", "Jake", "male"),
        Sensitive("name", "Scott", "male"),
        Sensitive("name", "Amy", "female"),
        Sensitive("country", "Chile", "Chile"),
        Sensitive("country", "Iran", "Iran"),
    )
    matcher = Matcher(new_tokenizer(["Jake Scott Amy Chile Iran"], 300), values)
    assert [matcher.others(place) for place in range(5)] == [[2], [2], [0, 1], [4], [3]]
    check_values(values)
    with pytest.raises(InputError, match="all values of name are of one subgroup"):
        check_values(values[:2])
    with pytest.raises(InputError, match="there is no value"):
        check_values(())
