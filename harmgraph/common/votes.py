"""Votes of people on whether a triple is plausible, as the evaluation sets of Fang et al. 2021 have them."""

from __future__ import annotations

from harmgraph.common.json_text import from_json

VOTES_FOR = 3
"""The least sum of votes of a plausible triple."""
MOST = 1_000
"""The most that a vote counts; a greater number is not a vote."""


def plausible(votes: str) -> bool | None:
    """Whether the sum of a JSON list of votes is enough; None if it is not a list of numbers, or has none."""
    cast = cast_votes(votes)
    return None if cast is None else bool(sum(cast) >= VOTES_FOR)


def cast_votes(votes: str) -> list[float] | None:
    """The votes of a JSON list; None if it is not a list of numbers, or has none."""
    try:
        counted = from_json(votes)
    except ValueError:
        return None
    if not isinstance(counted, list) or not counted:
        return None
    # A NaN is not at most anything, so it is not a vote either.
    if not all(type(vote) in (int, float) and abs(vote) <= MOST for vote in counted):
        return None
    return counted
