"""Answers of models are read strictly, and scored by the probabilities of their tokens."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.analytics.judging.judgement import balance, majority, probabilities, read_answer, shares_of
from harmgraph.common.endpoint.chat import ChatAnswer, SaidToken
from harmgraph.common.label_words import PEOPLE_NAMES

GOOD, NEITHER, BAD = PEOPLE_NAMES


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ('{"label": "favouritism"}', GOOD),
        (' {"label":"neutral"}\n', NEITHER),
        ('```json\n{"label": "prejudice"}\n```', BAD),
        ("prejudice", BAD),
        ("Prejudice.", BAD),
        ('"neutral"', NEITHER),
        ("", None),
        ("{}", None),
        ('{"label": "positive"}', None),
        ('{"label": 1}', None),
        ('{"label": ["neutral"]}', None),
        ('{"label": null}', None),
        ('{"label": "neutral", "why": "x"}', None),
        ('{"label": "neutral", "label": "prejudice"}', None),
        ('{"label": "neutral"} {"label": "prejudice"}', None),
        ("neutral or prejudice", None),
        ("It is not prejudice", None),
        ('The answer: {"label": "neutral"}', None),
        ('["neutral"]', None),
        ("neutral" * 2, None),
        ("[" * 100_000, None),
    ],
)
def test_a_strict_reader(text: str, reads: str | None) -> None:
    assert read_answer(ChatAnswer(text, True), PEOPLE_NAMES) == reads


def test_what_was_cut_is_not_read() -> None:
    assert read_answer(ChatAnswer('{"label": "neutral"}', False), PEOPLE_NAMES) is None


@given(st.text() | st.dictionaries(st.text(), st.text()).map(str))
def test_nothing_else_is_ever_read(text: str) -> None:
    assert read_answer(ChatAnswer(text, True), PEOPLE_NAMES) in {None, *PEOPLE_NAMES}


def token(text: str, **shares: float) -> SaidToken:
    return SaidToken(text, {said: math.log(share) for said, share in shares.items()})


def answer(*tokens: SaidToken) -> ChatAnswer:
    return ChatAnswer("".join(each.text for each in tokens), True, tokens)


def test_probabilities_where_the_name_begins() -> None:
    said = answer(
        token('{"label": "', x=0.9),
        SaidToken("pre", {"pre": math.log(0.3), "neut": math.log(0.1), "Fav": math.log(0.1), "the": math.log(0.5)}),
        token('judice"}', x=1.0),
    )
    shares = probabilities(said, BAD, PEOPLE_NAMES)
    assert shares == pytest.approx({GOOD: 0.2, NEITHER: 0.2, BAD: 0.6})
    assert balance(shares) == pytest.approx(-0.4)  # type: ignore[arg-type]


def test_a_token_that_begins_before_the_name() -> None:
    said = answer(
        token('{"label":', x=1.0),
        SaidToken(' "neutral"}', {' "neutral"}': math.log(0.5), ' "prej': math.log(0.25), "favou": math.log(0.25)}),
    )
    assert probabilities(said, NEITHER, PEOPLE_NAMES) == pytest.approx({GOOD: 0.0, NEITHER: 2 / 3, BAD: 1 / 3})


def test_tokens_before_the_answer() -> None:
    thought = SaidToken(" neutral?", {" neutral?": math.log(0.9)})
    name = SaidToken("neutral", {"neutral": math.log(0.6), "prej": math.log(0.2)})
    said = ChatAnswer("neutral", True, (thought, token("\n", x=1.0), name))
    assert probabilities(said, NEITHER, PEOPLE_NAMES) == pytest.approx({GOOD: 0.0, NEITHER: 0.75, BAD: 0.25})


def test_tokens_that_do_not_tell() -> None:
    assert probabilities(ChatAnswer("neutral", True), NEITHER, PEOPLE_NAMES) is None
    assert probabilities(answer(token("neutral", prejudice=0.5)), NEITHER, PEOPLE_NAMES) is None, (
        "its own token is not there"
    )
    assert probabilities(answer(token("neutral")), NEITHER, PEOPLE_NAMES) is None
    assert probabilities(ChatAnswer("neutral", True, (token("ne", ne=1.0),)), NEITHER, PEOPLE_NAMES) is None


def test_votes() -> None:
    shares = shares_of([GOOD, GOOD, BAD, NEITHER], PEOPLE_NAMES)
    assert (majority(shares), balance(shares)) == (GOOD, 0.25)
    assert majority(shares_of([GOOD, BAD], PEOPLE_NAMES)) is None
