"""A server of language models that speaks as OpenAI's does: ollama, vLLM, llama.cpp's, or a hosted one.

What may pass is tried again, with pauses that grow: a server that is not there yet, that is overloaded, or whose answer did not
come whole. All else is said at once.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import TracebackType
from typing import Any, Self

from harmgraph.common.clean_text import one_line, whole_letters
from harmgraph.common.endpoint.address import EndpointAddress, read_address
from harmgraph.common.endpoint.connections import Connections, HttpAnswer, NoAnswer
from harmgraph.common.endpoint.key import VARIABLE, read_key, shown_variable
from harmgraph.common.errors import EndpointError, EndpointRefused
from harmgraph.common.json_text import from_json

ATTEMPTS = 5
PAUSE_S = 0.5
"""The first pause; each later one is twice as long."""
LONGEST_PAUSE_S = 60.0
TIMEOUT_S = 120.0
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_REFUSED = frozenset({400, 413, 422})
_FAILED = 500
_PROBES = 2
"""After so many failures a server is taken not to know a kind of question."""
_SHOWN = 160


class EndpointFailed(EndpointRefused):
    """The server fails at a kind of question that it may not know. It may only be unwell."""


class Stopped(Exception):
    """The run was stopped while a question was under way."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model of a server.

    Attributes:
        name: by which it is asked.
        server: how the server calls itself, or who it says owns the model; empty if it does not say.
    """

    name: str
    server: str


class Endpoint:
    """A server and the connections to it, inside a ``with`` block; several threads may use it.

    Args:
        address: see ``read_address``.
        variable: name of the environment variable with the key.
        timeout_s: how long one answer may take.

    Raises:
        BadName, InputError: as ``read_address`` and ``read_key``.
    """

    def __init__(self, address: str, *, variable: str = VARIABLE, timeout_s: float = TIMEOUT_S) -> None:
        self.address: EndpointAddress = read_address(address)
        self._variable = variable
        self._key = read_key(variable, self.address)
        self._connections = Connections(self.address, self._key, timeout_s)
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._connections.close()

    def stop(self) -> None:
        """Ends what is under way: other threads get ``Stopped``."""
        self._stopping.set()
        self._connections.interrupt()

    def model(self, name: str) -> ServedModel:
        """A model of the server, by its name; without a name the only one that it has.

        A server that does not list its models is believed to have it.

        Raises:
            EndpointError: no server is there, it wants another key, or it has no such model.
        """
        try:
            answer = self._request("GET", "/models", None, patient=False)
            rows = answer.content["data"]
            owners = {row["id"]: row.get("owned_by") for row in rows if _is_whole(row["id"])}
            server = answer.server
        except (EndpointRefused, KeyError, TypeError, AttributeError):
            if not name:
                raise self._error("does not list its models", "name the one to ask: --model NAME") from None
            return ServedModel(name, "")
        there = list(owners)
        if not name and len(there) == 1:
            name = there[0]
        if name in owners:
            owner = owners[name]
            return ServedModel(name, one_line(owner)[:60] if isinstance(owner, str) and owner else server)
        if f"{name}:latest" in owners:  # as ollama reads it
            return ServedModel(name, one_line(str(owners[f"{name}:latest"] or server))[:60])
        near = get_close_matches(name, there, n=3, cutoff=0.4) or there[:5]
        listed = f"it has {', '.join(near)}" if near else "it has none"
        if not name:
            raise self._error(f"has {len(there):,} models", f"choose one with --model: {listed}")
        raise self._error(f"has no model named {name!r}", f"{listed}; choose with --model")

    def post(self, path: str, question: Mapping[str, Any], *, probing: bool = False) -> Mapping[str, Any]:
        """Asks, and returns the answer's JSON object.

        Args:
            probing: whether the server may not know this kind of question. Some then fail instead of refusing it.

        Raises:
            EndpointRefused: the server refuses this question.
            EndpointError: it is not there, wants another key, or answers what cannot be used, after all attempts.
            Stopped: ``stop`` was called.
        """
        return self._request("POST", path, json.dumps(question).encode(), probing=probing).content

    def _request(
        self, method: str, path: str, body: bytes | None, *, patient: bool = True, probing: bool = False
    ) -> _Answer:
        """An answer in JSON.

        Args:
            patient: whether to try again where no answer comes. probing: see ``post``.
        """
        failures = 0
        for attempt in range(1, ATTEMPTS + 1):
            asked_to_wait = 0.0
            try:
                answer = self._connections.request(method, path, body)
            except NoAnswer as error:
                why = str(error)
                if not patient:
                    raise self._error(why, "start it, or name another with --endpoint") from error
            else:
                if answer.status == 200:
                    content = _object(answer.body)
                    if content is not None:
                        return _Answer(content, one_line(answer.headers.get("server", ""))[:60])
                    why = "answers what is not a JSON object"
                elif probing and answer.status == _FAILED and (failures := failures + 1) == _PROBES:
                    raise EndpointFailed(f"fails ({_FAILED}{self._said(answer)})", where=str(self.address))
                elif answer.status in _PASSING:
                    why = f"is overloaded or failed ({answer.status}{self._said(answer)})"
                    asked_to_wait = _seconds(answer.headers.get("retry-after", ""))
                else:
                    raise self._refusal(answer, path)
            if self._stopping.is_set():
                raise Stopped
            # Not all at the same time again; what is answered does not depend on it.
            pause = PAUSE_S * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
            if attempt < ATTEMPTS and self._stopping.wait(min(max(pause, asked_to_wait), LONGEST_PAUSE_S)):
                raise Stopped
        raise self._error(f"{why} (tried {ATTEMPTS} times)", "run the same command again when the server is well")

    def _refusal(self, answer: HttpAnswer, path: str) -> EndpointError:
        status = answer.status
        if status in (401, 403):
            if self._key:
                return self._error(f"refuses the key in {self._variable} ({status})", "set the variable to a valid key")
            return self._error(
                f"wants a key ({status})",
                f"set {shown_variable(self._variable)}, or name another: --key-from NAME",
            )
        if status in _REFUSED or (status == 404 and path == "/models"):
            return EndpointRefused(f"refuses this ({status}{self._said(answer)})", where=str(self.address))
        if status == 404:
            return self._error(
                f"has no {self.address.path}{path}, or no such model (404{self._said(answer)})",
                "check --endpoint, which usually ends in /v1, and --model",
            )
        if 300 <= status < 400:
            return self._error(f"sends on to another address ({status})", "name that with --endpoint")
        return self._error(f"refuses ({status}{self._said(answer)})", "check --endpoint and --model")

    def _said(self, answer: HttpAnswer) -> str:
        """What a server says of an error, without the key, if it says it as usual."""
        said: Any = _object(answer.body)
        for name in ("error", "message", "detail"):
            if isinstance(said, Mapping) and name in said:
                said = said[name]
        if not isinstance(said, str) or not said:
            return ""
        said = said.replace(self._key, "…") if self._key else said
        return f": {one_line(said)[:_SHOWN]}"

    def _error(self, what: str, remedy: str) -> EndpointError:
        return EndpointError(what, where=str(self.address), remedy=remedy)


@dataclass(frozen=True, slots=True)
class _Answer:
    content: Mapping[str, Any]
    server: str


def _object(body: bytes) -> Mapping[str, Any] | None:
    try:
        content = from_json(body)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _is_whole(name: Any) -> bool:
    """Whether a model's name can be written to a graph; one with half a character cannot."""
    return isinstance(name, str) and name == whole_letters(name)


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:  # a date: the pause of our own does
        return 0.0
