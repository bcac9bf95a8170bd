"""The client against a server that fails in every way that servers fail."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from harmgraph.common.endpoint import connections, endpoint
from harmgraph.common.endpoint.asking import in_parallel
from harmgraph.common.endpoint.chat import ChatModel, ChatQuestion, Turn
from harmgraph.common.endpoint.endpoint import ATTEMPTS, Endpoint, Stopped
from harmgraph.common.errors import EndpointError, EndpointRefused
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint, said

GOOD = said("fine")
QUESTION = ChatQuestion(turns=(Turn("user", "well?"),), schema={"type": "object"}, probabilities=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PAUSE_S", 0.001)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def after(*replies: Reply) -> ScriptedEndpoint:
    """A server that gives these replies one after the other, and then a good one."""
    left = list(replies)
    return ScriptedEndpoint(lambda asked: left.pop(0) if left else GOOD)


def asked_of(server: ScriptedEndpoint, *, timeout_s: float = 20.0) -> str:
    with Endpoint(server.address, timeout_s=timeout_s) as there:
        return ChatModel(there, "scripted-1").ask(QUESTION).text


@pytest.mark.parametrize(
    "fault",
    [
        Reply({"error": {"message": "slow down"}}, 429),
        Reply({"error": "busy"}, 503),
        Reply(b"{", 502),
        Reply(closes=True),
        Reply(b'{"choices": [', announced=500),
        Reply(b'{"choices": ['),
        Reply([1, 2]),
        Reply(b"\xff\xfe"),
        Reply(b"[" * 100_000),
    ],
    ids=["429", "503", "502", "closed", "half", "cut", "other", "bytes", "nested"],
)
def test_what_passes_is_tried_again(fault: Reply) -> None:
    with after(fault, fault) as server:
        assert asked_of(server) == "fine"
        assert len(server.asked) == 3
    with after(*[fault] * ATTEMPTS) as server, pytest.raises(EndpointError, match=rf"tried {ATTEMPTS} times"):
        asked_of(server)


class Waits(threading.Event):
    """Notes how long it would wait."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.seconds.append(timeout)
        return self.is_set()


def waited_of(server: ScriptedEndpoint) -> list[float | None]:
    """The pauses before a good answer."""
    with Endpoint(server.address) as there:
        there._stopping = waits = Waits()
        assert ChatModel(there, "scripted-1").ask(QUESTION).text == "fine"
    return waits.seconds


def test_a_slow_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with after(Reply(after_s=1.0)) as server:
        assert asked_of(server, timeout_s=0.2) == "fine"
    with after(*[Reply(after_s=1.0)] * 9) as server, pytest.raises(EndpointError, match=r"within 0.2 seconds"):
        asked_of(server, timeout_s=0.2)


def test_it_waits_as_long_as_the_server_asks() -> None:
    with after(Reply(b"{}", 429, {"Retry-After": "0.3"})) as server:
        assert waited_of(server) == [0.3]
    with after(Reply(b"{}", 429, {"Retry-After": "Fri, 31 Dec 2027 23:59:59 GMT"})) as server:
        (pause,) = waited_of(server)
        assert pause < 0.01, "the usual one"
    with after(Reply(b"{}", 429, {"Retry-After": "9999"})) as server:
        assert waited_of(server) == [endpoint.LONGEST_PAUSE_S]


def test_an_answer_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LARGEST", 1_000)
    with after(*[Reply(b" " * 5_000)] * ATTEMPTS) as server, pytest.raises(EndpointError, match="as it should"):
        asked_of(server)


def test_a_connection_that_the_server_ended_meanwhile_is_made_again() -> None:
    with after() as server, Endpoint(server.address) as there:
        model = ChatModel(there, "scripted-1")
        assert model.ask(QUESTION).text == "fine"
        there._connections._idle[0].sock.shutdown(socket.SHUT_RDWR)
        assert model.ask(QUESTION).text == "fine"
        assert len(server.asked) == 2


def test_later_batches_use_the_connections_of_earlier_ones() -> None:
    """Each batch has threads of its own, and a run has many batches."""
    with ScriptedEndpoint(lambda asked: Reply(GOOD.body, after_s=0.02)) as server, Endpoint(server.address) as there:
        model = ChatModel(there, "scripted-1")
        for _ in range(6):
            said = in_parallel(lambda _: model.ask(QUESTION), range(8), 4, stopped=lambda: False, stop=there.stop)
            assert len(list(said)) == 8
        connections = there._connections
        assert 1 <= len(connections._idle) <= 4
        assert not connections._busy
    assert not connections._idle


def test_no_server() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Endpoint(address) as there, pytest.raises(EndpointError, match="no server is there; start it"):
            there.model("")


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedEndpoint(key="right") as server:
        with Endpoint(server.address) as there, pytest.raises(EndpointError, match=r"wants a key .*OPENAI_API_KEY"):
            there.model("")
        monkeypatch.setenv("MINE", "wrong-and-secret")
        with Endpoint(server.address, variable="MINE") as there:
            with pytest.raises(EndpointError, match="refuses the key in MINE") as caught:
                there.model("")
            assert "secret" not in str(caught.value), "the server said it"
        monkeypatch.setenv("MINE", "right")
        with Endpoint(server.address, variable="MINE") as there:
            assert there.model("").name == "scripted-1"


def test_a_server_that_says_the_key_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "right-and-secret")
    ended = Reply({"error": "right-and-secret is at its end"}, 418)
    with ScriptedEndpoint(lambda asked: ended) as server, pytest.raises(EndpointError, match="its end") as caught:
        asked_of(server)
    assert "secret" not in str(caught.value)


def test_what_may_be_the_key_is_not_shown() -> None:
    """Somebody gave the key where the name of a variable belongs."""
    with ScriptedEndpoint(key="right") as server:
        for given, shown in (("gsk_AbC123", False), ("MY_KEY_9", True)):
            with (
                Endpoint(server.address, variable=given) as there,
                pytest.raises(EndpointError, match="wants") as caught,
            ):
                there.model("")
            assert (given in str(caught.value)) is shown


def test_models() -> None:
    with ScriptedEndpoint(models=("llama-3", "qwen"), owner="me") as server, Endpoint(server.address) as there:
        assert (there.model("qwen").name, there.model("qwen").server) == ("qwen", "me")
        with pytest.raises(EndpointError, match="has no model named 'lama-3'; it has llama-3"):
            there.model("lama-3")
        with pytest.raises(EndpointError, match="has 2 models; choose one with --model"):
            there.model("")
    none = pytest.raises(EndpointError, match="has no model named 'x'; it has none")
    with ScriptedEndpoint(models=()) as server, Endpoint(server.address) as there, none:
        there.model("x")
    with ScriptedEndpoint(models=None) as server, Endpoint(server.address) as there:
        assert there.model("x").name == "x", "a server that lists none is believed"
        with pytest.raises(EndpointError, match="does not list its models"):
            there.model("")
    with ScriptedEndpoint(models=("smollm2:latest",)) as server, Endpoint(server.address) as there:
        assert there.model("smollm2").server == "scripted"
    with ScriptedEndpoint(models=("odd-\ud800", "fine")) as server, Endpoint(server.address) as there:
        assert there.model("").name == "fine", "a graph cannot hold the other name"


def test_redirections_are_not_followed() -> None:
    moved = Reply(b"", 307, {"Location": "http://example.org/"})
    with (
        ScriptedEndpoint(lambda asked: moved) as server,
        pytest.raises(EndpointError, match=r"another address \(307\)"),
    ):
        asked_of(server)


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_without_schemas_or_probabilities(status: int) -> None:
    """It finds out once what the server knows, whether that refuses or fails."""

    def answer(asked: Mapping[str, Any]) -> Reply:
        return Reply({"detail": "no such field"}, status) if {"response_format", "logprobs"} & set(asked) else GOOD

    with ScriptedEndpoint(answer) as server, Endpoint(server.address) as there:
        model = ChatModel(there, "scripted-1")
        assert model.ask(QUESTION).text == "fine"
        assert model.lacks == "JSON schemas and probabilities of tokens"
        before = len(server.asked)
        assert model.ask(QUESTION).text == "fine"
        assert len(server.asked) == before + 1


def test_a_server_that_is_unwell_at_first_is_not_taken_to_know_less() -> None:
    """A dozen failures in a row would else take a whole run to answers without probabilities."""
    with after(*[Reply({"error": "out of memory"}, 500)] * 12) as server, Endpoint(server.address) as there:
        model = ChatModel(there, "scripted-1")
        assert model.ask(QUESTION).text == "fine"
        assert model.ask(QUESTION).text == "fine"
        assert server.asked[-1]["top_logprobs"] == 20
        assert server.asked[-1]["response_format"]["type"] == "json_schema"
        assert not model.lacks


def test_a_server_that_fails_at_everything_is_unwell() -> None:
    failing = Reply({"error": "out of memory"}, 500)
    with ScriptedEndpoint(lambda asked: failing) as server, Endpoint(server.address) as there:
        with pytest.raises(EndpointError, match="again when the server is well") as caught:
            ChatModel(there, "scripted-1").ask(QUESTION)
        assert not isinstance(caught.value, EndpointRefused), "it would count as an answer"


def test_a_server_that_gives_few_probabilities() -> None:
    few = Reply({"error": "top_logprobs must be 5 or less"}, 400)
    with ScriptedEndpoint(lambda asked: few if asked.get("top_logprobs", 0) > 5 else GOOD) as server:
        asked_of(server)
        assert server.asked[-1]["top_logprobs"] == 5
        assert server.asked[-1]["response_format"]["type"] == "json_schema"


def test_it_asks_for_the_schema() -> None:
    with after() as server:
        asked_of(server)
        (asked,) = server.asked
    assert asked["response_format"]["json_schema"]["schema"] == QUESTION.schema
    assert (asked["temperature"], asked["logprobs"], asked["stream"]) == (0, True, False)


def test_a_server_that_refuses_everything() -> None:
    with (
        ScriptedEndpoint(lambda asked: Reply({"error": "no chat here"}, 400)) as server,
        Endpoint(server.address) as there,
    ):
        model = ChatModel(there, "scripted-1")
        for _ in range(2):
            with pytest.raises(EndpointRefused):
                model.ask(QUESTION)
        with pytest.raises(EndpointError, match="no chat here") as caught:
            model.ask(QUESTION)
        assert not isinstance(caught.value, EndpointRefused), "it is not of this question alone"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": []},
        {"choices": [7]},
        {"choices": [{"message": {"content": None}}]},
        {"choices": [{"message": {"content": ["a"]}}], "usage": {"total_tokens": "many"}},
        {"choices": "x", "usage": 3},
    ],
)
def test_other_json_is_an_empty_answer(body: Any) -> None:
    with ScriptedEndpoint(lambda asked: Reply(body)) as server, Endpoint(server.address) as there:
        answer = ChatModel(there, "scripted-1").ask(QUESTION)
    assert (answer.text, answer.used) == ("", None)


def test_it_stops_at_once() -> None:
    with ScriptedEndpoint(lambda asked: Reply(after_s=30.0)) as server, Endpoint(server.address) as there:
        caught: list[BaseException] = []

        def ask() -> None:
            try:
                ChatModel(there, "scripted-1").ask(QUESTION)
            except Stopped as error:
                caught.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        while not server.asked:
            time.sleep(0.01)
        there.stop()
        thread.join(20)
        assert not thread.is_alive()
        assert len(caught) == 1


def test_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with after() as server:
        assert asked_of(server) == "fine"


def test_a_question_is_json() -> None:
    with after() as server, Endpoint(server.address) as there:
        odd = 'a "quoted" \n line, \ud800 and 日本'
        ChatModel(there, "scripted-1").ask(ChatQuestion(turns=(Turn("user", odd),), schema={}))
        assert server.asked[0]["messages"][0]["content"] == odd
        assert json.dumps(server.asked[0])
