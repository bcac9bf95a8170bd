"""Frames by the model of a server: what is asked, what is read, and what stands in the graph."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.__main__ import main
from harmgraph.common.frames import VARIABLES
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Statement, Target
from harmgraph.models.language.frames.served_frames import read_frame
from tests.support.filling import fill, triple
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint, said

pytestmark = pytest.mark.usefixtures("fresh_answers")

NO = {variable.name: "no" for variable in VARIABLES}
NOTHING = {**NO, "group": "", "implied": ""}
AWFUL = {
    **dict.fromkeys(("offensive", "intent", "group_targeted"), "yes"),
    **{"lewd": "no", "in_group": "no", "group": "Woman, aliens", "implied": "women are  awful"},
}


def answer(asked: Mapping[str, Any]) -> Reply:
    post = asked["messages"][-1]["content"]
    if "poem" in post:
        return said("roses are red")
    if "odd" in post:
        return said(json.dumps({**NOTHING, "group_targeted": "yes", "group": "woman"}))
    return said(json.dumps(AWFUL if "awful" in post else NOTHING))


@pytest.fixture
def knowledge(graph: Graph) -> Graph:
    fill(graph, Target("woman", "gender", aliases=("lady",)), source="groups")
    statements = (Statement("the baker sleeps"), Statement("write a poem"), Statement("it is odd"))
    fill(graph, triple("woman", "IsA", "awful"), *statements, source="kb")
    return graph


def predicted(server: ScriptedEndpoint, *more: str) -> int:
    return main(["frames", "predict", "--source", "kb", "--endpoint", server.address, "--no-progress", *more])


def test_frames_of_a_server(knowledge: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(answer) as server:
        assert predicted(server, "--output", "json") == 0
        told = capsys.readouterr()
        assert "4 statements to ask about, 0 known: about " in told.err, "without progress too"
        done = json.loads(told.out)
        assert (done["statements"], done["posts"], done["offensive"], done["implications"]) == (4, 3, 1, 1)
        assert "1 groups that are no targets of the graph" in done["left_out"]
        assert "1 statements whose answer could not be read" in done["left_out"]
        assert len(server.asked) == 4
        assert server.asked[0]["response_format"]["json_schema"]["schema"]["required"][0] == "offensive"
        rows = knowledge.rows("statistics/frame_examples", source="kb-frames", target="woman", origin=None, limit=9)
        assert [(row["implied"], row["offensive"]) for row in rows] == [(["women are awful"], "yes")]
        options = sources.facts(knowledge, "kb-frames")["options"]
        assert (options["model"], options["server"], options["checkpoint"]) == ("scripted-1", "scripted", "")
        assert not knowledge.rows("model/list"), "nothing was trained here"
        assert predicted(server) == 0
        assert "nothing changed" in capsys.readouterr().err
        assert len(server.asked) == 4


def test_another_server_is_asked_itself_and_an_empty_answer_is_asked_again(knowledge: Graph) -> None:
    with ScriptedEndpoint(lambda asked: said(""), owner="a") as first, ScriptedEndpoint(answer, owner="b") as second:
        for times in (1, 2):
            assert predicted(first) == 0
            assert len(first.asked) == 4 * times, "it failed, which may pass"
        assert predicted(second) == 0
        first.answer = answer
        assert predicted(first) == 0
        assert (len(first.asked), len(second.asked)) == (12, 4)


def test_variables_that_contradict_each_other(knowledge: Graph) -> None:
    with ScriptedEndpoint(answer) as server:
        for way, groups in (("greedy", 2), ("constrained", 1)):
            assert predicted(server, "--decoding", way, "--into", way) == 0
            rows = {row["what"]: row["n"] for row in knowledge.rows("statistics/frames", source=way, origin=None)}
            assert rows["posts with a group"] == groups


def test_bad_input(knowledge: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(answer) as server:
        for way in ("sampled", "sampled-per-token", "free"):
            assert predicted(server, "--decoding", way) == 1
            assert f"a server has no --decoding {way}" in capsys.readouterr().err
        assert predicted(server, "--max-tokens", "600", "--parallel", "1") == 1
        assert "stopped at --max-tokens 600: " in capsys.readouterr().err
        assert predicted(server, "--model", "other") == 1
        assert "has no model named 'other'" in capsys.readouterr().err
        assert predicted(server, "--into", "kb") == 1
        capsys.readouterr()
        assert predicted(server, "--device", "cpu", "--threads", "1") == 2
        assert "--device, --threads do not go with --endpoint." in capsys.readouterr().err
    assert main(["frames", "predict", "--source", "kb", "--model", "x", "--parallel", "4"]) == 2
    assert "--parallel does not go without --endpoint." in capsys.readouterr().err
    assert main(["frames", "predict", "--source", "kb"]) == 2
    assert "'--endpoint' for the model of a server" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {**NOTHING, "lewd": "maybe"},
        {**NOTHING, "more": 1},
        {**NOTHING, "group": ["woman"]},
        {**NOTHING, "implied": "x" * 501},
        {name: value for name, value in NOTHING.items() if name != "lewd"},
        [NOTHING],
    ],
)
def test_another_form_is_not_read(wrong: Any) -> None:
    assert read_frame(json.dumps(NOTHING)) == [[0.0] * 5, "", ""]
    assert read_frame(json.dumps(wrong)) == []


@given(st.text())
def test_texts_are_not_read(text: str) -> None:
    assert read_frame(text) == []
