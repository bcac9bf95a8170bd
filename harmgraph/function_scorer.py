"""A scorer made of a function, for ``KnowledgeBase.label``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, Score, Scorer

Opinion = float | str | None
"""What a function says of a sentence: a number (above 0 positive, below 0 negative), a label, or nothing."""


class FunctionScorer(Scorer):
    """Labels with a function of one masked sentence. Its version is a digest of its code: another code labels anew.

    Values that the function finds outside itself are not in the digest: ``label`` does not see that they changed.
    """

    citation = "a function of yours"
    workers = False  # a lambda cannot be sent to another process

    def __init__(self, function: Callable[[str], Opinion], measure: str) -> None:
        """Takes the function.

        Raises:
            BadName: there is no measure to write.
        """
        if not measure:
            raise BadName("measure", measure, "is missing: a function needs one, such as measure='mine'")
        self._function = function
        self.name = "".join(letter if letter.isalnum() else "_" for letter in getattr(function, "__name__", "function"))  # type: ignore[misc]
        self.measure = measure  # type: ignore[misc]

    @property
    def version(self) -> str:
        code = getattr(self._function, "__code__", None)
        said = _content(code) if code else repr(type(self._function))
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> Sequence[Score | None]:
        return [_score(self._function(text)) for text in texts]


def _score(opinion: Opinion) -> Score | None:
    if opinion is None:
        return None
    if isinstance(opinion, str):
        return Score(opinion, {POSITIVE: 1.0, NEGATIVE: -1.0}.get(opinion, 0.0))
    value = min(1.0, max(-1.0, float(opinion)))
    return Score(POSITIVE if value > 0 else NEGATIVE if value < 0 else NEUTRAL, value)


def _content(code: CodeType) -> str:
    """What a function does, without where it stands: instructions, names and constants, those of functions in it too."""
    constants = [_content(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, constants))
