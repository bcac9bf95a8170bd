"""The command: a sample that is kept, a file that goes on, one line for what cannot be."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.drawn_sample import keep, read
from harmgraph.analytics.labelling.review_question import QUESTIONS
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.review.summary import answers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from tests.support.filling import fill, import_triples, triple
from tests.support.page import blocks
from tests.support.reviewing import labelled, sample_of


@pytest.fixture
def folder(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    labelled(graph)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C as soon as the page is served."""

    def pressed() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harmgraph.common.command_line.until_interrupted", pressed)


def run(*arguments: str) -> int:
    return main(["review", "--no-launch", "--no-progress", "--port", "0", *arguments])


@pytest.mark.usefixtures("interrupted")
def test_begun_gone_on_with_and_summed_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--into", "ours.csv", "--size", "28", "--strata", "none", "--seed", "3") == 0
    said = capsys.readouterr()
    assert "Review: http://localhost:" in said.out
    assert "drew 28 of 29 statements" in said.err
    assert "nothing was judged" in said.err
    sample = read(folder / "ours.sample.jsonl")
    assert sorted(path.name for path in folder.iterdir()) == ["ours.sample.jsonl"]
    judgements = Judgements(folder / "ours.csv")
    for number, item in enumerate(sample.items[:24]):
        judgements.add(Judgement(item.sentence, item.label or "neutral", "ann"))
        judgements.add(Judgement(item.sentence, "neutral" if number % 4 == 0 else item.label or "neutral", "bob"))
    assert run("--into", "ours.csv") == 0
    said = capsys.readouterr()
    assert "going on with ours.csv: 48 judgements" in said.err
    assert "krippendorff alpha" in said.out
    assert "by people and the scorer together" in said.out
    assert "harmgraph stats overgeneralization --corrected ours.csv" in said.err
    assert "--weigh" not in said.err
    assert main(["stats", "overgeneralization", "--corrected", "ours.csv", "--output", "csv"]) == 0
    capsys.readouterr()
    assert run("--into", "ours.csv", "--summary", "--output", "json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert [row["judged"] for row in summary["annotators"]] == [24, 24]
    shares = summary["corrected"]["shares"]
    assert [row["label"] for row in shares] == ["favouritism", "neutral", "prejudice"]
    assert sum(row["people_percent"] for row in shares) == pytest.approx(100)
    assert summary["corrected"]["sample_of_review"]
    assert run("--into", "ours.csv", "--summary", "--output", "csv") == 0
    table = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["measure"] for row in table] == [row["measure"] for row in summary["agreement"]]
    assert {"majority kappa", "fleiss kappa"} <= {row["measure"] for row in table}
    with Graph.open() as graph:
        labels = {row["by"] for row in graph.rows("review/triples", measure="review")}
    assert labels == {"review@1(ours.csv)", None}


@pytest.mark.usefixtures("interrupted")
def test_whether_statements_are_valid(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mehrabi et al. 2021, figure 10: no scorer answers this, and no statistic is corrected by it."""
    assert run("--question", "quality", "--size", "28") == 0
    assert "nothing was judged" in capsys.readouterr().err
    sample = read(folder / "quality.sample.jsonl")
    assert (sample.wish.question, sample.wish.strata, sample.revealed) == ("quality", (), False)
    judgements = Judgements(folder / "quality.csv", QUESTIONS["quality"])
    for number, item in enumerate(sample.items[:24]):
        judgements.add(Judgement(item.sentence, "invalid" if number % 4 == 0 else "valid", "ann"))
        judgements.add(Judgement(item.sentence, "invalid" if number % 8 == 0 else "valid", "bob"))
    assert (folder / "quality.csv").read_text().splitlines()[1].endswith('"invalid","ann"')
    assert run("--into", "quality.csv") == 0, "the sample says what is asked"
    said = capsys.readouterr()
    assert "Is this sentence valid commonsense knowledge?" in said.out
    assert "people agree in 87.5% of 24 pairs of answers to 24 sentences" in said.err
    assert run("--into", "quality.csv", "--summary", "--output", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["valid"] for row in found["annotators"]] == [18, 21]
    everything, of_source = (next(row for row in found["answers"] if row["source"] == of) for of in (None, "kb"))
    assert everything == of_source | {"source": None}
    assert (everything["answer"], everything["percent"], everything["answers"]) == ("valid", 81.25, 48)
    assert everything["percent_low"] < 81.25 < everything["percent_high"]
    assert found["agreement"]["agreement"] == 0.875
    with Graph.open() as graph:
        labels = {row["label"] for row in graph.rows("review/triples", measure="quality")}
    assert labels <= {"valid", "invalid", None}
    assert {"valid", "invalid"} <= labels
    assert main(["stats", "overgeneralization", "--measure", "quality"]) == 1
    assert "no measure named 'quality'" in capsys.readouterr().err, "valid and invalid are no harm"
    assert run("--into", "quality.csv", "--question", "harm") == 1
    assert "--question is quality in the existing sample, and not harm" in capsys.readouterr().err
    assert run("--question", "quality", "--reveal") == 2
    assert "which no scorer answers" in capsys.readouterr().err
    kept = folder / "quality.sample.jsonl"
    kept.write_text(kept.read_text("utf-8").replace('"question": "quality"', '"question": "taste"', 1), "utf-8")
    assert run("--into", "quality.csv") == 1
    assert "is not a sample that this version" in capsys.readouterr().err


def test_a_sentence_of_two_sources_counts_for_both(graph: Graph, tmp_path: Path) -> None:
    """A model and its filtered copy in one sample."""
    first, second = (
        [triple("lawyer", "IsA", tail) for tail in tails] for tails in (("same", "worse"), ("same", "better"))
    )
    fill(graph, Target("lawyer", "profession"), *first, source="copy")
    import_triples(graph, *second, source="model")
    sample = sample_of(graph, strata=(), question="quality")
    judgements = Judgements(tmp_path / "quality.csv", QUESTIONS["quality"])
    for item in sample.items:
        judgements.add(Judgement(item.sentence, "invalid" if item.sentence.endswith("worse") else "valid", "ann"))
    keep(tmp_path / "quality.sample.jsonl", sample)
    found = answers(read(tmp_path / "quality.sample.jsonl"), judgements)
    shares = {row["source"]: (row["percent"], row["sentences"]) for row in found.shares if row["answer"] == "valid"}
    assert shares == {None: (pytest.approx(200 / 3), 3), "copy": (50, 2), "model": (100, 2)}


@pytest.mark.usefixtures("interrupted")
def test_a_sample_remembers_that_labels_were_told(folder: Path) -> None:
    for option, revealed in (("--blind", False), ("--reveal", True), ("--blind", True)):
        assert run("--into", "ours.csv", option) == 0
        assert read(folder / "ours.sample.jsonl").revealed == revealed


@pytest.mark.usefixtures("interrupted")
def test_wrong_use_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "theirs.csv").write_text("sentence,label,annotator\na,neutral,ann\n")
    assert run("--into", "theirs.csv") == 1
    assert "has no sample beside it" in capsys.readouterr().err
    assert run("--into", "none.csv", "--summary") == 1
    assert "nothing was judged yet" in capsys.readouterr().err
    assert run("--strata", "colour") == 2
    assert run("--as", "Sentiment") == 1
    capsys.readouterr()
    assert run("--into", "scorers.csv", "--as", "sentiment") == 1
    assert "--as sentiment: is a measure of a scorer (vader" in capsys.readouterr().err
    assert run("--into", "unknown.csv", "--strata", "none", "--measure", "sentimant") == 1
    assert "no measure named 'sentimant'" in capsys.readouterr().err
    assert run("--target", "plumber") == 1
    assert "no statement to judge" in capsys.readouterr().err
    assert run("--into", "ours.csv", "--size", "5") == 0
    capsys.readouterr()
    assert run("--into", "ours.csv", "--size", "6") == 1
    assert "--size is 5 in the existing sample, and not 6" in capsys.readouterr().err
    assert run("--into", "ours.csv", "--size", "6", "--summary") == 1
    assert "--size is 5 in the existing sample, and not 6" in capsys.readouterr().err


def test_the_page_on_it(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def judged() -> None:
        judgements = Judgements(folder / "ours.csv")
        if not judgements:
            for item in read(folder / "ours.sample.jsonl").items:
                judgements.add(Judgement(item.sentence, item.label or "neutral", "ann"))
        raise KeyboardInterrupt

    monkeypatch.setattr("harmgraph.common.command_line.until_interrupted", judged)
    monkeypatch.setattr("webbrowser.open", lambda *_, **__: True)
    lines = list(filter(None, "\n".join(blocks("review.md", "sh")).splitlines()))
    for line in (lines[0], *lines):  # gone on with, it writes into the graph what the file has
        assert main(shlex.split(line.replace("conceptnet", "kb"))[1:]) == 0, line
        if "--summary" in line:
            assert "krippendorff" not in capsys.readouterr().out, "one annotator agrees with nobody"
    assert "O+" in capsys.readouterr().out
