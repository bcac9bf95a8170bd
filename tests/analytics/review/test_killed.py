"""A review that is killed loses nothing: each judgement is in the file before the page goes on."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.drawn_sample import read, sample_file
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.graph.connection import Graph
from tests.support.commands import command
from tests.support.reviewing import labelled

NAMES = {"favouritism": "positive", "neutral": "neutral", "prejudice": "negative"}


def started(path: Path) -> tuple[subprocess.Popen[str], int, str]:
    """The command, with the port and the token of its page."""
    options = ("--into", str(path), "--size", "6", "--port", "0", "--no-launch", "--no-progress", "--blind")
    process = command("review", *options, stdout=subprocess.PIPE)
    assert process.stdout
    for line in process.stdout:
        found = re.search(r"http://localhost:(\d+)/#(\S+)", line)
        if found:
            return process, int(found[1]), found[2]
    raise AssertionError(process.communicate()[1])


def ask(port: int, token: str, path: str, **asked: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    origin = f"http://localhost:{port}"
    headers = {"Host": f"localhost:{port}", "Origin": origin, "X-Harmgraph-Token": token}
    connection.request("POST", path, json.dumps({"annotator": "ann", **asked}), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.status == 200, text
    state: dict[str, Any] = json.loads(text)
    return state


def test_nothing_is_lost_by_a_kill(graph: Graph, tmp_path: Path) -> None:
    labelled(graph)
    path = tmp_path / "ours.csv"
    made: list[tuple[str, str]] = []
    for given in (
        "prejudice",
        "favouritism",
        "neutral",
    ):  # each time it goes on, is killed after a judgement, and is not done
        process, port, token = started(path)
        try:
            state = ask(port, token, "/show")
            assert state["done"] == len(made)
            sentence = state["item"]["sentence"]
            ask(port, token, "/judge", id=state["item"]["id"], label=given)
            made.append((sentence, NAMES[given]))
        finally:
            process.kill()  # SIGKILL, in the moment in which the page has its answer
            process.communicate()
        assert [(judgement.sentence, judgement.label) for judgement in Judgements(path)] == made
    assert len(read(sample_file(path)).items) == 6
