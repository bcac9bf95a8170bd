"""Axes from a dictionary of the user's: its forms, the score of a sentence, one measure for each axis."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.labelling.axes import read_axes
from harmgraph.analytics.scorers.dimensions import SCORER
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.intervals import wilson
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Target, Triple
from tests.support.figures_sample import finish
from tests.support.filling import fill
from tests.support.jobs import write

CSV = """word,axis,direction
kind*,warmth,1
cruel,Warmth,-1
mild,warmth,0
clever,competence,1
capable,competence,1
stupid,competence,-1
"""
LIWC = "%\n1\twarmth_high\n2\tWarmth_lo\n3\tcompetence+\n4\tcompetence-\n5\tposemo\n%\n"
LIWC += "kind*\t1\ncruel\t2\nclever\t3\ncapable\t3\nstupid\t4\nhappy\t5\n"
WIDE = "term,note,Warmth_dir,Competence_dir\nkind*,a,1,NA\ncruel,b,-1,NA\nclever,c,NA,1\ncapable,d,,1\nstupid,e,NA,-1\n"


def dictionary(folder: Path, text: str = CSV) -> Path:
    path = folder / "axes.csv"
    path.write_text(text, "utf-8")
    return path


def score(folder: Path, sentence: str, text: str = CSV, axis: str = "warmth") -> float | None:
    return read_axes(dictionary(folder, text))[axis].score(sentence)


@pytest.mark.parametrize("text", [CSV, LIWC, WIDE], ids=["csv", "liwc", "wide"])
def test_the_three_forms_say_the_same(tmp_path: Path, text: str) -> None:
    axes = read_axes(dictionary(tmp_path, text))
    assert set(axes) == {"warmth", "competence"}
    assert [axes["warmth"].score(one) for one in ("kindness", "cruel", "clever", "happy")] == [1, -1, None, None]
    assert [axes["competence"].score(one) for one in ("clever", "stupid", "kindness")] == [1, -1, None]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("this person is kind", 1),
        ("This person is KINDLY and cruel.", 0),
        ("kind, kinder, cruel", 1 / 3),
        ("a mild man", 0),
        ("kin", None),
        ("cruelty", None),  # no stemming
        ("", None),
        ("日本 💔", None),
    ],
)
def test_the_score_is_the_mean_direction(tmp_path: Path, sentence: str, expected: float | None) -> None:
    assert score(tmp_path, sentence) == expected


def test_words_before_beginnings_phrases_before_words_and_no_masks(tmp_path: Path) -> None:
    rows = "heart*,warmth,1\nheartless,warmth,-1\nkind of cruel,warmth,-1\nkind,warmth,1\nperson,warmth,1\n"
    text = f"word,axis,direction\n{rows}kind,warmth,-1\nheartl*,warmth,0\n"
    assert score(tmp_path, "hearty", text) == 1
    assert score(tmp_path, "heartless", text) == -1
    assert score(tmp_path, "heartlessly", text) == 0, "the longest beginning"
    assert score(tmp_path, "kind of cruel", text) == -1
    assert score(tmp_path, "kind of", text) == 0, "high and low are the mean"
    assert score(tmp_path, "this person is here", text) is None, "the mask says nothing"
    assert score(tmp_path, "a person is here", text) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no dictionary of axes; write CSV with the columns word, axis, direction"),
        ("word,axis\nkind,warmth\n", "is no dictionary of axes"),
        ("a,b_dir\nkind,1\n", "is no dictionary of axes"),
        ("word,axis,direction\n", "has no axis with a direction"),
        ("word,axis,direction\nkind,warmth,2\n", "axes.csv:2: '2' is no direction; write 1, 0 or -1"),
        ("word,axis,direction\nkind,5,1\n", "axes.csv:2: '5' cannot be the name of an axis"),
        ("%\n1\tposemo\n%\nkind\t1\n", "has no axis with a direction"),
        ("%\n1\twarmth_high\n%\nkind\t2\n", "no category has the number '2'"),
    ],
)
def test_dictionaries_that_are_wrong(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UnreadableFile) as error:
        read_axes(dictionary(tmp_path, text))
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_of_a_dictionary_is_dropped_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "axes.csv"
    path.write_bytes("word,axis,direction\ncaf\u00e9,warmth,1\n".encode("latin-1"))
    with pytest.raises(UnreadableFile, match="UTF-8"):
        read_axes(path)
    for short in (",warmth,1", "*,warmth,1"):
        path.write_text(f"word,axis,direction\nkind,warmth,1\n{short}\n", "utf-8")
        with pytest.raises(UnreadableFile, match=r"3: '.*' is no word"):
            read_axes(path)


def test_one_axis_at_a_time_and_the_file_in_its_author(tmp_path: Path) -> None:
    options = {"dictionary": str(dictionary(tmp_path)), "axis": "warmth"}
    found = SCORER.scores(["kind", "cruel", "mild", "tall"], options)
    assert [one and (one.label, one.value) for one in found] == [
        ("positive", 1),
        ("negative", -1),
        ("neutral", 0),
        None,
    ]
    before = SCORER.by(options)
    assert before.startswith("dimensions@1(")
    assert before.endswith(",warmth)")
    assert SCORER.by(options | {"axis": "competence"}) != before
    dictionary(tmp_path, CSV + "nice,warmth,1\n")
    assert SCORER.by(options) != before
    assert SCORER.scores(["nice"], options) != [None], "the changed file is read again"
    with pytest.raises(InputError, match="scores one axis at a time"):
        SCORER.scores(["kind"], {"dictionary": options["dictionary"]})
    with pytest.raises(BadName, match="axis 'warmt' is not in the dictionary; there are warmth, competence"):
        SCORER.passes("axis", options | {"axis": "warmt"})
    with pytest.raises(InputError, match="needs a dictionary; give it with --dictionary FILE"):
        SCORER.passes("axis", {})
    both = {name for name, _ in SCORER.passes("nicolas", {"dictionary": options["dictionary"]})}
    assert both == {"nicolas_warmth", "nicolas_competence"}


@pytest.fixture
def filled(graph: Graph) -> Graph:
    """Of the nurse six statements: on warmth 1, 1, -1; on competence 1, and by the phrase of CapableOf."""
    says = ("kind person", "kindly soul", "cruel person", "clever person", "tall person")
    fill(
        graph,
        Target("nurse", "profession"),
        Target("judge", "profession"),
        *(Triple(Concept("nurse"), "IsA", Concept(tail)) for tail in says),
        Triple(Concept("nurse"), "CapableOf", Concept("sleep")),
        Statement("Judges are stupid.", "judge"),
        source="kb",
    )
    finish(graph, "kb")
    return graph


def test_every_axis_in_one_command(filled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["label", "dimensions", "--dictionary", str(dictionary(tmp_path)), "--no-progress", "--output", "json"]
    assert main(words) == 0
    captured = capsys.readouterr()
    warmth, competence = json.loads(captured.out)
    assert (warmth["measure"], warmth["positive"], warmth["negative"], warmth["without"]) == ("warmth", 2, 1, 4)
    assert (competence["measure"], competence["positive"], competence["negative"]) == ("competence", 2, 1)
    assert "competence: phrases of relations have words of it: 'is capable of'" in captured.err
    assert "; --mask-phrases leaves them out" in captured.err
    assert main([*words, "--mask-phrases"]) == 0
    captured = capsys.readouterr()
    assert [row["positive"] for row in json.loads(captured.out)] == [2, 1], "the label of the phrase is gone"
    assert "phrases" not in captured.err
    assert main([*words, "--mask-phrases", "--axis", "warmth", "--as", "own"]) == 0
    assert [row["measure"] for row in json.loads(capsys.readouterr().out)] == ["own_warmth"]


def test_where_targets_stand(filled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["label", "dimensions", "--dictionary", str(dictionary(tmp_path)), "--no-progress", "--mask-phrases"]
    assert main(words) == 0
    frame = statistic("dimensions")(filled, source="kb")
    rows = {(row["target"], row["axis"]): row for row in frame.to_dict("records")}
    warmth = rows["nurse", "warmth"]
    assert (warmth["n"], warmth["statements"], warmth["coverage"]) == (3, 6, 50)
    assert warmth["mean"] == pytest.approx(1 / 3)
    low, high = wilson(2, 3)
    assert (warmth["mean_low"], warmth["mean_high"]) == (pytest.approx(2 * low - 1), pytest.approx(2 * high - 1))
    low, high = wilson(3, 6)
    assert (warmth["coverage_low"], warmth["coverage_high"]) == (pytest.approx(100 * low), pytest.approx(100 * high))
    judge = rows["judge", "competence"]
    assert (judge["mean"], judge["mean_low"], judge["coverage"], judge["coverage_high"]) == (-1, -1, 100, 100)
    assert judge["mean_high"] == pytest.approx(2 * wilson(0, 1)[1] - 1)
    nothing = rows["judge", "warmth"]
    assert (nothing["n"], nothing["coverage"], nothing["coverage_low"]) == (0, 0, 0)
    assert nothing["mean"] != nothing["mean"], "no mean without a word"
    capsys.readouterr()
    assert main(["stats", "dimensions", "--axes", "warmth", "--min-support", "4"]) == 0
    assert "nothing to measure: no statement about a target has a label of these axes" in capsys.readouterr().err
    assert main(["stats", "dimensions", "--axes", "warmth", "--axes", "competense"]) == 1
    assert "no measure named 'competense' in the graph; near: competence" in capsys.readouterr().err
    assert main(["stats", "dimensions", "--axes", "warmth"]) == 0
    assert "no label" not in capsys.readouterr().err, "a statement without a word of an axis lacks no label"
    assert main(["job", "check", write(tmp_path, '[[step]]\nrun = "stats dimensions --axes competense"\n')]) == 1
    assert (
        "no measure named 'competense' in the graph, and no earlier step labels it; near: competence"
        in capsys.readouterr().err
    )
    assert main(["stats", "dimensions", "--save", "--output", "csv"]) == 0
    saved = filled.driver.execute_query("MATCH (m:Measurement) RETURN m.measure AS measure, m.number_id AS id").records
    assert {row["measure"] for row in saved} == {"warmth", "competence"}
    assert len({row["id"] for row in saved}) == len(saved) == 8


def test_a_statement_of_two_names_of_a_target_counts_once_and_an_axis_too(graph: Graph, tmp_path: Path) -> None:
    fill(
        graph,
        Target("nurse", "profession", aliases=("sister",)),
        Triple(Concept("nurse"), "IsA", Concept("sister")),
        Triple(Concept("nurse"), "IsA", Concept("kind sister")),
        source="kb",
    )
    filled = graph.driver.execute_query
    filled("MATCH ()-[r {source: 'kb'}]->() SET r.warmth = 'positive', r.warmth_score = 1.0")
    (row,) = statistic("dimensions")(graph, axes=["warmth", "warmth"]).to_dict("records")
    assert (row["n"], row["statements"], row["mean"]) == (2, 2, 1)


def test_a_job_labels_axes_and_measures_them(filled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the dictionary labels is known only when it is read, so no measure after it is refused."""
    dictionary(tmp_path)
    steps = '[[step]]\nrun = "label dimensions --mask-phrases"\noptions = { dictionary = "axes.csv" }\n'
    steps += '[[step]]\nrun = "stats dimensions"\n[[step]]\nrun = "stats overgeneralization --measure warmth"\n'
    assert main(["job", "run", write(tmp_path, f'max_unlabelled = "100%"\n{steps}')]) == 0
    capsys.readouterr()
    assert main(["job", "numbers", "audit", "--output", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["measure"] for row in rows} == {"warmth", "competence"}
    scorers = {row["metric"]: row["scorers"] for row in rows}
    assert "warmth=dimensions@1" in scorers["dimensions.mean"]
    assert main(["job", "new", "--from-last", "--out", str(tmp_path / "pinned.toml")]) == 0
    audit = read_job(tmp_path / "pinned.toml").audit
    assert audit is not None
    assert set(audit.measures) == {"warmth", "competence"}


def test_the_figure(filled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "warmth.svg"
    assert main(["label", "vader", "--no-progress"]) == 0
    assert main(["figure", "dimensions", "--source", "kb", "--min-support", "1", "--out", str(out)]) == 1
    assert "labels of warmth and competence: harmgraph label dimensions --dictionary FILE" in capsys.readouterr().err
    assert main(["label", "dimensions", "--dictionary", str(dictionary(tmp_path)), "--no-progress"]) == 0
    assert main(["figure", "dimensions", "--source", "kb", "--out", str(out)]) == 1
    assert "No target has 10 statements or more with a label of each axis" in capsys.readouterr().err
    assert main(["figure", "dimensions", "--source", "kb", "--min-support", "1", "--out", str(out)]) == 0
    drawn = out.read_text("utf-8")
    assert "Furthest from the middle: nurse 0.33 and 1" in drawn
    assert "judge" not in drawn, "it has nothing on warmth"
