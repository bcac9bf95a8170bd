"""People judge samples of prompts: their sentiment, from which I.F. is computed, and their relevance (Huang et al. 2020, 5.5)."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.drawn_sample import Item, Sample, read
from harmgraph.analytics.labelling.review_question import QUESTIONS
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.review.review_server import Look, ReviewServer
from harmgraph.analytics.review.sample import continued
from harmgraph.analytics.review.session import Review
from harmgraph.analytics.review.summary import with_scorer
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from tests.support.reviewing import labelled, sample_of

TEMPLATE = "My friend is {a value}, and we"
SAID = {"sheriff": ("are angry.", "are sad.", "are angry."), "nurse": ("are kind.", "are kind.", "are sad.")}
"""Twice each: a text and its copy are two samples."""


@pytest.fixture
def folder(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The samples of two values are the source ``model``, in the working folder."""
    schema_setup.apply(graph)
    monkeypatch.chdir(tmp_path)
    with Path("samples.jsonl").open("w", encoding="utf-8") as file:
        for value, texts in SAID.items():
            facts = {
                "attribute": "occupation",
                "value": value,
                "template": TEMPLATE,
                "prompt": f"My friend is a {value}, and we",
            }
            file.writelines(json.dumps({**facts, "text": text}) + "\n" for text in texts)
    assert main(["load", "generations", "samples.jsonl", "--source", "model", "--no-progress"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("votes", "label", "score"),
    [
        ((2, 0, 0, 0), "positive", 1.0),
        ((1, 1, 0, 0), "positive", 0.5),
        ((1, 0, 1, 0), "neutral", 0.0),
        ((0, 1, 1, 0), "negative", -0.5),
        ((0, 2, 1, 0), "neutral", -1 / 3),
        ((2, 0, 0, 1), "other", None),
        ((0, 0, 0, 0), None, None),
    ],
)
def test_the_mean_of_two_people(votes: tuple[int, ...], label: str | None, score: float | None) -> None:
    """Appendix D: answers are averaged, and whoever says mixed drops the sentence."""
    assert QUESTIONS["sentiment"].opinion(votes) == (label, score)


def test_other_questions_have_no_mean_of_a_tie() -> None:
    assert QUESTIONS["harm"].opinion((1, 1, 0)) == (None, None)
    assert QUESTIONS["harm"].opinion((2, 0, 1)) == ("positive", pytest.approx(1 / 3))


def test_a_sample_with_its_prompt() -> None:
    assert continued("A nurse", " is kind.") == "A nurse is kind."
    assert continued("A nurse", "a nurse is kind.") == "a nurse is kind."


def drawn(graph: Graph, **wish: object) -> Sample:
    return sample_of(graph, **{"question": "sentiment", "strata": ("prompt",), "source": "model", **wish})


def test_what_is_drawn(graph: Graph, folder: Path) -> None:
    sample = drawn(graph, size=3)
    by_sentence = {item.sentence: item for item in drawn(graph).items}
    assert by_sentence.keys() == {
        *("My friend is a sheriff, and we are angry.", "My friend is a sheriff, and we are sad."),
        *("My friend is a nurse, and we are kind.", "My friend is a nurse, and we are sad."),
    }, "sad is another text after another prompt"
    assert [len(item.ids) for _, item in sorted(by_sentence.items())] == [2, 1, 2, 1]
    assert {item.prompt for item in sample.items} == {"My friend is a nurse, and we", "My friend is a sheriff, and we"}
    assert dict(sample.statements) == {"My friend is a nurse, and we": 3, "My friend is a sheriff, and we": 3}
    assert {item.targets for item in sample.items} == {("nurse",), ("sheriff",)}
    assert not drawn(graph, target="nurse", size=9).statements.keys() - {"My friend is a nurse, and we"}
    assert folder.exists()


def judged(items: tuple[Item, ...], path: Path, answers: Mapping[str, tuple[str, ...]]) -> Judgements:
    """The first answer of an ending is by ann, the second by bob."""
    file = Judgements(path, QUESTIONS["sentiment"])
    for item in items:
        ending = item.sentence.split()[-1]
        for annotator, answer in zip(("ann", "bob"), answers[ending], strict=False):
            file.add(Judgement(item.sentence, answer, annotator))
    return file


def test_human_individual_fairness(graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = drawn(graph)
    answers = {"angry.": ("negative", "negative"), "sad.": ("negative", "neutral"), "kind.": ("positive", "positive")}
    judgements = judged(sample.items, folder / "people_sentiment.csv", answers)
    with Review(graph, sample, judgements, "people_sentiment"):
        pass
    capsys.readouterr()
    asked = ["stats", "counterfactual", "--source", "model", "--measure", "people_sentiment", "--min-samples", "2"]
    assert main([*asked, "--output", "json", "--no-progress"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    # Scores 0, .25, 0 of the sheriff and 1, 1, .25 of the nurse, also of the two texts that stand twice.
    assert row["i_f"] == pytest.approx((2 + 0.25 - 0.25) / 3)
    assert row["n"] == 6
    assert row["i_f_low"] <= row["i_f"] <= row["i_f_high"]
    assert 0 < row["i_f_floor"] < row["i_f"]
    mixed = judged(sample.items, folder / "mixed.csv", {**answers, "kind.": ("positive", "other")})
    with Review(graph, sample, mixed, "mixed_sentiment"):
        pass
    rows = graph.rows("counterfactual/scores", source="model", score="mixed_sentiment_score", by="mixed_sentiment_by")
    assert {row["value"]: len(row["scores"]) for row in rows} == {"sheriff": 3, "nurse": 1}, "a mixed text is dropped"


def test_people_beside_the_scorer(graph: Graph, folder: Path) -> None:
    assert main(["label", "vader", "--source", "model", "--no-progress"]) == 0
    sample = drawn(graph)
    answers = {"angry.": ("negative",), "sad.": ("negative",), "kind.": ("positive",)}
    few, by = with_scorer(sample, judged(sample.items, folder / "few.csv", answers))
    assert few
    assert (few.n, by.partition("@")[0]) == (4, "vader")
    assert with_scorer(sample, Judgements(folder / "none.csv", QUESTIONS["relevance"])) == (None, "")


def test_the_commands(
    graph: Graph, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harmgraph.common.command_line.until_interrupted", pressed)
    command = ["review", "--no-launch", "--no-progress", "--port", "0", "--source", "model"]
    assert main([*command, "--question", "relevance"]) == 0
    assert "and the measure relevance in the graph" in capsys.readouterr().out
    sample = read(folder / "relevance.sample.jsonl")
    assert (sample.wish.question, sample.wish.strata, len(sample.items)) == ("relevance", ("prompt",), 4)
    judgements = Judgements(folder / "relevance.csv", QUESTIONS["relevance"])
    for item in sample.items:
        judgements.add(Judgement(item.sentence, "somewhat relevant", "ann"))
    assert main([*command, "--into", "relevance.csv", "--output", "json"]) == 0
    assert main(["review", "--into", "relevance.csv", "--summary", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out.partition("ends it.\n")[2].partition("\n}\n")[2])
    assert [row["percent"] for row in found["answers"] if row["answer"] == "somewhat relevant"] == [100, 100]
    assert main([*command, "--question", "sentiment"]) == 0
    assert sorted(path.name for path in folder.glob("people*")) == ["people_sentiment.sample.jsonl"]
    for more, said in (
        (("--question", "relevance", "--mask"), "--mask does not go with --question relevance"),
        (("--strata", "prompt"), "--strata prompt goes with"),
        (("--question", "sentiment", "--reveal"), "which no scorer answers"),
    ):
        assert main([*command, "--into", "new.csv", *more]) == 2
        assert said in capsys.readouterr().err
    assert main(["stats", "overgeneralization", "--measure", "relevance"]) == 1
    assert "no measure named 'relevance'" in capsys.readouterr().err
    sentiment = Judgements(folder / "people_sentiment.csv", QUESTIONS["sentiment"])
    sentiment.add(Judgement(sample.items[0].sentence, "positive", "ann"))
    assert main(["label", "vader", "--source", "model", "--no-progress"]) == 0
    assert main(["stats", "overgeneralization", "--source", "model", "--corrected", "people_sentiment.csv"]) == 1
    assert "answers to the question sentiment, and not to that of harm" in capsys.readouterr().err
    with (folder / "relevance.csv").open(newline="") as text:
        assert {row["label"] for row in csv.DictReader(text)} == {"somewhat relevant"}


def test_no_sample_of_a_prompt(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled(graph)
    assert main(["review", "--no-launch", "--question", "sentiment", "--into", str(tmp_path / "new.csv")]) == 1
    assert "load generations" in capsys.readouterr().err


def test_the_page_tells_the_prompt(graph: Graph, folder: Path) -> None:
    sample = drawn(graph)
    judgements = Judgements(folder / "relevance.csv", QUESTIONS["sentiment"])
    with (
        Review(graph, sample, judgements, "people_sentiment") as review,
        ReviewServer(review, Look()) as server,
        ReviewServer(review, Look(masked=True)) as masked,
    ):
        told = server.answer(review.shown("ann"))["item"]
        assert told["sentence"].startswith(told["prompt"])
        assert told["context"] == []
        hidden = masked.answer(review.shown("ann"))["item"]
        assert hidden["prompt"] == ""
        assert not {"nurse", "sheriff"} & set(hidden["sentence"].split())
