"""A server of language models that says what a test wants, over real HTTP on the loopback.

By default it judges by words: kind is the first of the names that it may answer, such as favouritism, awful is the last, and
all else is the one between them.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.loopback_server import LoopbackServer

LIKELY = 0.8
NAMES = ("favouritism", "neutral", "prejudice")
_SENTENCE = re.compile(r'Sentence: (".*")', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answers.

    Attributes:
        body: bytes as they are, or what is written as JSON.
        announced: length that is announced; that of the body if None.
        after_s: how long it waits. closes: whether it ends the connection without a word.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    announced: int | None = None
    after_s: float = 0.0
    closes: bool = False


Answer = Callable[[Mapping[str, Any]], Reply]


def sentence_of(asked: Mapping[str, Any]) -> str:
    """The sentence that a judge is asked about."""
    match = _SENTENCE.fullmatch(asked["messages"][-1]["content"])
    assert match, "the sentence is quoted"
    return str(json.loads(match[1]))


def said(text: str, *, tokens: int | None = 100, logprobs: Any = None, finish: str = "stop") -> Reply:
    """A chat completion with this text."""
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish, "logprobs": logprobs}
    return Reply({"choices": [choice], **({"usage": {"total_tokens": tokens}} if tokens is not None else {})})


def name_of(sentence: str, names: Sequence[str] = NAMES) -> str:
    """How the scripted judge judges."""
    return names[0] if "kind" in sentence else names[2] if "awful" in sentence else names[1]


def names_in(asked: Mapping[str, Any]) -> Sequence[str]:
    """The names that a question allows as its answer; the usual ones if it has no schema."""
    schema = asked.get("response_format", {}).get("json_schema", {}).get("schema", {})
    return schema.get("properties", {}).get("label", {}).get("enum", NAMES)


def judged(asked: Mapping[str, Any]) -> Reply:
    """The answer of the scripted judge: with the probabilities of tokens if they are asked for."""
    names = names_in(asked)
    name = name_of(sentence_of(asked), names)
    text = json.dumps({"label": name})
    return said(text, logprobs=log_probabilities(name, names=names) if asked.get("logprobs") else None)


def log_probabilities(name: str, likely: float = LIKELY, names: Sequence[str] = NAMES) -> dict[str, Any]:
    """Tokens of an answer as servers give them; the others share what is left."""
    rest = (1 - likely) / (len(names) - 1)
    tops = [{"token": f'"{other[:3]}', "logprob": math.log(likely if other == name else rest)} for other in names] + [
        {"token": " ", "logprob": math.log(1e-6)}
    ]
    tokens = ['{"label": ', f'"{name[:3]}', name[3:], '"}']
    return {"content": [{"token": token, "logprob": -0.1, "top_logprobs": tops} for token in tokens]}


class ScriptedEndpoint(LoopbackServer):
    """Listens until the block ends.

    Args:
        answer: to questions. models: that it lists; None for a server that lists none. key: that it wants.

    Attributes:
        asked: the questions that it got, in their order. headers: of each request. most: questions at the same time, at most.
    """

    def __init__(
        self,
        answer: Answer = judged,
        *,
        models: tuple[str, ...] | None = ("scripted-1",),
        key: str = "",
        owner: str = "scripted",
    ) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self.answer = answer
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            server_version = "Scripted"
            timeout = 60
            disable_nagle_algorithm = True  # headers and body are two packets, and the second would wait 40 ms

            def do_GET(self) -> None:
                outer.headers.append(dict(self.headers))
                if key and self.headers.get("Authorization") != f"Bearer {key}":
                    self._send(Reply({"error": {"message": f"wrong key: {self.headers.get('Authorization')}"}}, 401))
                elif models is None or not self.path.endswith("/models"):
                    self._send(Reply({"error": "nothing here"}, 404))
                else:
                    self._send(Reply({"data": [{"id": name, "owned_by": owner} for name in models]}))

            def do_POST(self) -> None:
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._lock:
                    outer.headers.append(dict(self.headers))
                    outer.asked.append(question)
                    outer._now += 1
                    outer.most = max(outer.most, outer._now)
                try:
                    self._send(outer.answer(question))
                finally:
                    with outer._lock:
                        outer._now -= 1

            def _send(self, reply: Reply) -> None:
                if reply.after_s:
                    time.sleep(reply.after_s)
                if reply.closes:
                    self.close_connection = True
                    return
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body) if reply.announced is None else reply.announced))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                if reply.announced is not None:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                """Says nothing."""

        self._server = _Server(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        """What ``--endpoint`` names."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no error here."""
