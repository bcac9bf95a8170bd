"""Masks hide the group and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.analytics.labelling.masking import MASK, Masks, mask_head, mask_sentence, mask_spans, mask_triple
from harmgraph.common.plural import plural


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


@pytest.mark.parametrize(
    ("triple", "names", "masked"),
    [
        (("german", "is related to", "muslim"), ["german", "muslim"], f"{MASK} is related to {MASK}"),
        (("devil", "is related to", "lawyer"), ["lawyer"], f"devil is related to {MASK}"),
        # As in the texts released with the paper: the target's own words in the other end too, and no other target's.
        (("american journalist", "is a", "journalist"), ["journalist"], f"american {MASK} is a {MASK}"),
        (("journalist", "is a", "writer"), ["journalist"], f"{MASK} is a writer"),
        (("ham", "is a", "meat"), [], "ham is a meat"),
    ],
)
def test_mask_triple(triple: tuple[str, str, str], names: list[str], masked: str) -> None:
    assert mask_triple(*triple, names) == masked


def test_the_other_rule_masks_every_listed_target() -> None:
    every = Masks(Masks.ALL, ("american", "journalist", "writer"))
    assert every.triple("american journalist", "is a", "writer", [["writer"]]) == f"{MASK} {MASK} is a {MASK}"
    assert every.statement("lawyer is a writer", [["lawyer"]], "lawyer") == f"lawyer is a {MASK}"
    assert Masks().statement("lawyer is a writer", [["lawyer"]], "lawyer") == f"{MASK} is a writer"


def test_a_label_says_by_which_rule_and_list() -> None:
    assert Masks().signed("vader@3.3.2") == "vader@3.3.2"
    one, other = (Masks(Masks.ALL, names).signed("vader@3.3.2(positive=0.9)") for names in (("a", "b"), ("a",)))
    assert one.startswith("vader@3.3.2(positive=0.9,masks=all:")
    assert one != other
    assert one == Masks(Masks.ALL, ("b", "a", "a")).signed("vader@3.3.2(positive=0.9)")


def test_of_a_generated_statement_the_head_alone_is_masked() -> None:
    assert mask_head("lawyer is related to lawyer", "lawyer") == "this person is related to lawyer"
    assert mask_head("a lawyer is a person", "lawyer") == "a lawyer is a person"


def test_places_that_were_found_are_masked_and_no_others() -> None:
    text = "An African American met an American."
    assert mask_spans(text, [27, 35, 3, 19]) == "An this person met an this person."
    assert mask_spans(text, [3, 19, 11, 23]) == "An this person an American."  # two lists' names overlap
    names = [["african american"], ["american"]]
    assert Masks().statement(text, names, None, [3, 19]) == "An this person met an American."
    assert (
        Masks(Masks.ALL, ("american",)).statement(text, names, None, [3, 19])
        == "An African this person met an this person."
    )
    assert Masks(Masks.NONE).statement(text, names, None, [3, 19]) == text
