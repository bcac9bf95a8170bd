"""Events of all knowledge bases come into the form of Fang et al. 2021, table 14, row by row."""

from __future__ import annotations

import pytest

from harmgraph.common.event_relations import RELATIONS, relation_name
from harmgraph.loader.formats.events import (
    STATES,
    align,
    align_eventualities,
    align_phrases,
    align_sentences,
    exchanged,
    lemmas,
    words,
)
from harmgraph.loader.formats.importer import LeftOut


def ends(*both: tuple[str, ...]) -> list[str]:
    return [" ".join(lemmas(phrase)) for phrase in both]


class TestTable14:
    def test_conceptnet(self) -> None:
        aligned = align_phrases("get exercise", "HasSubEvent", "ride bicycle")
        assert (aligned.head, aligned.tails) == ("PersonX get exercise", ("PersonX ride bicycle",))

    def test_atomic_with_a_state(self) -> None:
        aligned = align("PersonX gets exercise", "xReact", "tired")
        assert (aligned.head, aligned.tails) == ("PersonX get exercise", ("PersonX be tired",))

    def test_atomic_with_two_people(self) -> None:
        # The table prints "PersonX visits PersonY" here: without "at work", and without the lemma that it has for ASER.
        aligned = align("PersonX visits PersonY at work", "oEffect", "say hello")
        assert (aligned.head, aligned.tails) == ("PersonX visit PersonY at work", ("PersonY say hello",))

    def test_glucose(self) -> None:
        aligned = align_sentences("SomeoneA gets exercise", "SomeoneA gets tired")
        assert (aligned.head, aligned.tails) == ("PersonX get exercise", ("PersonX be tired",))

    def test_knowlywood(self) -> None:
        aligned = align_phrases("get exercise", "NextActivity", "take shower")
        assert (aligned.head, aligned.tails) == ("PersonX get exercise", ("PersonX take shower",))

    def test_aser_with_one_subject(self) -> None:
        assert ends(*align_eventualities(words("he gets exercise"), words("he is tired"))) == [
            "PersonX get exercise",
            "PersonX be tired",
        ]

    def test_aser_with_two_subjects(self) -> None:
        # The table prints "PersonY is happy", without the lemma of "is".
        assert ends(*align_eventualities(words("he visits her at work"), words("she is happy"))) == [
            "PersonX visit PersonY at work",
            "PersonY be happy",
        ]


@pytest.mark.parametrize(
    ("relation", "tail", "tails"),
    [
        ("xWant", "to find a new job", ("PersonX want to find a new job", "PersonX find a new job")),
        ("oWant", "to thank X", ("PersonY want to thank PersonX", "PersonY thank PersonX")),
        ("oWant", "wants to leave", ("PersonY want to leave", "PersonY leave")),
        ("xWant", "a new car", ("PersonX want a new car",)),
        ("xNeed", "to have money", ("PersonX need to have money", "PersonX have money")),
        ("xNeed", "needed to wait", ("PersonX need to wait", "PersonX wait")),
        ("xIntent", "to be powerful", ("PersonX be powerful",)),
        ("xIntent", "someone to leave them alone", ("PersonX want PersonZ to leave PeopleX alone",)),
        ("xEffect", "gets a reputation as a quitter", ("PersonX get a reputation as a quitter",)),
        ("xEffect", "She ran to the bathroom", ("PersonX run to the bathroom",)),
        ("xEffect", "they relax", ("PeopleX relax",)),
        ("xReact", "the person feels happy since he arrived", ("PersonX feel happy since PersonX arrive",)),
        ("xReact", "to be very satisfied", ("PersonX be very satisfied",)),
        ("oReact", "feels sad", ("PersonY feel sad",)),
        ("xAttr", "a quitter", ("PersonX be a quitter",)),
        ("xAttr", "PersonX is brave", ("PersonX be brave",)),
        ("HinderedBy", "Person X doesn't have money.", ("PersonX do not have money",)),
        ("HinderedBy", "the store is closed", ("the store be closed",)),
        ("isBefore", "buys a ticket", ("PersonX buy a ticket",)),
    ],
)
def test_a_tail_gets_its_subject_and_its_verb(relation: str, tail: str, tails: tuple[str, ...]) -> None:
    aligned = align("PersonX helps PersonY", relation, tail)
    assert aligned.head == "PersonX help PersonY"
    assert aligned.tails == tails


def test_of_two_forms_of_a_tail_the_known_one_is_taken_and_else_the_longest() -> None:
    aligned = align("PersonX works", "xWant", "to rest")
    assert aligned.tail() == aligned.tail(lambda _: False) == "PersonX want to rest"
    assert aligned.tail(lambda text: text == "PersonX rest") == "PersonX rest"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("personx~calls~persony~'s~friends", "PersonX call PersonY friend"),
        ("Someone_A's dog bites Some People_B", "PersonX dog bite PeopleY"),
        ("Someone_A possess(es) Something_A", "PersonX possess SomethingA"),
        ("PersonX can't won't isn't", "PersonX can not will not be not"),
        ("PersonX said he'll go, and she’s there!", "PersonX say he will go and she be there"),
        ("PersonX cannot buy an umbrella", "PersonX can not buy a umbrella"),
        ("somewhere_a is burning", "SomewhereA be burn"),
    ],
)
def test_words_and_lemmas(text: str, expected: str) -> None:
    assert " ".join(lemmas(words(text))) == expected


@pytest.mark.parametrize(
    ("text", "reason"), [("none", "none"), (" ", "empty"), ("?!", "empty"), ("gives ___", r"blank \(___\)")]
)
def test_what_is_left_out_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(LeftOut, match=f"^{reason}$"):
        words(text)


def test_a_long_event_is_left_out_unless_all_are_kept() -> None:
    tail = "to " + " ".join(["very"] * 12)
    with pytest.raises(LeftOut, match=r"^event of more than 10 words$"):
        align("PersonX runs", "xEffect", tail)
    assert align("PersonX runs", "xEffect", tail, longest=0).tails


def test_groups_of_people_are_named_apart_from_persons() -> None:
    head, tail = align_eventualities(words("they call us"), words("some people laugh at him"))
    assert (head, tail) == (("PeopleX", "call", "PeopleY"), ("PeopleZ", "laugh", "at", "PersonX"))


def test_an_edge_of_aser_has_a_second_form() -> None:
    head, tail = align_eventualities(words("the man sees i"), words("i run"))
    assert (head, tail) == (("PersonX", "sees", "PersonY"), ("PersonY", "run"))
    assert (exchanged(head), exchanged(tail)) == (("PersonY", "sees", "PersonX"), ("PersonX", "run"))


def test_names_of_relations_are_read_whatever_their_capitals() -> None:
    assert relation_name("xwant") == "xWant"
    assert relation_name("general  Effect") == relation_name("gEffect") == "gEffect"
    assert relation_name("IsA") is None
    assert all(relation_name(name.upper()) == name for name in RELATIONS)
    assert len(RELATIONS) == 18
    assert set(STATES) <= set(RELATIONS)
