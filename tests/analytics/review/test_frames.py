"""People answer all questions of a social bias frame; the file is one that ``load sbic`` and ``agree --frames`` read."""

from __future__ import annotations

import csv
import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.frames import read_answers
from harmgraph.analytics.labelling.drawn_sample import keep, read
from harmgraph.analytics.labelling.frame_answer import FrameAnswer, frame_answer
from harmgraph.analytics.review.frame_judgements import FrameJudgements
from harmgraph.analytics.review.judgements import Judgement
from harmgraph.analytics.review.review_server import Look, ReviewServer
from harmgraph.analytics.review.session import Review
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from tests.support.reviewing import labelled, sample_of

NOT_OFFENSIVE = {"offensive": "0.0", "intent": "0.0", "lewd": "0.0"}
OF_NOBODY = {"offensive": "0.5", "intent": "0.33", "lewd": "0.0", "group_targeted": "0.0"}
OF_GROUPS = {
    **{"offensive": "1.0", "intent": "0.66", "lewd": "0.0", "group_targeted": "1.0", "in_group": "0.5"},
    "groups": [["lawyer", ["lawyers are liars", "lawyers steal, too"]], ["rich folks", []]],
}


def test_what_is_asked() -> None:
    """Section 3.2: only what may offend is asked of its group, and only what is about one of its author."""
    assert frame_answer({**NOT_OFFENSIVE, "group_targeted": "1.0"}, "ann") == FrameAnswer((0, 0, 0, None, None))
    assert frame_answer({**OF_NOBODY, "in_group": "1.0"}, "ann") == FrameAnswer((0.5, 0.33, 0, 0, None))
    found = frame_answer(OF_GROUPS, "ann")
    assert found.answers == (1, 0.66, 0, 1, 0.5)
    assert found.groups == (("lawyer", ("lawyers are liars", "lawyers steal, too")), ("rich folks", ()))
    twice = {**OF_GROUPS, "groups": [["Lawyer", ["bad"]], [" lawyer ", ["bad", " worse  still", ""]]]}
    assert frame_answer(twice, "ann").groups == (("Lawyer", ("bad", "worse still")),)


@pytest.mark.parametrize(
    "given",
    [
        "yes",
        {},
        {**NOT_OFFENSIVE, "lewd": "0.33"},
        {**NOT_OFFENSIVE, "intent": ""},
        {**OF_NOBODY, "group_targeted": None},
        {**OF_GROUPS, "in_group": None},
        {**OF_GROUPS, "groups": ["lawyer"]},
        {**OF_GROUPS, "groups": [["lawyer", "liars"]]},
    ],
)
def test_what_the_page_does_not_send(given: object) -> None:
    with pytest.raises(ValueError, match=r"no |not a"):
        frame_answer(given, "ann")


@pytest.mark.parametrize("groups", [None, [], [["", []]], [["men, women", []]], [["x" * 5000, []]], [["a", ["b\0c"]]]])
def test_no_such_group(groups: Any) -> None:
    with pytest.raises(InputError):
        frame_answer({**OF_GROUPS, "groups": groups}, "ann")


def judged(path: Path) -> FrameJudgements:
    file = FrameJudgements(path, {"lawyer": "profession"})
    for sentence, annotator, given in (
        ("A lawyer, of course.", "ann", OF_GROUPS),
        ("A lawyer, of course.", "bob", OF_NOBODY),
        ("Nobody\nsays “this”.", "ann", NOT_OFFENSIVE),
    ):
        frame = frame_answer(given, annotator)
        label = file.question.labels[file.question.names.index(frame.word)]
        file.add(Judgement(sentence, label, annotator, frame, "kb"))
    return file


def test_rows_of_sbic(tmp_path: Path) -> None:
    file = judged(tmp_path / "frames.csv")
    with file.path.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    assert [row["WorkerId"] for row in rows] == ["ann", "ann", "ann", "bob", "ann"]
    assert [row["targetMinority"] for row in rows] == ["lawyer", "lawyer", "rich folks", "", ""]
    assert [row["targetCategory"] for row in rows] == ["profession", "profession", "", "", ""]
    assert [row["targetStereotype"] for row in rows][:2] == ["lawyers are liars", "lawyers steal, too"]
    assert (rows[3]["offensiveYN"], rows[3]["intentYN"], rows[3]["whoTarget"]) == ("0.5", "0.33", "0.0")
    assert (rows[4]["whoTarget"], rows[4]["speakerMinorityYN"], rows[4]["dataSource"]) == ("", "", "kb")
    again = FrameJudgements(file.path)
    assert list(again) == list(file)
    assert again.of("ann") == {"a lawyer, of course.", "nobody says “this”."}
    before = file.path.read_bytes()
    taken = again.take_back("bob")
    assert taken
    assert taken.label == "maybe offensive"
    again.add(taken)
    assert set(file.path.read_bytes().splitlines()) == set(before.splitlines()), "categories are kept too"
    answers = read_answers(file.path)
    assert (answers.posts, answers.annotations, answers.repeated, answers.contradicting) == (2, 3, 2, 0)


@pytest.mark.parametrize(("there", "odd"), [('"0.5"', '"0.4"'), ('"0.33"', '"x"'), ("offensiveYN", "offensive")])
def test_other_files(tmp_path: Path, there: str, odd: str) -> None:
    path = judged(tmp_path / "frames.csv").path
    path.write_text(path.read_text("utf-8").replace(there, odd, 1), "utf-8")
    with pytest.raises(UnreadableFile, match=r"is not a judgement|has not the columns"):
        FrameJudgements(path)


def test_loaded_by_sbic(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema_setup.apply(graph)
    path = judged(tmp_path / "frames.csv").path
    assert main(["load", "sbic", str(path), "--source", "ours", "--no-progress"]) == 0
    capsys.readouterr()
    implied = {(row["group"], row["implied"]) for row in graph.rows("frames/implied", source="ours")}
    assert implied == {("lawyer", "lawyers are liars"), ("lawyer", "lawyers steal, too")}
    assert main(["stats", "frames", "--source", "ours", "--output", "json"]) == 0
    found = {row["what"]: row["n"] for row in json.loads(capsys.readouterr().out)}
    assert (found["posts"], found["offensive: posts"], found["lewd: posts"]) == (2, 1, 0)


@pytest.mark.usefixtures("graph")
def test_the_command(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed() -> None:
        raise KeyboardInterrupt

    labelled(graph)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harmgraph.common.command_line.until_interrupted", pressed)
    command = ["review", "--no-launch", "--no-progress", "--port", "0"]
    assert main([*command, "--question", "frames", "--size", "3"]) == 0
    said = capsys.readouterr()
    assert "in the graph" not in said.out
    assert "nothing was judged" in said.err
    sample = read(tmp_path / "frames.sample.jsonl")
    assert (sample.wish.question, sample.wish.strata) == ("frames", ())
    file = FrameJudgements(tmp_path / "frames.csv")
    for annotator, given in (("ann", OF_GROUPS), ("bob", OF_NOBODY)):
        frame = frame_answer(given, annotator)
        file.add(Judgement(sample.items[0].sentence, "offensive", annotator, frame, "kb"))
    assert main([*command, "--into", "frames.csv"]) == 0
    said = capsys.readouterr()
    assert "going on with frames.csv: 2 judgements" in said.err
    assert "annotators of 1 posts with each other: 2 annotations" in said.out
    assert main([*command, "--into", "frames.csv", "--as", "mine"]) == 2
    assert "whose answers are in the file alone" in capsys.readouterr().err
    assert main([*command, "--into", "frames.csv", "--mask"]) == 2
    assert "--mask does not go with --question frames" in capsys.readouterr().err
    assert main(["agree", "--frames", "frames.csv", "--output", "json"]) == 0
    rows = {(row["variable"], row["answers"]): row for row in json.loads(capsys.readouterr().out)}
    assert rows["offensive", "0 or 1"]["agreement"] == 1
    assert rows["offensive", "as given"]["agreement"] == 0


def test_by_the_server(graph: Graph, tmp_path: Path) -> None:
    labelled(graph)
    file = FrameJudgements(tmp_path / "frames.csv", {"lawyer": "profession"})
    sample = sample_of(graph, question="frames", strata=())
    with (
        Review(graph, sample, file, "", groups=("lawyer", "nurse")) as review,
        ReviewServer(review, Look()) as server,
    ):

        def ask(path: str, **body: object) -> tuple[int, Any]:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
            headers = {"Host": f"localhost:{server.port}", "Origin": server.origin, "X-Harmgraph-Token": server.token}
            connection.request("POST", path, json.dumps({"annotator": "ann", **body}), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            return answer.status, json.loads(text) if answer.status == 200 else text

        _, state = ask("/show")
        assert state["groups"] == ["lawyer", "nurse"]
        item = state["item"]["id"]
        assert ask("/judge", id=item, label="yes")[0] == 400
        assert ask("/judge", id=item, frame={"offensive": "1.0"})[0] == 400
        assert ask("/judge", id=item, frame={**OF_GROUPS, "groups": [["a, b", []]]})[0] == 409
        assert not file.path.exists()
        status, state = ask("/judge", id=item, frame=OF_GROUPS)
        assert (status, state["done"], state["previous"]["label"], state["waiting"]) == (200, 1, "offensive", 0)
        assert len(file.path.read_text("utf-8").splitlines()) == 4
        assert ask("/undo")[1]["done"] == 0
        assert len(file.path.read_text("utf-8").splitlines()) == 1
        ask("/judge", id=item, frame=OF_GROUPS)
    assert not [row for row in graph.rows("review/standing", ids=[item], by="_by") if row["by"]]
    keep(tmp_path / "frames.sample.jsonl", sample)
    assert read(tmp_path / "frames.sample.jsonl") == sample
