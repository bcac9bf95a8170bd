"""Masks hide the group and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.analytics.labelling.masking import MASK, mask_head, mask_sentence, mask_triple, plural


@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("lawyer", "lawyers"),
        ("lady", "ladies"),
        ("boy", "boys"),
        ("man", "men"),
        ("woman", "women"),
        ("policeman", "policemen"),
        ("wife", "wives"),
        ("church", "churches"),
        ("actress", "actresses"),
        ("salesperson", "salespeople"),
        ("human", "humans"),
        ("real estate developer", "real estate developers"),
    ],
)
def test_plural(name: str, many: str) -> None:
    assert plural(name) == many


@pytest.mark.parametrize(
    ("text", "names", "masked"),
    [
        ("Lawyers are kind.", ["lawyer"], f"{MASK} are kind."),
        ("A LAWYER's car", ["lawyer"], f"A {MASK}'s car"),
        ("managers manage men", ["man"], f"managers manage {MASK}"),
        ("women and men", ["man", "woman"], f"{MASK} and {MASK}"),
        ("outlawyers", ["lawyer"], "outlawyers"),
        ("African_American poets", ["african american"], f"{MASK} poets"),
        ("african  americans", ["african american"], MASK),
        ("hairdressers and hairstylists", ["hairstylist", "hairdresser"], f"{MASK} and {MASK}"),
        ("C++ (or so)", ["c++"], f"{MASK} (or so)"),
        ("no target here", [], "no target here"),
    ],
)
def test_mask_sentence(text: str, names: list[str], masked: str) -> None:
    assert (mask_sentence(text, names) if names else text) == masked


@given(st.text(min_size=1, max_size=20).map(str.strip).filter(bool), st.text(max_size=40))
def test_no_name_breaks_the_pattern(name: str, text: str) -> None:
    assert isinstance(mask_sentence(text, [name]), str)


def test_mask_triple() -> None:
    assert (
        mask_triple("german", "is related to", "muslim", head_is_target=True, tail_is_target=True)
        == f"{MASK} is related to {MASK}"
    )
    assert (
        mask_triple("devil", "is related to", "lawyer", head_is_target=False, tail_is_target=True)
        == f"devil is related to {MASK}"
    )


def test_of_a_generated_statement_the_head_alone_is_masked() -> None:
    assert mask_head("lawyer is related to lawyer", "lawyer") == "this person is related to lawyer"
    assert mask_head("a lawyer is a person", "lawyer") == "a lawyer is a person"
