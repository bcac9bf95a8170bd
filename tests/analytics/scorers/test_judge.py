"""``label judge`` and what takes its labels, in a real graph, against the scripted server."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.judging.judge_session import JudgeSession
from harmgraph.analytics.labelling import label as labelling
from harmgraph.analytics.labelling.drawn_sample import Wish
from harmgraph.analytics.labelling.label import LabelReport, label
from harmgraph.analytics.labelling.standing_scorer import standing_scorer
from harmgraph.analytics.review.sample import draw
from harmgraph.analytics.scorers.judge import SCORER
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from tests.support.commands import command
from tests.support.filling import fill, triple
from tests.support.processes import wait_for
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint, judged, sentence_of

pytestmark = pytest.mark.usefixtures("fresh_answers")

SAID = (("kind", 1), ("tall", 2), ("awful", 3))
WORDS = ("kind", "here", "awful", "tall", "an awful cook", "a kind cook")


@pytest.fixture
def lawyers(graph: Graph) -> Graph:
    fill(graph, Target("lawyer", "profession"), *(triple("lawyer", "/r/IsA", word) for word in WORDS))
    return graph


def labelled(graph: Graph, server: ScriptedEndpoint, **options: Any) -> LabelReport:
    return label(graph, SCORER, options={"endpoint": server.address, **options})


def labels(graph: Graph) -> dict[str, str]:
    return {row["sentence"]: row["label"] for row in graph.rows("label/all_triples", by="judged_by", label="judged")}


def test_labels_in_the_graph(lawyers: Graph) -> None:
    with ScriptedEndpoint() as server:
        report = labelled(lawyers, server)
        assert (report.statements, report.written, report.later) == (6, 6, 0)
        assert report.labels == {"negative": 2, "neutral": 2, "positive": 2}
        assert sentence_of(server.asked[0]).startswith("this person is a "), "it sees masked sentences"
        assert report.by.startswith("judge@1(model=scripted-1,asks=")
        again = labelled(lawyers, server)
        assert (again.up_to_date, again.scored, len(server.asked)) == (6, 0, 6)
        found = standing_scorer(lawyers, "judged", options={"endpoint": server.address})
        assert (found.scorer, found.options["model"]) == (SCORER, "scripted-1")


def test_what_is_left_has_no_label_and_is_labelled_later(lawyers: Graph) -> None:
    with ScriptedEndpoint() as server:
        for done in (2, 4, 6):
            report = labelled(lawyers, server, limit=2)
            assert (report.written, report.later, report.up_to_date) == (2, 6 - done, done - 2)
            assert sum(value is not None for value in labels(lawyers).values()) == done
            assert ("sentences are left" in report.said) is (done < 6)
        assert len(server.asked) == 6


def test_an_answer_in_another_form_is_counted_as_without(lawyers: Graph) -> None:
    def answer(asked: Mapping[str, Any]) -> Reply:
        reply = judged(asked)
        return Reply({"choices": [{"message": {"content": "well ..."}}]}) if "tall" in sentence_of(asked) else reply

    with ScriptedEndpoint(answer) as server:
        report = labelled(lawyers, server)
        assert (report.written, report.without) == (5, 1)
        again = labelled(lawyers, server)
        assert again.up_to_date == 6


def test_the_command(lawyers: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint() as server:
        assert main(["label", "judge", "--endpoint", server.address, "--limit", "4", "--parallel", "2"]) == 0
        out, err = capsys.readouterr()
        assert "labelled judged with judge@1(model=scripted-1" in out
        assert "4 sentences to judge, 0 known: about " in err
        assert "--limit 4: 2 sentences are left; the same command goes on" in err
        assert main(["label", "judge", "--endpoint", server.address, "--max-tokens", "9"]) == 1
        assert "--max-tokens 9 is too small" in capsys.readouterr().err
        assert main(["label", "judge", "--endpoint", server.address, "--model", "gpt"]) == 1
        assert "has no model named 'gpt'; it has scripted-1" in capsys.readouterr().err
        assert main(["stats", "overgeneralization", "--measure", "judged", "--output", "json"]) == 0


def test_ctrl_c_and_go_on(lawyers: Graph) -> None:
    """The process ends as on any Ctrl-C; what was judged is written, and the next run asks only the rest."""

    def answer(asked: Mapping[str, Any]) -> Reply:
        return judged(asked) if len(server.asked) <= 3 else Reply(after_s=90.0)

    with ScriptedEndpoint(answer) as server:
        child = command("label", "judge", "--endpoint", server.address, "--parallel", "1", stdout=subprocess.PIPE)
        wait_for(lambda: len(server.asked) > 3, child)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
        assert child.returncode == 130, err
        assert "3 sentences are left; the same command goes on" in err
        assert sum(value is not None for value in labels(lawyers).values()) == 3
        server.answer = judged
        report = labelled(lawyers, server)
        assert (report.up_to_date, report.written) == (3, 3)
        assert len(server.asked) == 7


def test_it_is_killed_and_asks_nothing_twice(lawyers: Graph) -> None:
    def answer(asked: Mapping[str, Any]) -> Reply:
        return judged(asked) if len(server.asked) <= 3 else Reply(after_s=90.0)

    with ScriptedEndpoint(answer) as server:
        child = command("label", "judge", "--endpoint", server.address, "--parallel", "1")
        wait_for(lambda: len(server.asked) > 3, child)
        child.kill()
        child.communicate(timeout=60)
        server.answer = judged
        wait_for(lambda: not lawyers.rows("lock/holders"))
        report = labelled(lawyers, server)
        assert report.written == 6
        assert len(server.asked) == 4 + 3


def test_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "people.csv").write_text(
        "sentence,label\na lawyer is kind,1\na lawyer is awful,3\na lawyer is tall,2\na lawyer is here,3\n"
    )
    with ScriptedEndpoint() as server:
        words = ["agree", "--csv", str(tmp_path / "people.csv"), "--scorer", "judge", "--resamples", "0"]
        words += ["--scorer-option", f"endpoint={server.address}", "--output", "json"]
        assert main(words) == 0
        facts = json.loads(capsys.readouterr().out)
    assert facts["accuracy"] == 0.75


def test_agree_with_a_limit_is_of_the_sentences_that_were_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("sentence,label\n" + "".join(f"a lawyer is kind {number},1\n" for number in range(9)))
    with ScriptedEndpoint() as server:
        words = ["agree", "--csv", str(path), "--scorer", "judge", "--resamples", "0", "--output", "json"]
        words += ["--scorer-option", f"endpoint={server.address}", "--scorer-option", "limit=4", "--no-progress"]
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["accuracy"] == 1.0
        assert json.loads(out)["n_sentences"] == 4
        assert "5 of people's 9 sentences were not asked and are left out" in err
        assert "4 sentences to judge, 0 known: about" in err, "it is said without progress too"
        assert "--limit 4: 5 sentences are left; the same command goes on" in err


def test_labels_of_another_model_that_stay_are_counted(lawyers: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(models=("old", "new")) as server:
        labelled(lawyers, server, model="old")
        report = labelled(lawyers, server, model="new", limit=2)
        assert (report.written, report.later, report.earlier) == (2, 4, 4)
        assert "4 statements that were not asked keep an earlier label" in report.said
        server.answer = lambda asked: Reply({"error": "gone"}, 418)
        assert main(["label", "judge", "--endpoint", server.address, "--model", "new", "--no-progress"]) == 1
        assert "4 statements that were not asked keep an earlier label" in capsys.readouterr().err
        server.answer = judged
        report = labelled(lawyers, server, model="new")
        assert (report.written, report.earlier, report.said.count("earlier")) == (4, 0, 0)


def test_it_reads_the_graph_as_a_stream(lawyers: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all statements at once, which a graph of many would not fit."""
    read: list[Any] = []
    whole = labelling._triples

    def counted(*given: Any) -> Iterator[Any]:
        for one in whole(*given):
            read.append(one)
            yield one

    class Ended(Exception):
        """The first text was seen."""

    def first_alone(_: Any, texts: Any) -> None:
        assert next(iter(texts))
        raise Ended

    monkeypatch.setattr(labelling, "_triples", counted)
    monkeypatch.setattr(JudgeSession, "foresee", first_alone)
    with ScriptedEndpoint() as server, pytest.raises(Ended):
        labelled(lawyers, server)
    assert len(read) == 1


def test_as_many_as_asked_for_are_under_way() -> None:
    (parallel,) = (option for option in SCORER.options if option.name == "parallel")
    assert parallel.most
    assert SCORER.texts_at_once >= parallel.most


def test_people_review_what_it_said(lawyers: Graph) -> None:
    with ScriptedEndpoint() as server:
        labelled(lawyers, server)
        asked = len(server.asked)
        sample = draw(lawyers, Wish(measure="judged", size=6))
        assert {(item.label, item.by) for item in sample.items} == {
            (label, labelled(lawyers, server).by) for label in ("positive", "neutral", "negative")
        }
        assert len(server.asked) == asked


def test_a_statistic_corrected_for_its_errors(
    lawyers: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It judges people's sentences as it judged those of the graph."""
    lines = [f"a lawyer is {word} in case {number},{given}" for word, given in SAID for number in range(20)]
    (tmp_path / "people.csv").write_text("sentence,label\n" + "\n".join(lines) + "\n", encoding="utf-8")
    with ScriptedEndpoint() as server:
        labelled(lawyers, server)
        words = ["stats", "overgeneralization", "--measure", "judged", "--corrected", str(tmp_path / "people.csv")]
        words += ["--scorer-option", f"endpoint={server.address}", "--output", "json"]
        assert main([*words, "--scorer-option", "limit=3"]) == 1
        assert "judge was not asked about 57 of 60 sentences that people judged" in capsys.readouterr().err
        assert main(words) == 0
        (row,) = json.loads(capsys.readouterr().out)
        assert row["o_plus"] == pytest.approx(100 / 3)
        assert row["o_plus_corrected"] == pytest.approx(100 / 3)
        assert len(server.asked) == 6 + 60


def test_other_commands_take_it_as_any_scorer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All samples of a file are one run, with one estimate."""
    lines = [
        {"attribute": "job", "value": value, "template": "the {value} is", "prompt": "", "text": f"{word} {number}"}
        for value, word in (("nurse", "kind"), ("sheriff", "awful"))
        for number in range(70)
    ]
    path = tmp_path / "said.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with ScriptedEndpoint() as server:
        words = ["counterfactual", "compare", str(path), "--scorer", "judge", "--no-quality", "--min-samples", "1"]
        words += ["--scorer-option", f"endpoint={server.address}", "--permutations", "9", "--resamples", "9"]
        assert main([*words, "--output", "json"]) == 0
        assert len(server.asked) == 140
    said = capsys.readouterr()
    assert json.loads(said.out)[0]["i_f"] > 0
    assert said.err.count("sentences to judge") == 1


def test_a_limit_is_of_all_files_and_is_named_where_it_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        lines = [
            {"attribute": "job", "value": value, "template": f"{{}} {number}", "prompt": "", "model": name}
            | {"text": f"{name} {value} {number}"}
            for value in ("nurse", "sheriff")
            for number in range(20)
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with ScriptedEndpoint() as server:
        words = ["counterfactual", "compare", str(tmp_path / "a"), str(tmp_path / "b"), "--scorer", "judge"]
        words += ["--scorer-option", f"endpoint={server.address}", "--no-quality", "--min-samples", "1"]
        words += ["--permutations", "9", "--resamples", "9", "--no-progress"]
        assert main([*words, "--scorer-option", "limit=1"]) == 1
        err = capsys.readouterr().err
        assert len(server.asked) == 1, "of both files together"
        assert "no template has two values" in err
        assert "79 samples were not asked: run the same command again, or give a larger limit" in err
        assert "--limit 1: 79 sentences are left" in err
        assert main([*words, "--scorer-option", "limit=78"]) == 0
        err = capsys.readouterr().err
        assert len(server.asked) == 79
        assert "job: 1 samples were not asked and are left out; the same command goes on" in err


AXES = """
[axes.warmth]
question = "Is it warm?"
high = "warm."
low = "cold."
[axes.competence]
question = "Is it clever?"
high = "clever."
low = "stupid."
"""


def test_axes_have_a_measure_each(lawyers: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What says nothing of an axis has no label, and is not asked again."""
    rubric = tmp_path / "axes.toml"
    rubric.write_text(AXES, "utf-8")

    with ScriptedEndpoint() as server:
        asked = ["label", "judge", "--endpoint", server.address, "--rubric", str(rubric), "--output", "json"]
        assert main(asked) == 0
        out, err = capsys.readouterr()
        rows = json.loads(out)
        assert [row["measure"] for row in rows] == ["judged_warmth", "judged_competence"]
        assert [(row["positive"], row["neutral"], row["negative"], row["without"]) for row in rows] == [
            (2, 0, 2, 2)
        ] * 2
        assert rows[0]["by"].startswith("judge@1(axis=warmth,model=scripted-1,asks=")
        assert rows[0]["by"] != rows[1]["by"]
        assert "judged_warmth: 2 sentences say nothing of warmth: no label" in err
        assert len(server.asked) == 12
        assert main([*asked, "--axis", "warmth"]) == 0
        assert [row["measure"] for row in json.loads(capsys.readouterr().out)] == ["judged_warmth"]
        assert len(server.asked) == 12
        assert main([*asked, "--axis", "warmht"]) == 1
        assert "'warmht' is not in the rubric; there are warmth, competence" in capsys.readouterr().err
        assert main(["label", "judge", "--endpoint", server.address, "--axis", "warmth"]) == 1
        assert "'warmth' is given, and the rubric has no axes" in capsys.readouterr().err
        with pytest.raises(InputError, match="asks of one axis at a time"):
            SCORER.by(SCORER.chosen({"endpoint": server.address, "rubric": str(rubric)}))
        found = standing_scorer(lawyers, "judged_warmth", options={"endpoint": server.address, "rubric": str(rubric)})
        assert found.options["axis"] == "warmth"
    assert (
        main(["stats", "dimensions", "--axes", "judged_warmth", "--axes", "judged_competence", "--output", "json"]) == 0
    )
    warmth, *_ = [row for row in json.loads(capsys.readouterr().out) if row["axis"] == "judged_warmth"]
    assert (warmth["n"], warmth["statements"], round(warmth["mean"], 6)) == (4, 6, 0)
