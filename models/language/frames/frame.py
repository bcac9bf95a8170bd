"""A predicted social bias frame, and which assignments of its variables are consistent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from harmgraph.common.frames import VARIABLES
from harmgraph.models.language.frames.posts import Values

OFFENSIVE, INTENT, LEWD, TARGETED, IN_GROUP = range(len(VARIABLES))
"""Places in ``VARIABLES``."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a model says of a post.

    Attributes:
        values: 0 or 1; None for a variable that cannot take a value, such as the group of an inoffensive post.
        probabilities: of yes, at the place where the model chose; None where it did not come to it.
        group, implied: what it says about whom; empty for nothing.
        log_probability: natural, of the whole frame among those that have its form; None of a classifier.
        whole: False of a frame that a token ended which cannot stand at its place. Only free decoding gives one.
    """

    values: Values
    probabilities: Values
    group: str = ""
    implied: str = ""
    log_probability: float | None = None
    whole: bool = True


def assignments(with_text: bool) -> Iterator[Values]:
    """Every consistent assignment (section 2 and figure 4 of the paper).

    What is inoffensive has no intent to offend, and nobody is asked about its group. Only what targets a group implies
    something, and can be said by a member of it.

    Args:
        with_text: whether a group and a statement are there to be used; without, no group can be targeted.
    """
    for lewd in (0.0, 1.0):
        yield (0.0, 0.0, lewd, None, None)
        for intent in (0.0, 1.0):
            yield (1.0, intent, lewd, 0.0, None)
            if with_text:
                for in_group in (0.0, 1.0):
                    yield (1.0, intent, lewd, 1.0, in_group)


def is_consistent(values: Values) -> bool:
    """Whether an assignment is one of ``assignments``."""
    return values in set(assignments(with_text=True))


def constrained(frame: Frame) -> Frame:
    """The frame with its most probable consistent assignment, given the text and the probabilities of one decoding.

    The probability of an assignment is the product of those of its variables; one that cannot take a value counts as no, so that
    an assignment is not better for having fewer of them. Of equals the first counts.
    """
    best = max(assignments(with_text=bool(frame.group)), key=lambda values: _log(values, frame.probabilities))
    targeted = best[TARGETED] == 1.0
    return replace(frame, values=best, group=frame.group if targeted else "", implied=frame.implied if targeted else "")


def _log(values: Values, probabilities: Values) -> float:
    total = 0.0
    for value, probability in zip(values, probabilities, strict=True):
        if probability is not None:
            total += math.log(max(probability if value else 1 - probability, 1e-12))
    return total
