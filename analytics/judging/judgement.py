"""Reads a model's answer, and its score from the probabilities of its tokens. What is not in the form is not read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from harmgraph.analytics.judging.question import FIELD
from harmgraph.common.endpoint.chat import ChatAnswer, SaidToken
from harmgraph.common.json_text import from_json_once

_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)


def read_answer(answer: ChatAnswer, names: Sequence[str]) -> str | None:
    """The one of these names that an answer gives.

    None if it is cut, or is anything else than ``{"label": NAME}`` or the bare name.
    """
    if not answer.whole:
        return None
    text = answer.text.strip()
    if fenced := _FENCE.fullmatch(text):
        text = fenced[1]
    word = text.lower().strip('".')
    if word in names:
        return word
    try:
        value = from_json_once(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or list(value) != [FIELD] or value[FIELD] not in names:
        return None
    return str(value[FIELD])


def probabilities(answer: ChatAnswer, name: str, names: Sequence[str]) -> dict[str, float] | None:
    """The probability of each name where the model began to say one, among these; None if the tokens do not tell.

    Args:
        name: that the answer gives, see ``read_answer``.
    """
    # In the tokens themselves: some servers cut spaces off the text, or give the tokens of thoughts before it.
    place = "".join(token.text for token in answer.tokens).lower().rfind(name)
    said = 0
    for token in answer.tokens:
        if said <= place < said + len(token.text):
            return _among(token, token.text[: place - said], name, names)
        said += len(token.text)
    return None


def _among(token: SaidToken, before: str, name: str, names: Sequence[str]) -> dict[str, float] | None:
    """Sums the tokens by the only name that each can begin.

    Args:
        before: what stands before the name in its token, such as a quotation mark.
    """
    sums = dict.fromkeys(names, 0.0)
    for text, log in token.alternatives.items():
        if not text.startswith(before):
            continue
        begun = text[len(before) :].lower()
        meant = [each for each in names if begun and (each.startswith(begun) or begun.startswith(each))]
        if len(meant) == 1:
            sums[meant[0]] += math.exp(log)
    total = sum(sums.values())
    if not sums[name] or not math.isfinite(total):
        return None
    return {each: share / total for each, share in sums.items()}


def balance(shares: Mapping[str, float]) -> float:
    """The score of shares of names in their order: the first, such as favouritism, less the last, -1 to 1."""
    first, *_, last = shares.values()
    return max(-1.0, min(1.0, first - last))


def shares_of(votes: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """The share of each of these names among votes, at least one."""
    return {name: votes.count(name) / len(votes) for name in names}


def majority(shares: Mapping[str, float]) -> str | None:
    """The name with the most votes; None if two have as many."""
    most = max(shares.values())
    first = [name for name, share in shares.items() if share == most]
    return first[0] if len(first) == 1 else None
