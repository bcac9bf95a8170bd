"""Questions to a chat model, and its answers in a form that is known."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from harmgraph.common.clean_text import whole_letters
from harmgraph.common.endpoint.endpoint import Endpoint, EndpointFailed
from harmgraph.common.endpoint.token_budget import estimated
from harmgraph.common.errors import EndpointError, EndpointRefused

TOP = (20, 5, 0)
"""Likeliest tokens at each place that are asked for. Most servers refuse more than 20, and some more than 5."""
FORMS = ("json_schema", "json_object", "")
"""How the form of an answer is asked for, the strictest first."""
_REFUSALS = 3
_FULL_LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Turn:
    """A message. ``role`` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQuestion:
    """What is asked, and how the answer is drawn.

    Attributes:
        schema: JSON schema of the answer.
        answer_tokens: most tokens of the answer.
        probabilities: whether to ask for the likeliest tokens.
    """

    turns: tuple[Turn, ...]
    schema: Mapping[str, Any]
    temperature: float = 0.0
    seed: int = 0
    answer_tokens: int = 64
    probabilities: bool = False

    @property
    def tokens(self) -> int:
        """About how many tokens the question has."""
        return estimated(turn.content for turn in self.turns)


@dataclass(frozen=True, slots=True)
class SaidToken:
    """A token of an answer, and how probable it and others were there: natural logarithms by text."""

    text: str
    alternatives: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model says.

    Attributes:
        whole: whether the model ended it itself.
        tokens: empty if the server does not give them.
        used: tokens of question and answer by the server's count; None if it does not say.
    """

    text: str
    whole: bool
    tokens: tuple[SaidToken, ...] = ()
    used: int | None = None


class ChatModel:
    """A model of a server. What the server does not know, such as schemas of answers, is found out by the first question.

    Attributes:
        model: by which name it is asked.
        lacks: what the first question found the server to refuse, in words; empty for nothing.
    """

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self.model = model
        self.lacks = ""
        self._ways: list[tuple[str, int]] = [(form, top) for top in TOP for form in FORMS]
        self._known = False
        self._refusals = 0
        self._lock = threading.Lock()

    def ask(self, question: ChatQuestion) -> ChatAnswer:
        """Asks one question.

        Raises:
            EndpointRefused: the server refuses this question.
            EndpointError: as ``Endpoint.post``; or the first questions were all refused.
            Stopped: see ``Endpoint.stop``.
        """
        if self._known:
            return self._ask(question, *self._ways[0])
        with self._lock:
            return self._ask(question, *self._ways[0]) if self._known else self._ask_first(question)

    def _ask_first(self, question: ChatQuestion) -> ChatAnswer:
        refused: EndpointRefused | None = None
        failed: list[int] = []
        tried = 0
        for place, way in enumerate(self._ways):
            if way[1] and not question.probabilities:
                continue
            tried += 1
            try:
                answer = self._ask(question, *way, probing=True)
            except EndpointRefused as error:
                refused = refused or error
                if isinstance(error, EndpointFailed):
                    failed.append(place)
                continue
            chosen = place
            if failed:  # or was the server only unwell for a while?
                with suppress(EndpointRefused):
                    answer = self._ask(question, *self._ways[failed[0]], probing=True)
                    chosen = failed[0]
            del self._ways[:chosen]
            self._known = True
            self.lacks = _lacking(*self._ways[0], question.probabilities)
            return answer
        assert refused is not None
        if len(failed) == tried:  # it failed whatever was asked
            raise EndpointError(
                refused.what, where=refused.where, remedy="run the same command again when the server is well"
            ) from refused
        self._refusals += 1
        if self._refusals == _REFUSALS:
            raise EndpointError(refused.what, where=refused.where, remedy="check --model") from refused
        raise refused

    def _ask(self, question: ChatQuestion, form: str, top: int, *, probing: bool = False) -> ChatAnswer:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": turn.role, "content": turn.content} for turn in question.turns],
            "temperature": question.temperature,
            "seed": question.seed,
            "max_tokens": question.answer_tokens,
            "stream": False,
        }
        if form == "json_schema":
            named = {"name": "answer", "strict": True, "schema": question.schema}
            asked["response_format"] = {"type": form, form: named}
        elif form:
            asked["response_format"] = {"type": form, "schema": question.schema}
        if top and question.probabilities:
            asked |= {"logprobs": True, "top_logprobs": top}
        return _answer(self._endpoint.post("/chat/completions", asked, probing=probing))


def _lacking(form: str, top: int, probabilities: bool) -> str:
    lacks = ["JSON schemas"] * (form != FORMS[0]) + ["probabilities of tokens"] * (probabilities and not top)
    return " and ".join(lacks)


def _answer(content: Mapping[str, Any]) -> ChatAnswer:
    """The answer in what a server sent; an empty one if it has another form."""
    used = used_tokens(content)
    try:
        choice = content["choices"][0]
        text = choice["message"]["content"]
        whole = choice.get("finish_reason") != _FULL_LENGTH
    except (KeyError, IndexError, TypeError, AttributeError):
        return ChatAnswer("", False, used=used)
    if not isinstance(text, str):
        return ChatAnswer("", False, used=used)
    return ChatAnswer(whole_letters(text), whole, _tokens(choice), used)


def used_tokens(content: Mapping[str, Any]) -> int | None:
    """The tokens of a question and its answer, as a server counts them; None if it does not."""
    usage = content.get("usage")
    total = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    return total if isinstance(total, int) and not isinstance(total, bool) and total >= 0 else None


def _tokens(choice: Mapping[str, Any]) -> tuple[SaidToken, ...]:
    try:
        return tuple(
            SaidToken(each["token"], {other["token"]: _log(other["logprob"]) for other in each["top_logprobs"]})
            for each in choice["logprobs"]["content"]
        )
    except (KeyError, IndexError, TypeError, ValueError):
        return ()


def _log(value: Any) -> float:
    """A logarithm of a probability.

    Raises:
        ValueError, TypeError: it is none.
    """
    number = float(value)
    if math.isnan(number) or number > 1e-6:
        raise ValueError(number)
    return number
