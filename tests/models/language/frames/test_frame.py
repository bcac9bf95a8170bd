"""Consistent assignments, and the most probable of them."""

from __future__ import annotations

from itertools import product

from harmgraph.models.language.frames.frame import Frame, assignments, constrained, is_consistent

# offensive, intent, lewd, group targeted, in group


def test_the_consistent_assignments() -> None:
    every = list(assignments(with_text=True))
    assert len(every) == len(set(every)) == 14
    assert len(list(assignments(with_text=False))) == 6
    for values in product((0.0, 1.0, None), repeat=5):
        offensive, intent, lewd, targeted, in_group = values
        expected = (
            None not in (offensive, intent, lewd)
            and (offensive == 1 or (intent == 0 and targeted is None))
            and (offensive == 0 or targeted is not None)
            and ((targeted == 1) == (in_group is not None))
        )
        assert is_consistent(values) == expected, values


def test_a_contradiction_is_resolved_by_the_product_of_the_probabilities() -> None:
    said = Frame((0, 1, 0, 1, 0), (0.4, 0.9, 0.1, 0.9, 0.2), "women", "women park badly", -3.0)
    # 0.4 * 0.9 * 0.9 * 0.9 * 0.8 against 0.6 * 0.1 * 0.9 * 0.1 * 0.8.
    assert constrained(said).values == (1, 1, 0, 1, 0)
    assert constrained(said).implied == "women park badly"


def test_a_text_goes_with_its_group() -> None:
    said = Frame((0, 0, 0, 1, 0), (0.1, 0.1, 0.1, 0.6, 0.4), "women", "women park badly", -3.0)
    made = constrained(said)
    # 0.9 * 0.9 * 0.9 * 0.4 * 0.6 against 0.1 * 0.9 * 0.9 * 0.6 * 0.6.
    assert made.values == (0, 0, 0, None, None)
    assert (made.group, made.implied) == ("", "")


def test_without_a_text_no_group_is_targeted() -> None:
    said = Frame((1, 1, 0, 0, None), (0.9, 0.9, 0.1, 0.45, None))
    assert constrained(said).values == (1, 1, 0, 0, None)
