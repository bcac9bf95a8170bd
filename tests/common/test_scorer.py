"""What stands beside a label can be read back: who gave it, of which version, with which options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.errors import BadName
from harmgraph.common.options import Option
from harmgraph.common.scorer import Score, Scorer, Signature


class Words(Scorer):
    """A scorer with an option of each kind."""

    name = "words"
    measure = "words"
    citation = "this test"
    options = (Option("positive", "", "words"), Option("bound", 0.5, "a number"), Option("folded", True, "yes or no"))

    @property
    def version(self) -> str:
        return "0.89"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        raise AssertionError


def test_what_a_label_says_is_short_and_plain() -> None:
    assert Words().by({}) == "words@0.89"
    assert Words().by({"positive": "joy", "bound": 0.25}) == "words@0.89(bound=0.25,positive=joy)"
    assert Words().by({"positive": "joy,love"}) == 'words@0.89(positive="joy,love")'


@given(st.text(max_size=12), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_options_are_read_back(positive: str, bound: float, folded: bool) -> None:
    options = {"positive": positive, "bound": bound, "folded": folded}
    by = Words().by(options)
    signature = Signature.read(by)
    assert (signature.name, signature.version) == ("words", "0.89")
    assert Words().read(signature.options) == options
    assert Words().by(Words().read(signature.options)) == by


@pytest.mark.parametrize("by", ["me", "some body", "x(", ")", "@", "a@b(c=d"])
def test_what_others_wrote_is_no_error(by: str) -> None:
    assert isinstance(Signature.read(by).name, str)


def test_maybe_is_no_answer() -> None:
    assert Words().read({"folded": "No"})["folded"] is False
    with pytest.raises(BadName, match="'maybe' is neither yes nor no"):
        Words().read({"folded": "maybe"})
