"""Only the page itself, with the address's token, may see statements and judge them."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harmgraph.analytics.review.review_server import Look, ReviewServer
from harmgraph.analytics.review.session import Review
from harmgraph.graph.connection import Graph
from tests.support.reviewing import labelled, review_of


@pytest.fixture
def server(review: Review) -> Iterator[ReviewServer]:
    with ReviewServer(review, Look(rest_every=2)) as running:
        yield running


def ask(server: ReviewServer, path: str, body: object = None, method: str = "POST", **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    sent = {"Host": f"localhost:{server.port}", "Origin": server.origin, "X-Harmgraph-Token": server.token}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, path, data if method == "POST" else None, {k: v for k, v in sent.items() if v})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, json.loads(said) if answer.headers.get("Content-Type") == "application/json" else said


def test_a_judgement_by_the_page(server: ReviewServer, review: Review) -> None:
    status, state = ask(server, "/show", {"annotator": " ann "})
    assert (status, state["done"], state["total"], state["previous"]) == (200, 0, 6, None)
    item = state["item"]
    assert item["sentence"] == review.sample.items[0].sentence
    told = json.dumps(state)
    assert "vader" not in told, "the scorer's label is hidden until a person has judged"
    status, state = ask(server, "/judge", {"annotator": "ann", "id": item["id"], "label": "prejudice"})
    assert (status, state["done"], state["rest"]) == (200, 1, False)
    assert state["previous"]["label"] == "prejudice"
    assert "vader" not in json.dumps(state), "the judgement can yet be taken back"
    _, state = ask(server, "/judge", {"annotator": "ann", "id": state["item"]["id"], "label": "neutral"})
    assert state["rest"] is True
    assert (state["previous"]["label"], state["told"]["label"]) == ("neutral", "prejudice")
    assert state["told"]["scorer"]["label"] == review.sample.items[0].label
    assert [judgement.label for judgement in review.judgements] == ["negative", "neutral"]
    _, state = ask(server, "/undo", {"annotator": "ann"})
    assert (state["done"], state["previous"]["label"]) == (1, "prejudice")
    status, said = ask(server, "/undo", {"annotator": "ann"})
    assert status == 409
    assert "was shown, so it cannot be undone" in said
    _, state = ask(server, "/skip", {"annotator": "ann", "id": state["item"]["id"]})
    assert state["skipped"] == 1


def test_blind_and_masked(graph: Graph, tmp_path: Path) -> None:
    labelled(graph)
    with review_of(graph, tmp_path / "ours.csv") as review, ReviewServer(review, Look(masked=True)) as server:
        _, state = ask(server, "/show", {"annotator": "ann"})
        assert "this person" in state["item"]["sentence"]
        answers = [state]
        for _ in range(2):
            asked = {"annotator": "ann", "id": answers[-1]["item"]["id"], "label": "neutral"}
            answers.append(ask(server, "/judge", asked)[1])
    told = json.dumps(answers)
    assert not any(word in told for word in ("lawyer", "nurse", "vader"))
    assert next(iter(review.judgements)).sentence == review.sample.items[0].sentence


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": ""}, {"X_Harmgraph_Token": "x"}],
)
def test_nobody_else(server: ReviewServer, review: Review, headers: dict[str, str]) -> None:
    status, said = ask(server, "/show", {"annotator": "ann"}, **headers)
    assert status in (403, 421)
    assert "sentence" not in said
    status, _ = ask(
        server, "/judge", {"annotator": "a", "id": review.sample.items[0].id, "label": "neutral"}, **headers
    )
    assert status in (403, 421)
    assert len(review.judgements) == 0


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/judge", {"annotator": "ann", "id": "none", "label": "neutral"}, 409),
        ("/judge", {"annotator": "ann", "id": "none", "label": "lovely"}, 400),
        ("/judge", {"annotator": "ann"}, 400),
        ("/show", {"annotator": ""}, 400),
        ("/show", {"annotator": "a\x1b[2J"}, 400),
        ("/show", {"annotator": "a" * 61}, 400),
        ("/show", ["ann"], 400),
        ("/show", b"", 400),
        ("/show", b"{", 400),
        ("/show", b"[" * 20_000, 400),
        ("/show", b"[" * 9_000, 400),
        ("/show", b'{"annotator": ' + b"[" * 4_000 + b"]" * 4_000 + b"}", 400),
        ("/judge", b'{"annotator": "ann", "id": "none", "label": ' + b"[" * 500 + b"]" * 500 + b"}", 400),
        ("/elsewhere", {}, 404),
    ],
)
def test_what_the_page_never_asks(
    server: ReviewServer, review: Review, path: str, body: object, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask(server, path, body)[0] == status
    assert len(review.judgements) == 0
    assert capfd.readouterr().err == "", "a traceback"


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/review.js", 200), ("/../session.py", 404), ("/x", 404)])
def test_pages(server: ReviewServer, path: str, status: int) -> None:
    assert ask(server, path, method="GET")[0] == status
    assert server.token not in str(ask(server, path, method="GET")[1])
