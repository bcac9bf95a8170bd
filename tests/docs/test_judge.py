"""The page on the judge: its commands run in their order against the scripted server, and its rubric is the usual one."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.judging.rubric import USUAL, read_rubrics
from harmgraph.common.endpoint.answer_cache import FOLDER
from harmgraph.common.frames import VARIABLES
from harmgraph.common.whole_file import delete
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Target
from tests.support.filling import fill, triple
from tests.support.page import blocks
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint, judged, said

PAGE = "judge.md"
ADDRESS = "http://127.0.0.1:11434/v1"


def answer(asked: Mapping[str, Any]) -> Reply:
    """Whatever is asked of it: a judgement, a text or a frame."""
    if "prompt" in asked:
        return Reply({"choices": [{"text": " is large.", "finish_reason": "stop"}]})
    if asked["messages"][-1]["content"].startswith("Post"):
        return said(json.dumps({**dict.fromkeys((each.name for each in VARIABLES), "no"), "group": "", "implied": ""}))
    return judged(asked)


@pytest.fixture(autouse=True)
def fresh(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    delete(home / FOLDER)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    yield
    delete(home / FOLDER)


def test_its_rubric_is_the_usual_one(tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text(blocks(PAGE, "toml")[0], encoding="utf-8")
    assert read_rubrics(tmp_path / "rubric.toml") == {"": USUAL}


def test_its_commands(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    monkeypatch.chdir(tmp_path)
    Path("rubric.toml").write_text('examples = "shots.csv"\n' + blocks(PAGE, "toml")[0], "utf-8")
    Path("axes.toml").write_text(blocks(PAGE, "toml")[1], "utf-8")
    Path("shots.csv").write_text("sentence,label\nthis person is kind,favouritism\n", "utf-8")
    Path("people.csv").write_text("sentence,label\na lawyer is kind,1\na lawyer is awful,3\n", "utf-8")
    fill(
        graph,
        Target("lawyer", "profession"),
        *(triple("lawyer", "IsA", word) for word in ("kind", "awful")),
        source="kb",
    )
    with ScriptedEndpoint(answer) as server:
        for line in "".join(blocks(PAGE, "sh")).splitlines():
            assert main(shlex.split(line.replace(ADDRESS, server.address))[1:]) == 0, line
    names = {row["source"]["name"] for row in graph.rows("source/list")}
    assert {"kb", "kb-frames"} <= names
    assert sources.facts(graph, "kb-frames")["options"]["server"] == "scripted"
    assert len(Path("served.jsonl").read_text("utf-8").splitlines()) > 10
